import * as path from 'node:path';
import { LineCounter, isNode, parseDocument, type Document } from 'yaml';
import { z } from 'zod';
import type { FileSystem } from '#edges/file-system.ts';
import { parseFirstLine } from '#protocol/first-line.ts';
import { ModelError } from '../errors.ts';
import { factNames } from '../facts.ts';
import { callKeyForms, parseCallKey } from './call-keys.ts';
import type { Playbook, PlaybookCall, PlaybookTurn } from './playbook.ts';

const oneLine = z.string().regex(/^[^\n]+$/, 'must be one line of text');
const dollars = z.number().nonnegative();
const callShape = z.strictObject({
  tool: oneLine,
  args: z.record(z.string(), z.unknown()).default({}),
  files: z.record(z.string(), oneLine).default({}),
  expect: oneLine.optional(),
});
const turnShape = z.strictObject({
  key: z
    .string()
    .refine((key) => parseCallKey(key) !== undefined, `must be ${callKeyForms}, a resolver's tasks sorted`),
  text: z.string().optional(),
  after: z
    .array(z.string().refine(isFact, `must be 'TASK FACT', where FACT is one of ${factNames.join(', ')}`))
    .default([]),
  calls: z.array(callShape).optional(),
});
const playbookShape = z.strictObject({
  title: oneLine,
  concurrency: z.int().positive(),
  price: z
    .strictObject({ input: dollars, cached_input: dollars.optional(), output: dollars })
    .nullable()
    .default(null),
  turns: z.array(turnShape).min(1),
});
type WrittenCall = z.infer<typeof callShape>;
type At = readonly (string | number)[];

/** Reports the first thing wrong: `at` is the place in the YAML document. */
type Refuse = (at: At, problem: string) => never;

/**
 * Reads a playbook and the files that it names. Every problem is one error that names the file, the line and what to
 * do.
 * @throws ModelError `playbook-malformed`
 */
export async function loadPlaybook(file: string, fileSystem: FileSystem): Promise<Playbook> {
  const lines = new LineCounter();
  const source = await readText(file, fileSystem, (problem) => malformed(file, undefined, problem));
  const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault) malformed(file, lines.linePos(fault.pos[0]).line, firstLineOf(fault.message));
  const lineAt = (at: At): number | undefined => lineOf(document, lines, at);
  const refuse: Refuse = (at, problem) => malformed(file, lineAt(at), problem);
  const parsed = playbookShape.safeParse(toPlain(document, refuse));
  if (!parsed.success) refuseIssue(parsed.error.issues, refuse);
  const { title, concurrency, price, turns: written } = parsed.data;

  const turns = new Map<string, PlaybookTurn>();
  const loading = written.map(async (turn, index): Promise<PlaybookTurn> => {
    const at = ['turns', index];
    if (turn.text === undefined && turn.calls === undefined) {
      refuse(at, `turn '${turn.key}' does nothing: give it 'text' or 'calls'`);
    }
    const calls = (turn.calls ?? []).map(async (call, number) =>
      loadCall(call, [...at, 'calls', number], { file, fileSystem, refuse }),
    );
    const line = lineAt(at) ?? 1;
    return { key: turn.key, line, text: turn.text ?? '', after: turn.after, calls: await Promise.all(calls) };
  });
  for (const turn of await firstFailureFirst(loading)) {
    const earlier = turns.get(turn.key);
    if (earlier)
      malformed(file, turn.line, `turn '${turn.key}' is there twice, first on line ${earlier.line}`);
    turns.set(turn.key, turn);
  }
  return {
    file,
    title,
    concurrency,
    price: price && {
      input: price.input,
      cachedInput: price.cached_input ?? price.input,
      output: price.output,
    },
    turns,
  };
}

interface LoadContext {
  readonly file: string;
  readonly fileSystem: FileSystem;
  readonly refuse: Refuse;
}

async function loadCall(call: WrittenCall, at: At, context: LoadContext): Promise<PlaybookCall> {
  const expect = call.expect === undefined ? new Map<string, string>() : parseFirstLine(call.expect);
  if (!expect) {
    context.refuse([...at, 'expect'], 'must be key=value pairs, values with spaces in double quotes');
  }
  const contents = Object.entries(call.files).map(async ([argument, name]) => {
    const place = [...at, 'files', argument];
    if (Object.hasOwn(call.args, argument)) {
      context.refuse(place, `argument '${argument}' is in 'args' too: leave one out`);
    }
    return [argument, await readPart(name, place, context)] as const;
  });
  return {
    tool: call.tool,
    args: { ...call.args, ...Object.fromEntries(await Promise.all(contents)) },
    expect,
  };
}

/** Reads a file beside the playbook. A link that leads out of the playbook's folder is refused like a path that does. */
async function readPart(name: string, at: At, context: LoadContext): Promise<string> {
  const { file, fileSystem, refuse } = context;
  const folder = path.dirname(file);
  const outside = `'${name}' lies outside the playbook's folder: move the file beside the playbook`;
  if (path.isAbsolute(name) || !isInside(folder, path.join(folder, name))) refuse(at, outside);
  let real: string;
  try {
    real = await fileSystem.realpath(path.join(folder, name));
  } catch (error) {
    return refuse(at, `cannot read '${name}': ${reasonOf(error)}`);
  }
  if (!isInside(await fileSystem.realpath(folder), real)) refuse(at, outside);
  return readText(real, fileSystem, (problem) => refuse(at, `'${name}': ${problem}`));
}

async function readText(
  file: string,
  fileSystem: FileSystem,
  refuse: (problem: string) => never,
): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await fileSystem.readFile(file);
  } catch (error) {
    return refuse(`cannot be read: ${reasonOf(error)}`);
  }
  try {
    // A byte order mark is part of a file's bytes, which come out as they went in.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse('is not UTF-8 text');
  }
}

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return (
    relative !== '' &&
    relative !== '..' &&
    !relative.startsWith(`..${path.sep}`) &&
    !path.isAbsolute(relative)
  );
}

function isFact(text: string): boolean {
  const [task, fact, ...rest] = text.split(' ');
  return (
    rest.length === 0 && /^root(\/[a-z0-9-]+)*$/.test(task ?? '') && factNames.some((name) => name === fact)
  );
}

/** Anchors that explode when they are expanded are refused by the library, by throwing. */
function toPlain(document: Document.Parsed, refuse: Refuse): unknown {
  try {
    return document.toJS();
  } catch (error) {
    return refuse([], reasonOf(error));
  }
}

function refuseIssue(issues: readonly z.core.$ZodIssue[], refuse: Refuse): never {
  const issue = issues[0];
  const at = (issue?.path ?? []).filter((part) => typeof part !== 'symbol');
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more problems)` : '';
  return refuse(
    at,
    `${at.length > 0 ? `'${at.join('.')}': ` : ''}${issue?.message ?? 'not a playbook'}${more}`,
  );
}

/** The line of the node, or of the nearest one around it that is there. */
function lineOf(document: Document.Parsed, lines: LineCounter, at: At): number | undefined {
  for (let length = at.length; length >= 0; length -= 1) {
    const node = document.getIn(at.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

/** Like Promise.all, but the error is the one of the first turn in the file, whichever read ended first. */
async function firstFailureFirst<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

function malformed(file: string, line: number | undefined, problem: string): never {
  const place = line === undefined ? file : `${file}:${line}`;
  throw new ModelError('playbook-malformed', `${place}: ${problem}`, {
    file,
    ...(line === undefined ? {} : { line }),
    problem,
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? firstLineOf(error.message) : String(error);
}

function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
