import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import { ModelError } from '../errors.ts';
import { loadPlaybook } from './load-playbook.ts';
import type { Playbook } from './playbook.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'playbook-'));
  mkdirSync(path.join(folder, 'book', 'parts'), { recursive: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function load(source: string | Uint8Array): Promise<Playbook> {
  const file = path.join(folder, 'book', 'playbook.yaml');
  writeFileSync(file, source);
  return loadPlaybook(file, nodeFileSystem);
}

async function problemOf(source: string | Uint8Array): Promise<string> {
  const error = await load(source).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(ModelError.is(error, 'playbook-malformed')).toBe(true);
  const message = ModelError.is(error) ? error.message : '';
  expect(message).not.toContain('\n');
  return message.replace(path.join(folder, 'book'), '');
}

const head = 'title: Small\nconcurrency: 2\nturns:\n';
const turn = (rest: string): string => `${head}  - key: worker root 1 1\n${rest}`;

describe('a playbook file', () => {
  it('is read with the files it names, byte for byte', async () => {
    const part = '\u{feff}const a = "ä";\r\nno newline at the end';
    writeFileSync(path.join(folder, 'book', 'parts', 'a.js'), part);
    const playbook = await load(
      `${head}  - key: planner root 1 1
    text: Hello
    after: [root/a started, root committed]
    calls:
      - tool: write_file
        args: { path: src/a.js }
        files: { content: parts/a.js }
        expect: 'outcome=written path="src/a b.js"'
  - key: resolver src/a b.js root/a+root/b 1 2
    calls: [{ tool: resolve }]
price: { input: 2, output: 8 }
`,
    );
    expect(playbook).toEqual({
      file: path.join(folder, 'book', 'playbook.yaml'),
      title: 'Small',
      concurrency: 2,
      price: { input: 2, cachedInput: 2, output: 8 },
      turns: new Map([
        [
          'planner root 1 1',
          {
            key: 'planner root 1 1',
            line: 4,
            text: 'Hello',
            after: ['root/a started', 'root committed'],
            calls: [
              {
                tool: 'write_file',
                args: { path: 'src/a.js', content: part },
                expect: new Map([
                  ['outcome', 'written'],
                  ['path', 'src/a b.js'],
                ]),
              },
            ],
          },
        ],
        [
          'resolver src/a b.js root/a+root/b 1 2',
          {
            key: 'resolver src/a b.js root/a+root/b 1 2',
            line: 12,
            text: '',
            after: [],
            calls: [{ tool: 'resolve', args: {}, expect: new Map() }],
          },
        ],
      ]),
    });
  });

  it.each([
    ['is not YAML', `${head}  - key: [`, /^\/playbook\.yaml:4: Flow sequence/],
    ['is empty', '', /^\/playbook\.yaml: .*expected object/],
    ['is not UTF-8', new Uint8Array([0x74, 0xff, 0xfe]), 'is not UTF-8 text'],
    ['is two documents', 'title: a\n---\ntitle: b\n', /multiple documents/],
    ['lacks the concurrency', 'title: a\nturns: [{key: worker root 1 1, text: a}]\n', "'concurrency'"],
    ['has no turns', 'title: a\nconcurrency: 1\nturns: []\n', "yaml:3: 'turns'"],
    ['repeats a field', turn('    text: a\n    text: b\n'), /:6: Map keys must be unique/],
    ['repeats a turn', turn('    text: a\n  - key: worker root 1 1\n    text: b\n'), ':6: turn'],
    ['has a field that is not known', turn('    txt: a\n'), /:4: .*"txt"/],
    ['has a key of no known form', `${head}  - key: worker lexer 1 1\n    text: a\n`, "'planner|worker TASK"],
    [
      'has a resolver key with unsorted tasks',
      `${head}  - key: resolver a.js root/b+root/a 1 1\n    text: a\n`,
      'sorted',
    ],
    ['has a turn that does nothing', turn('    after: [root started]\n'), "give it 'text' or 'calls'"],
    [
      'waits for an unknown fact',
      turn('    text: a\n    after: [root begun]\n'),
      'started, committed, parked, ended',
    ],
    ['expects what is no pair', turn('    calls: [{ tool: plan, expect: yes please }]\n'), 'key=value pairs'],
    ['has an unknown YAML tag', turn('    text: !secret a\n'), /:5: Unresolved tag/],
    [
      'names a file that is not there',
      turn('    calls:\n      - tool: write_file\n        files: { content: parts/b.js }\n'),
      /:7: cannot read 'parts\/b\.js': ENOENT/,
    ],
    [
      'names a file outside its folder',
      turn('    calls: [{ tool: write_file, files: { content: ../other.js } }]\n'),
      'move the file beside the playbook',
    ],
    [
      'names a file by an absolute path',
      turn('    calls: [{ tool: write_file, files: { content: /etc/hostname } }]\n'),
      'move the file beside the playbook',
    ],
    [
      'gives an argument twice',
      turn('    calls: [{ tool: write_file, args: { content: a }, files: { content: parts/a.js } }]\n'),
      "argument 'content' is in 'args' too",
    ],
  ])('that %s is refused with its place and what to do', async (_, source, message) => {
    writeFileSync(path.join(folder, 'book', 'parts', 'a.js'), 'a');
    expect(await problemOf(source)).toMatch(message);
  });

  it('that names a link out of its folder is refused', async () => {
    writeFileSync(path.join(folder, 'secret.js'), 'secret');
    symlinkSync(path.join(folder, 'secret.js'), path.join(folder, 'book', 'parts', 'link.js'));
    expect(
      await problemOf(turn('    calls: [{ tool: write_file, files: { content: parts/link.js } }]\n')),
    ).toContain('outside');
  });

  it('that is not there is refused', async () => {
    await expect(loadPlaybook(path.join(folder, 'none.yaml'), nodeFileSystem)).rejects.toThrow(
      /none\.yaml: cannot be read: ENOENT/,
    );
  });

  it('that explodes when its aliases are expanded is refused', async () => {
    const rows = Array.from({ length: 12 }, (_, row) =>
      row === 0
        ? 'a0: &a0 [x, x]'
        : `a${row}: &a${row} [${Array(9)
            .fill(`*a${row - 1}`)
            .join(', ')}]`,
    );
    expect(await problemOf(rows.join('\n'))).toContain('alias');
  });
});
