import { Database } from './database.mjs';
import { serve } from './line-protocol.mjs';

await serve(new Database(), process.stdin, process.stdout);
