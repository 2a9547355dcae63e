import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import {
  begun,
  committed,
  created,
  ended,
  handoff,
  numbered,
  parked,
  reserved,
  settled,
  slept,
  started,
  woke,
} from '#protocol/projection-samples.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { loadPlaybook } from '../playbook/load-playbook.ts';
import type { Playbook } from '../playbook/playbook.ts';
import { agentOfCall, recordPlaybook, type RecordedPlaybook } from './record-playbook.ts';

function turn(
  callKey: string,
  text: string,
  ...calls: readonly (readonly [name: string, args: unknown])[]
): TranscriptItem {
  return {
    kind: 'assistant',
    turn: Number(callKey.split(' ').at(-1)),
    callKey,
    text,
    toolCalls: calls.map(([name, args], index) => ({
      id: `${callKey} ${index}`,
      name,
      args: typeof args === 'string' ? args : JSON.stringify(args),
    })),
    stopReason: calls.length > 0 ? 'tool-calls' : 'end',
    usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 },
  };
}

function result(name: string, text: string): TranscriptItem {
  return { kind: 'tool', callId: '', name, text };
}

function answered(key: string, account: string): readonly RunEventBody[] {
  return [reserved(key, account), settled(key, account)];
}

/** Events, and a silent turn for each call of theirs that `items` does not have. */
function recorded(
  bodies: readonly RunEventBody[],
  ...items: readonly TranscriptItem[]
): RecordedPlaybook & { readonly after: (key: string) => readonly string[] } {
  const events: readonly RunEvent[] = numbered(bodies);
  const transcripts = new Map<string, TranscriptItem[]>();
  const add = (key: string, item: TranscriptItem): void => {
    transcripts.set(agentOfCall(key), [...(transcripts.get(agentOfCall(key)) ?? []), item]);
  };
  let last = '';
  for (const item of items) {
    if (item.kind === 'assistant') last = item.callKey;
    add(last, item);
  }
  const there = new Set(items.flatMap((item) => (item.kind === 'assistant' ? [item.callKey] : [])));
  for (const event of events) {
    if (event.type === 'call.settled' && !there.has(event.key)) add(event.key, turn(event.key, 'x'));
  }
  const playbook = recordPlaybook('Sample', events, transcripts);
  return {
    ...playbook,
    after: (key) => {
      const [, block = ''] = playbook.yaml.split(`key: ${key}\n`);
      const [, waits = ''] = /^[^]*?after:\n((?: +- .+\n)+)/u.exec(block.split('  - key:')[0] ?? '') ?? [];
      return [...waits.matchAll(/- (.+)/gu)].map(([, fact = '']) => fact);
    },
  };
}

