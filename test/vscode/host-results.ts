import { readFileSync } from 'node:fs';

/** One line of the results file of a host suite. */
export type HostResult =
  | { readonly kind: 'passed'; readonly title: string; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly title: string; readonly reason: string }
  | { readonly kind: 'skipped'; readonly title: string }
  /** All tests have run. */
  | { readonly kind: 'end' };

/** The environment variable that tells the extension host where results go. */
export const resultsVariable = 'SWARMWRIGHT_HOST_RESULTS';
/** Beside the bundled entry. */
export const suitesFolder = 'suites';

export interface HostCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Every test has come to its end. */
  readonly ended: boolean;
}

/** Prints what the results file says and counts it. A host that ended early, or ran nothing, counts as a failure. */
export function reportResults(file: string): HostCounts {
  const results = readResults(file);
  const ended = results.at(-1)?.kind === 'end';
  const counts = { passed: 0, failed: 0, skipped: 0, ended };
  for (const result of results) {
    switch (result.kind) {
      case 'passed':
        counts.passed += 1;
        console.log(`  passed  ${result.title} (${result.milliseconds} ms)`);
        break;
      case 'failed':
        counts.failed += 1;
        console.log(`  FAILED  ${result.title}\n${result.reason}`);
        break;
      case 'skipped':
        counts.skipped += 1;
        console.log(`  skipped ${result.title}`);
        break;
      case 'end':
        break;
      default:
        result satisfies never;
    }
  }
  if (!ended) {
    counts.failed += 1;
    console.log('  FAILED  the extension host ended before its tests did');
  } else if (counts.passed + counts.failed === 0) {
    counts.failed += 1;
    console.log('  FAILED  there was no test to run');
  }
  return counts;
}

function readResults(file: string): readonly HostResult[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return []; // The host did not come to its first test.
  }
  return text
    .trimEnd()
    .split('\n')
    .map((line): HostResult => JSON.parse(line));
}
