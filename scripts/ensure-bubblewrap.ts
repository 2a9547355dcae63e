/** Before the demo: a sandbox for commands, where one can be had. Never fails: the demo says when it goes without. */
import { bubblewrap, ensurePrograms } from './system-programs.ts';

await ensurePrograms([bubblewrap]);
