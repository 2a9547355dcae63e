import type { ReactNode } from 'react';
import type { RunState } from '#protocol/projection.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { Empty, Prose, TaskLink } from './parts.tsx';
import { l10n } from './words.ts';

interface DecisionsTabProps {
  readonly state: RunState;
  readonly onGo: (task: TaskPath) => void;
}

/** The newest answer to each design question. */
export function DecisionsTab({ state, onGo }: DecisionsTabProps): ReactNode {
  const decisions = [...state.decisions.values()];
  if (decisions.length === 0)
    return (
      <Empty>
        {l10n.t('No design question has been decided. Planners decide them as they split goals.')}
      </Empty>
    );
  return decisions.map(({ question, revision, choice, why, owner }) => (
    <article key={question} className="decision">
      <h3>
        <code>{`${question}@${revision}`}</code>
      </h3>
      <Prose text={choice} />
      <Prose text={why} isHint />
      <p className="hint">
        {l10n.t('Decided by')} <TaskLink task={owner} onGo={onGo} />
      </p>
    </article>
  ));
}
