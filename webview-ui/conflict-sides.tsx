import type { ReactNode } from 'react';
import type { Conflict, FileEntry } from '#protocol/change-sets.ts';
import type { FileText } from '#protocol/dashboard-api.ts';
import type { ConflictOutcome } from '#protocol/history.ts';
import { numberText } from './format.ts';
import type { Host } from './host.ts';
import { Answered, Empty, Output } from './parts.tsx';
import { sideLines } from './side-lines.ts';
import { useAsked } from './use-asked.ts';
import { l10n } from './words.ts';

interface Sides {
  readonly base: FileText | undefined;
  readonly trunk: FileText | undefined;
  readonly ours: FileText | undefined;
  /** Null while there is none. */
  readonly resolution: FileText | undefined | null;
}

async function readSides(host: Host, conflict: Conflict, outcome: ConflictOutcome): Promise<Sides> {
  const read = async (entry: FileEntry | undefined): Promise<FileText | undefined> =>
    entry && (await host.side(entry.hash));
  const [base, trunk, ours, resolution] = await Promise.all([
    read(conflict.base),
    read(conflict.trunk),
    read(conflict.ours),
    outcome.kind === 'resolved' ? host.resolution(outcome.commit.commit, conflict.path) : null,
  ]);
  return { base, trunk, ours, resolution };
}

interface SideProps {
  readonly title: string;
  readonly content: FileText | undefined;
  readonly others: readonly (FileText | undefined)[];
}

function Side({ title, content, others }: SideProps): ReactNode {
  const texts = others.flatMap((other) => (other?.kind === 'text' ? [other.text] : []));
  return (
    <section className="side">
      <h3>{title}</h3>
      {content === undefined && <p className="hint">{l10n.t('no file')}</p>}
      {content?.kind === 'binary' && (
        <p className="hint">{l10n.t('{0} bytes that are no text', numberText(content.bytes))}</p>
      )}
      {content?.kind === 'text' && (
        <Output label={title}>
          {sideLines(content.text, texts).map((line) =>
            line.kind === 'gap' ? (
              <span key={`gap ${line.number}`} className="gap">
                {l10n.t('{0} equal lines', numberText(line.lines))}
              </span>
            ) : (
              <span
                key={line.number}
                className={line.isChanged ? 'row changed' : 'row'}
                data-number={line.number}
              >
                {line.isChanged && <span className="sr-only">{l10n.t('changed:')} </span>}
                {line.text}
              </span>
            ),
          )}
        </Output>
      )}
    </section>
  );
}

export interface ConflictSidesProps {
  /** What tells this conflict from others. */
  readonly about: string;
  readonly conflict: Conflict;
  readonly outcome: ConflictOutcome;
  readonly host: Host;
}

/** The three sides of a conflict and its resolution, with what each changed against the base. */
export function ConflictSides({ about, conflict, outcome, host }: ConflictSidesProps): ReactNode {
  const asked = useAsked(async () => readSides(host, conflict, outcome), about, outcome.kind);
  return (
    <Answered asked={asked}>
      {({ base, trunk, ours, resolution }) => (
        <div className="sides">
          <Side title={l10n.t('Base')} content={base} others={[trunk, ours]} />
          <Side title={l10n.t('Trunk')} content={trunk} others={[base]} />
          <Side title={l10n.t('Change set')} content={ours} others={[base]} />
          {resolution === null ? (
            <section className="side">
              <h3>{l10n.t('Resolution')}</h3>
              <Empty>
                {outcome.kind === 'open'
                  ? l10n.t('None yet. A neutral resolver works on it; trunk stays as it is meanwhile.')
                  : l10n.t('There is none.')}
              </Empty>
            </section>
          ) : (
            <Side title={l10n.t('Resolution')} content={resolution} others={[base]} />
          )}
        </div>
      )}
    </Answered>
  );
}
