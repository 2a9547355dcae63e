import { describe, expect, test } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import { MemoryJournal } from '#journal/memory-journal.ts';
import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import { RunProjection } from '#protocol/projection.ts';
import { begun, created, started } from '#protocol/projection-samples.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { EventLog } from './event-log.ts';

const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

function openLog(options: ConstructorParameters<typeof EventLog>[2] = {}): {
  readonly log: EventLog;
  readonly journal: MemoryJournal;
} {
  const journal = new MemoryJournal(new ManualClock());
  return { log: new EventLog(journal, new RunProjection(), options), journal };
}

describe('a listener', () => {
  const batch = [begun, created('root', 'planner'), started('root')];

  test('that throws stops neither the fold nor the other listeners, and is reported', async () => {
    const errors: unknown[] = [];
    const { log } = openLog({ onListenerError: (error) => errors.push(error) });
    const told: RunEvent['type'][] = [];
    log.subscribe(() => {
      throw new Error('the window is gone');
    });
    log.subscribe(({ type }) => told.push(type));
    await log.publish(...batch);
    expect(log.projection.tasks.get('root')?.state).toBe('running');
    expect(told).toEqual(['run.created', 'task.created', 'task.started']);
    expect(errors).toHaveLength(3);
  });

  test('is a warning of the process when nobody wants its errors', async () => {
    const { log } = openLog();
    const warned = new Promise((resolve) => {
      process.once('warning', resolve);
    });
    log.subscribe(() => {
      throw new Error('the window is gone');
    });
    await log.publish(begun);
    expect(await warned).toMatchObject({ message: 'the window is gone' });
  });

  test('finds the whole batch folded', async () => {
    const { log } = openLog();
    const states: (string | undefined)[] = [];
    log.subscribe(() => states.push(log.projection.tasks.get('root')?.state));
    await log.publish(...batch);
    expect(states).toEqual(['running', 'running', 'running']);
  });

  test('that waits for an event fails with what its condition throws', async () => {
    const { log } = openLog();
    const waited = log.until(() => {
      throw new Error('no such task');
    }, new AbortController().signal);
    await Promise.all([expect(waited).rejects.toThrow('no such task'), log.publish(begun)]);
  });
});

describe('a key', () => {
  const key = 'k-012"34\\567';
  const secrets = [key, 'k-012"34', 'short'];
  const items: readonly TranscriptItem[] = [
    { kind: 'user', text: `The key is ${key}.` },
    {
      kind: 'assistant',
      turn: 1,
      callKey: 'worker root/short 1 1',
      text: key,
      toolCalls: [{ id: '1', name: 'run_command', args: JSON.stringify({ command: `echo ${key}` }) }],
      stopReason: 'tool-calls',
      usage: noUsage,
    },
    { kind: 'tool', callId: '1', name: 'run_command', text: `exit=0\n${key}\n${key} short` },
  ];
  const events: readonly RunEventBody[] = [
    begun,
    { type: 'run.braked', reason: `no money left for ${key}` },
    { type: 'run.ended', status: 'failed', reasons: [`${key} is wrong`, 'and more'] },
  ];

  test('is in nothing that is stored, folded, told or shown to the agent again', async () => {
    const { log, journal } = openLog({ secrets });
    const told: RunEvent[] = [];
    log.subscribe((event) => told.push(event));
    const transcript = await log.transcript('root@1');
    await transcript.store(items, events);
    const { reasons, braked } = log.projection;
    const stored = [await journal.events(0), await journal.transcript('root@1')];
    const everything = JSON.stringify([stored, told, transcript.items, reasons, braked]);
    expect(everything).not.toMatch(/k-012/u);
    expect(everything.match(/\[redacted\]/gu)?.length).toBeGreaterThan(10);
    expect(transcript.items).toEqual(await journal.transcript('root@1'));
  });

  test('leaves what is around it as it was, so that arguments can still be read', async () => {
    const { log } = openLog({ secrets });
    const transcript = await log.transcript('root@1');
    await transcript.store(items, events);
    expect(transcript.items).toMatchObject([
      { text: 'The key is [redacted].' },
      { callKey: 'worker root/short 1 1', toolCalls: [{ args: '{"command":"echo [redacted]"}' }] },
      { text: 'exit=0\n[redacted]\n[redacted] short' },
    ]);
  });

  test('that is a word of the harness changes none of its own words', async () => {
    const { log } = openLog({ secrets: ['assistant', 'run.braked', 'root/word-key'] });
    await log.publish(begun, created('root', 'planner'), created('root/word-key'), started('root/word-key'));
    expect(log.projection.tasks.get('root/word-key')?.state).toBe('running');
    const transcript = await log.transcript('root@1');
    await transcript.store(items, [{ type: 'run.braked', reason: 'assistant' }]);
    expect(transcript.items.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool']);
    expect(log.projection.braked).toBe('[redacted]');
  });
});
