import { useState, type ReactNode } from 'react';
import type { Conflict } from '#protocol/change-sets.ts';
import type { ConflictRecord } from '#protocol/history.ts';
import type { RunState } from '#protocol/projection.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { ConflictSides } from './conflict-sides.tsx';
import { numberText, timeText } from './format.ts';
import type { Host } from './host.ts';
import { conflictLabel, outcomeLabel } from './labels.ts';
import { Answered, Empty, TaskLink } from './parts.tsx';
import { useAsked } from './use-asked.ts';
import { l10n } from './words.ts';

const outcomeIcons = {
  open: 'warning',
  resolved: 'pass',
  dropped: 'circle-slash',
  gone: 'circle-slash',
} as const;

interface ChoiceProps {
  readonly record: ConflictRecord;
  readonly conflict: Conflict;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ record, conflict, isChosen, onChoose }: ChoiceProps): ReactNode {
  const { outcome, task } = record;
  return (
    <li>
      <button type="button" className="choice" aria-current={isChosen} onClick={onChoose}>
        <i
          className={`codicon codicon-${outcomeIcons[outcome.kind]} outcome-${outcome.kind}`}
          aria-hidden="true"
        />
        <span className="name">{conflict.path}</span>
        <span className="about">{task}</span>
        <span className="about">{outcomeLabel(outcome)}</span>
      </button>
    </li>
  );
}

interface PartiesProps {
  readonly record: ConflictRecord;
  readonly conflict: Conflict;
  readonly onGo: (task: TaskPath) => void;
}

/** Who stands against whom, and how it ended. */
function Parties({ record, conflict, onGo }: PartiesProps): ReactNode {
  const { task, raised, round, outcome } = record;
  return (
    <dl className="details">
      <dt>{l10n.t('Change set of')}</dt>
      <dd>
        <TaskLink task={task} onGo={onGo} />
      </dd>
      <dt>{l10n.t('Against')}</dt>
      <dd>
        {conflict.trunkTasks.map((other) => (
          <TaskLink key={other} task={other} onGo={onGo} />
        ))}
      </dd>
      <dt>{l10n.t('Why')}</dt>
      <dd>{conflictLabel(conflict.kind)}</dd>
      <dt>{l10n.t('Raised')}</dt>
      <dd>{timeText(raised)}</dd>
      <dt>{l10n.t('Outcome')}</dt>
      <dd>
        {outcome.kind === 'resolved'
          ? l10n.t('resolved in round {0}: {1}', numberText(Math.max(1, round)), outcome.commit.title)
          : outcome.kind === 'dropped'
            ? l10n.t('dropped: {0}', outcome.reason)
            : outcomeLabel(outcome)}
      </dd>
    </dl>
  );
}

interface ConflictsProps {
  readonly records: readonly ConflictRecord[];
  readonly store: string;
  readonly host: Host;
  readonly onGo: (task: TaskPath) => void;
}

function Conflicts({ records, store, host, onGo }: ConflictsProps): ReactNode {
  const [chosen, choose] = useState<string>();
  // What is open comes first, then the newest.
  const listed = records
    .flatMap((record) =>
      record.conflicts.map((conflict) => ({
        record,
        conflict,
        key: `${record.task} ${record.raised} ${conflict.path}`,
      })),
    )
    .toReversed()
    .toSorted(
      (left, right) =>
        Number(right.record.outcome.kind === 'open') - Number(left.record.outcome.kind === 'open'),
    );
  const shown = listed.find(({ key }) => key === chosen) ?? listed[0];
  if (!shown)
    return (
      <Empty>
        {l10n.t(
          'No conflict has come up. When two tasks change the same lines, both sides and their resolution show here.',
        )}
      </Empty>
    );
  return (
    <>
      <ul className="choices" aria-label={l10n.t('Conflicts')}>
        {listed.map(({ record, conflict, key }) => (
          <Choice
            key={key}
            record={record}
            conflict={conflict}
            isChosen={key === shown.key}
            onChoose={() => {
              choose(key);
            }}
          />
        ))}
      </ul>
      <Parties record={shown.record} conflict={shown.conflict} onGo={onGo} />
      <ConflictSides
        key={shown.key}
        about={`${store} ${shown.key}`}
        conflict={shown.conflict}
        outcome={shown.record.outcome}
        host={host}
      />
    </>
  );
}

export interface ConflictsTabProps {
  readonly state: RunState;
  readonly store: string;
  readonly host: Host;
  readonly onGo: (task: TaskPath) => void;
}

/** All conflicts of the run: what both sides wanted, and what became of it. */
export function ConflictsTab({ state, store, host, onGo }: ConflictsTabProps): ReactNode {
  const { raised, resolved, dropped } = state.counts.conflicts;
  const rounds = [...state.parked.keys()].join(' ');
  const asked = useAsked(async () => host.conflicts(), store, `${raised} ${resolved} ${dropped} ${rounds}`);
  return (
    <Answered asked={asked}>
      {(records) => <Conflicts records={records} store={store} host={host} onGo={onGo} />}
    </Answered>
  );
}
