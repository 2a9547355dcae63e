/**
 * What the extension host loads as its tests (`extensionTestsPath`); bundled with each suite of `host/` in a file of
 * its own beside it. Results go to a file, as exit codes do not tell of a host that died: it reports 0.
 */
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { resultsVariable, suitesFolder, type HostResult } from './host-results.ts';

export async function run(): Promise<void> {
  const file = process.env[resultsVariable];
  if (file === undefined) throw new Error(`${resultsVariable} names the file for results`);
  const write = (result: HostResult): void => {
    appendFileSync(file, `${JSON.stringify(result)}\n`);
  };
  const mocha = new Mocha({ ui: 'tdd', timeout: 60_000, reporter: Mocha.reporters.Base });
  const folder = join(import.meta.dirname, suitesFolder);
  for (const name of readdirSync(folder).toSorted()) {
    if (name.endsWith('.cjs')) mocha.addFile(join(folder, name));
  }
  const failures = await new Promise<number>((resolve) => {
    mocha
      .run(resolve)
      .on('pass', (test) => {
        write({ kind: 'passed', title: test.fullTitle(), milliseconds: test.duration ?? 0 });
      })
      .on('fail', (test, error: unknown) => {
        write({ kind: 'failed', title: test.fullTitle(), reason: reasonOf(error) });
      })
      .on('pending', (test) => {
        write({ kind: 'skipped', title: test.fullTitle() });
      });
  });
  write({ kind: 'end' });
  if (failures > 0) throw new Error(`${failures} tests failed`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
