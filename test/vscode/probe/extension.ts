/** Measures the extension host that it shares with the extension. */
import { appendFileSync } from 'node:fs';
import { commands, type ExtensionContext } from 'vscode';
import { readingsVariable, type Reading } from './readings.ts';

const period = 5;

export function activate(context: ExtensionContext): void {
  const meter = new DriftMeter();
  context.subscriptions.push(
    meter,
    commands.registerCommand('swarmwright-probe.startMeter', () => {
      meter.start();
    }),
    commands.registerCommand('swarmwright-probe.stopMeter', () => {
      write(meter.stop());
    }),
    commands.registerCommand('swarmwright-probe.openDashboard', async () => {
      write({ kind: 'dashboard-asked', at: performance.timeOrigin + performance.now() });
      await commands.executeCommand('swarmwright.openDashboard');
    }),
  );
}

/** What is late when the loop is blocked: a timer. (`monitorEventLoopDelay` reads its own resolution when idle.) */
class DriftMeter {
  #timer: NodeJS.Timeout | undefined;
  #drifts: number[] = [];

  start(): void {
    this.dispose();
    this.#drifts = [];
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#drifts.push(now - last - period);
      last = now;
    }, period);
  }

  stop(): Reading {
    this.dispose();
    const sorted = this.#drifts.toSorted((left, right) => left - right);
    const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
    return { kind: 'drift', count: sorted.length, median: at(0.5), p99: at(0.99), max: at(1) };
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}

function write(reading: Reading): void {
  const file = process.env[readingsVariable];
  if (file === undefined) throw new Error(`${readingsVariable} names the file for readings`);
  appendFileSync(file, `${JSON.stringify(reading)}\n`);
}
