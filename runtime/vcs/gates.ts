import type { Rejection, RejectionCode } from '#protocol/change-sets.ts';
import { defaultFieldGuide, type FieldGuideBudget } from '#protocol/field-guide.ts';
import type { Contents } from './contents.ts';
import type { MergedChange } from './merge-changes.ts';
import { caseTwin, entryAt, walkTree, type Folder } from './tree.ts';

/** A change set as it would be on trunk. */
interface GateInput {
  readonly before: Folder;
  readonly after: Folder;
  readonly changes: readonly MergedChange[];
  readonly contents: Contents;
}

/** Looks at what would be on trunk; says what to do when it must not be. Pure. */
export type Gate = (input: GateInput) => Rejection | undefined;

/** Bytes that one written file may have. */
const largestFile: number = 4 * 1024 * 1024;

/** The content gates in their order: the first that objects decides. */
export function contentGates(fieldGuide: FieldGuideBudget = defaultFieldGuide): readonly Gate[] {
  return [conflictMarkers, caseTwins, fieldGuideBudget(fieldGuide), fileSize];
}

function rejection(code: RejectionCode, paths: readonly string[], details: string): Rejection | undefined {
  return paths.length === 0 ? undefined : { code, paths, details };
}

/** Markers that were there before are the file's own business. */
function conflictMarkers({ before, changes, contents }: GateInput): Rejection | undefined {
  const added = changes.filter(({ path, content, movedFrom }) => {
    const markers = content === undefined ? 0 : countMarkers(content);
    if (markers === 0) return false;
    const earlier = [path, movedFrom ?? path].flatMap((place) => entryAt(before, place) ?? []);
    return earlier.every(({ hash }) => countMarkers(contents(hash)) < markers);
  });
  return rejection(
    'conflict-markers',
    added.map(({ path }) => path),
    'the files hold conflict markers (<<<<<<< … >>>>>>>): write the text that is meant',
  );
}

/** Pairs of `<<<<<<< ` and a later `>>>>>>> `, each at the start of a line. */
function countMarkers(content: Uint8Array): number {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const lineWith = (marker: string, from: number): number => {
    let at = bytes.indexOf(marker, from, 'latin1');
    while (at > 0 && bytes[at - 1] !== 10) at = bytes.indexOf(marker, at + 1, 'latin1');
    return at;
  };
  let count = 0;
  for (let at = lineWith('<<<<<<< ', 0); at >= 0;) {
    const end = lineWith('>>>>>>> ', at);
    if (end < 0) break;
    count += 1;
    at = lineWith('<<<<<<< ', end);
  }
  return count;
}

function caseTwins({ before, after, changes }: GateInput): Rejection | undefined {
  const twins = changes.flatMap(({ path, entry }) => {
    if (entry === undefined || entryAt(before, path) !== undefined) return [];
    const twin = caseTwin(after, path);
    return twin === undefined ? [] : [{ path, twin }];
  });
  const named = twins.map(({ path, twin }) => `${path} and ${twin}`).join(', ');
  return rejection(
    'case-twin',
    twins.map(({ path }) => path),
    `paths may not differ in letter case or Unicode form alone: ${named}`,
  );
}

function countLines(content: Uint8Array): number {
  let lines = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines += 1;
  return content.length > 0 && content.at(-1) !== 10 ? lines + 1 : lines;
}

/** What is over its budget may still shrink. */
function fieldGuideBudget({ folder, indexLines, folderLines }: FieldGuideBudget): Gate {
  return ({ before, after, changes, contents }) => {
    const touched = changes.filter(({ path }) => path.startsWith(`${folder}/`));
    if (touched.length === 0) return undefined;
    const written = new Map(
      touched.flatMap(({ entry, content }) => (entry && content ? [[entry.hash, content]] : [])),
    );
    const linesOf = (tree: Folder, path: string): number => {
      let lines = 0;
      for (const [, { hash }] of walkTree(tree, path))
        lines += countLines(written.get(hash) ?? contents(hash));
      return lines;
    };
    for (const [path, budget] of [
      [`${folder}/index.md`, indexLines],
      [folder, folderLines],
    ] as const) {
      const lines = linesOf(after, path);
      if (lines > budget && lines > linesOf(before, path)) {
        const paths = touched.map((change) => change.path);
        return rejection(
          'field-guide-budget',
          paths,
          `${path} would have ${lines} lines, its budget is ${budget}: shorten it`,
        );
      }
    }
    return undefined;
  };
}

/** A large file that is on trunk already may be moved or change its mode. */
function fileSize({ before, changes }: GateInput): Rejection | undefined {
  const large = changes.filter(({ path, entry, movedFrom }) => {
    if (entry === undefined || entry.size <= largestFile) return false;
    return ![path, movedFrom ?? path].some((place) => entryAt(before, place)?.hash === entry.hash);
  });
  return rejection(
    'too-large',
    large.map(({ path }) => path),
    `a file may have ${largestFile} bytes`,
  );
}