async function loaded({ yaml, files }: RecordedPlaybook): Promise<Playbook> {
  const folder = await mkdtemp(join(tmpdir(), 'recorded-'));
  try {
    for (const [path, content] of [...files, ['playbook.yaml', yaml] as const]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return await loadPlaybook(join(folder, 'playbook.yaml'), nodeFileSystem);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const planned: readonly RunEventBody[] = [
  begun,
  created('root', 'planner'),
  started('root'),
  committed(1, 'root', { role: 'harness', title: 'import' }),
  ...answered('planner root 1 1', 'root'),
  created('root/a'),
  created('root/b'),
  slept('root'),
];

describe('the order of a recorded run', () => {
  it('has a commit wait for the one before it, and for all that began without it', () => {
    const { after, notes } = recorded([
      ...planned,
      started('root/a'),
      started('root/b'),
      ...answered('worker root/b 1 1', 'root/b'),
      committed(2, 'root/b'),
      ...answered('worker root/a 1 1', 'root/a'),
      committed(3, 'root/a'),
    ]);
    expect(after('worker root/b 1 1')).toEqual(['root/a started']);
    expect(after('worker root/a 1 1')).toEqual(['root/b committed']);
    expect(notes).toEqual([]);
  });

  it('has a resolver wait for what was on trunk before its answer', () => {
    const resolver = 'resolver src/a.js root/a+root/b 1 1';
    const { after } = recorded([
      ...planned,
      started('root/a'),
      started('root/b'),
      ...answered('worker root/b 1 1', 'root/b'),
      committed(2, 'root/b'),
      ...answered('worker root/a 1 1', 'root/a'),
      parked(3, 'root/a', 'set'),
      { type: 'task.parked', task: 'root/a', parked: 'set', handoff: handoff('x') },
      { ...reserved(resolver, 'root/a', 'resolver') },
      settled(resolver, 'root/a'),
      committed(4, 'root/a', { role: 'resolver', resolves: 'set' }),
    ]);
    expect(after('worker root/a 1 1')).toEqual(['root/b committed']);
    expect(after(resolver)).toEqual(['root/a parked']);
  });

  it('has a task depend on the one whose end gave it a slot', async () => {
    const tasks = ['a', 'b'].map((name) => ({ name, role: 'worker' }));
    const playbook = recorded(
      [
        ...planned,
        started('root/a'),
        ...answered('worker root/a 1 1', 'root/a'),
        committed(2, 'root/a'),
        ended('root/a'),
        started('root/b'),
        ...answered('worker root/b 1 1', 'root/b'),
        committed(3, 'root/b'),
        ended('root/b'),
      ],
      turn('planner root 1 1', '', ['plan', { wake: 'all', tasks }]),
    );
    const plan = (await loaded(playbook)).turns.get('planner root 1 1')?.calls[0];
    expect(plan?.args['tasks']).toEqual([tasks[0], { ...tasks[1], depends_on: ['a'] }]);
    expect(playbook.concurrency).toBe(1);
  });

  it('says when others changed the same files in the middle of a turn, which no barrier can state', () => {
    const { notes } = recorded([
      ...planned,
      started('root/a'),
      started('root/b'),
      ...answered('worker root/a 1 1', 'root/a'),
      committed(2, 'root/a'),
      ...answered('worker root/b 1 1', 'root/b'),
      committed(3, 'root/b'),
      committed(4, 'root/a'),
    ]);
    expect(notes).toEqual(['root/a changed trunk twice in one turn, and root/b the same files in between.']);
  });

  it('wakes a planner once that was woken once, with all of its tasks', async () => {
    const playbook = recorded(
      [
        ...planned.slice(0, -1),
        slept('root', 'each'),
        started('root/a'),
        started('root/b'),
        ...answered('worker root/a 1 1', 'root/a'),
        ended('root/a'),
        ...answered('worker root/b 1 1', 'root/b'),
        ended('root/b'),
        woke('root', 'root/a', 'root/b'),
      ],
      turn('planner root 1 1', '', ['plan', { wake: 'each', tasks: [] }]),
    );
    expect((await loaded(playbook)).turns.get('planner root 1 1')?.calls[0]?.args['wake']).toBe('all');
    expect(playbook.notes).toEqual([]);
  });
});

function retried(mode: 'model-error' | 'turn-limit'): readonly RunEventBody[] {
  return [
    ...planned,
    started('root/a'),
    ...answered('worker root/a 1 1', 'root/a'),
    { type: 'task.retried', task: 'root/a', attempt: 2, mode, details: '' },
    started('root/a', 2, 2),
    ...answered('worker root/a 2 1', 'root/a'),
    ended('root/a'),
  ];
}

describe('an agent that was replaced', () => {
  it('is left out where nothing can make it fail again', async () => {
    const { turns } = await loaded(recorded(retried('model-error'), turn('worker root/a 2 1', 'second')));
    expect([...turns.keys()]).toEqual(['worker root/a 1 1', 'planner root 1 1']);
    expect(turns.get('worker root/a 1 1')?.text).toBe('second');
  });

  it('is played where it will fail again', async () => {
    const { turns } = await loaded(recorded(retried('turn-limit')));
    expect([...turns.keys()].toSorted()).toEqual([
      'planner root 1 1',
      'worker root/a 1 1',
      'worker root/a 2 1',
    ]);
  });
});

function write(path: string): readonly [string, unknown] {
  return ['write_file', { path, content: `line\n${path}\n` }];
}

describe('what agents said', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'a\r\nb',
      ' lead',
      'trail \n\n',
      '# no comment',
      '- x: y\n',
      "'",
      '"',
      '\t\n x',
      'null',
      '😀'.repeat(90),
    ),
  );

  it('comes out as it went in, whatever characters it has', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (said, content, other) => {
        const args = { path: 'src/ü b.mjs', content, list: [other, { other }], count: 1, none: null };
        const playbook = recorded(
          [...planned, started('root/a'), ...answered('worker root/a 1 1', 'root/a')],
          turn('worker root/a 1 1', said, ['write_file', args]),
          result('write_file', 'outcome=written path="src/ü b.mjs" lines=1\nmore'),
        );
        const played = (await loaded(playbook)).turns.get('worker root/a 1 1');
        expect(played?.text).toBe(said);
        expect(played?.calls[0]?.args).toEqual(args);
        expect(played?.calls[0]?.expect.get('path')).toBe('src/ü b.mjs');
      }),
      { numRuns: 60 },
    );
  });

  it('is written to files that no path of a model can lead elsewhere', () => {
    const { files } = recorded(
      [...planned, started('root/a'), ...answered('worker root/a 1 1', 'root/a')],
      turn(
        'worker root/a 1 1',
        '',
        write('../../.bashrc'),
        write('a/../x.mjs'),
        write('X.mjs'),
        write('/'),
        write('..'),
      ),
    );
    expect([...files.keys()]).toEqual([
      'parts/a/bashrc',
      'parts/a/x.mjs',
      'parts/a/X-2.mjs',
      'parts/a/content.txt',
      'parts/a/file.content.txt',
    ]);
  });

  it('that is no JSON is played as something that is refused as well', async () => {
    const playbook = recorded(
      [...planned, started('root/a'), ...answered('worker root/a 1 1', 'root/a')],
      turn('worker root/a 1 1', '', ['write_file', '{"path": ']),
    );
    const call = (await loaded(playbook)).turns.get('worker root/a 1 1')?.calls[0];
    expect(call?.args).toEqual({ written: '{"path": ' });
  });

  it('to a tool that nobody has is played as one that comes to nothing', async () => {
    const tool = 'edit_file<|channel|>\nnow';
    const problem = JSON.stringify(`no tool ${tool}; there are finish, submit`);
    const playbook = recorded(
      [...planned, started('root/a'), ...answered('worker root/a 1 1', 'root/a')],
      turn('worker root/a 1 1', '', [tool, {}]),
      result(tool, `outcome=invalid problem=${problem}`),
    );
    const call = (await loaded(playbook)).turns.get('worker root/a 1 1')?.calls[0];
    expect(call?.tool).toBe('edit_file<|channel|> now');
    expect([...(call?.expect ?? [])]).toEqual([['outcome', 'invalid']]);
  });

  it('and held a key, is said to be without it', () => {
    const { notes } = recorded(
      [...planned, started('root/a'), ...answered('worker root/a 1 1', 'root/a')],
      turn('worker root/a 1 1', 'The key is [redacted].'),
    );
    expect(notes).toEqual([expect.stringContaining('Keys were taken out')]);
  });
});
