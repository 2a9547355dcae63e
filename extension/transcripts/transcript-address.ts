/** What a document of the scheme `swarm-transcript` shows; its address says all of it, so that a reload finds it. */
export type TranscriptAddress =
  | { readonly kind: 'transcript'; readonly store: string; readonly agent: string }
  | {
      readonly kind: 'before' | 'after';
      readonly store: string;
      readonly task: string;
      /** Which commit's side it is. */
      readonly commit: string;
      readonly path: string;
    };

/** The parts of a uri that say something. */
export interface AddressParts {
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

export function addressParts(address: TranscriptAddress): AddressParts {
  if (address.kind === 'transcript') {
    const { store, agent } = address;
    const query = new URLSearchParams({ store, agent }).toString();
    return { authority: 'transcript', path: `/${fileName(agent)}.md`, query };
  }
  // Both sides have the path of the file, else a multi-file diff shows a file that was renamed.
  const { kind, store, task, commit, path } = address;
  return {
    authority: kind,
    path: `/${path}`,
    query: new URLSearchParams({ store, task, commit }).toString(),
  };
}

/** Undefined for an address that none of ours is. */
export function readAddress({ authority, path, query }: AddressParts): TranscriptAddress | undefined {
  const parameters = new URLSearchParams(query);
  const store = parameters.get('store');
  if (store === null) return undefined;
  const agent = parameters.get('agent');
  if (authority === 'transcript') return agent === null ? undefined : { kind: 'transcript', store, agent };
  const [task, commit] = [parameters.get('task'), parameters.get('commit')];
  if ((authority !== 'before' && authority !== 'after') || task === null || commit === null) return undefined;
  return { kind: authority, store, task, commit, path: path.slice(1) };
}

/** What a tab shows: `lexer@1.md` in `root`, `parser.mjs 1.md` in `resolver/src`. */
function fileName(agent: string): string {
  const [, path, round] = /^resolver (.+) \S+ (\d+)$/u.exec(agent) ?? [];
  return path === undefined ? agent : `resolver/${path} ${round}`;
}

/** The task that an agent's calls are booked on; undefined for a resolver, whose name holds several. */
export function taskOf(agent: string): string | undefined {
  return /^(root(?:\/[a-z0-9-]+)*)@\d+$/u.exec(agent)?.[1];
}
