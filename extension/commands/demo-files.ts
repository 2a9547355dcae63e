import { isRecord } from './build-arguments.ts';

/** What `demo.json` of the example says; paths are relative to its folder. */
export interface Demo {
  readonly spec: string;
  readonly playbook: string;
  readonly verify: string;
  readonly concurrency: number;
}

/** @throws Error when it says something else: the example comes with the extension */
export function readDemo(text: string): Demo {
  const demo: unknown = JSON.parse(text);
  if (isRecord(demo)) {
    const { spec, playbook, verify, concurrency } = demo;
    if (
      typeof spec === 'string' &&
      typeof playbook === 'string' &&
      typeof verify === 'string' &&
      typeof concurrency === 'number'
    ) {
      return { spec, playbook, verify, concurrency };
    }
  }
  throw new Error('demo.json of the example is malformed');
}
