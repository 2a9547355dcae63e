import type { ReactNode } from 'react';
import type { AttemptRecord, CommitRecord, TaskHistory } from '#protocol/history.ts';
import type { RunState } from '#protocol/projection.ts';
import { shownState } from '#protocol/shown-state.ts';
import type { TaskNode } from '#protocol/projection-tasks.ts';
import type { Handoff, TaskPath } from '#protocol/tasks.ts';
import { SpendTable } from './economics.tsx';
import { durationText, modelText, numberText } from './format.ts';
import type { Host } from './host.ts';
import { endLabel, failureLabel, roleLabel, stateLabel, taskIcon, verificationLabel } from './labels.ts';
import { Answered, Empty, ListSection, Prose, Section, Table, Time } from './parts.tsx';
import { useAsked } from './use-asked.ts';
import { l10n } from './words.ts';

function HandoffSection({ handoff }: { readonly handoff: Handoff }): ReactNode {
  const { status, summary, verification, deviations, findings, concerns, synthetic } = handoff;
  return (
    <>
      <Section title={l10n.t('Handoff')}>
        <Prose text={summary} />
        <p className="hint">
          {synthetic === undefined
            ? l10n.t('{0}; verified by: {1}', status, verificationLabel(verification))
            : l10n.t('{0}; written by the harness: {1}', status, failureLabel(synthetic))}
        </p>
      </Section>
      <ListSection title={l10n.t('Deviations')} items={deviations} />
      <ListSection title={l10n.t('Findings')} items={findings} />
      <ListSection title={l10n.t('Concerns')} items={concerns} />
    </>
  );
}

function attemptEnd({ end, started }: AttemptRecord, isDriven: boolean): string {
  switch (end.kind) {
    case 'running':
      return isDriven ? l10n.t('working') : l10n.t('interrupted');
    case 'ended':
      return l10n.t('{0} after {1}', endLabel(end.state), durationText(end.time - started));
    case 'given-up':
      return l10n.t('given up, {0}: {1}', failureLabel(end.mode), end.details);
    default:
      return end satisfies never;
  }
}

interface AttemptsProps {
  readonly attempts: readonly AttemptRecord[];
  readonly isDriven: boolean;
  readonly onOpen: (attempt: number) => void;
}

function Attempts({ attempts, isDriven, onOpen }: AttemptsProps): ReactNode {
  if (attempts.length === 0) return null;
  return (
    <Section title={l10n.t('Attempts')}>
      <Table
        label={l10n.t('Attempts')}
        columns={[
          l10n.t('Attempt'),
          l10n.t('Model'),
          l10n.t('Began'),
          l10n.t('How it went'),
          l10n.t('Transcript'),
        ]}
        rows={attempts.map((record) => ({
          key: String(record.attempt),
          cells: [
            numberText(record.attempt),
            modelText(record.model),
            <Time key="began" at={record.started} />,
            attemptEnd(record, isDriven),
            <button
              key="open"
              type="button"
              className="link"
              onClick={() => {
                onOpen(record.attempt);
              }}
            >
              {l10n.t('Open')}
            </button>,
          ],
        }))}
      />
    </Section>
  );
}

function Commits({ commits }: { readonly commits: readonly CommitRecord[] }): ReactNode {
  if (commits.length === 0) return null;
  return (
    <Section title={l10n.t('Commits')}>
      <Table
        label={l10n.t('Commits')}
        columns={[l10n.t('Title'), l10n.t('By'), l10n.t('Files'), l10n.t('Time')]}
        rows={commits.map(({ commit, title, role, paths, mergedPaths, time }) => ({
          key: commit,
          cells: [
            title,
            roleLabel(role),
            <span key="files" title={paths.join('\n')}>
              {mergedPaths.length > 0
                ? l10n.t('{0}, {1} merged', numberText(paths.length), numberText(mergedPaths.length))
                : numberText(paths.length)}
            </span>,
            <Time key="time" at={time} />,
          ],
        }))}
      />
    </Section>
  );
}

function Head({ node, isDriven }: { readonly node: TaskNode; readonly isDriven: boolean }): ReactNode {
  return (
    <div className="task-head">
      <h2>
        <i
          className={`codicon codicon-${taskIcon(node, isDriven)} state-${shownState(node.state, isDriven)}`}
          aria-hidden="true"
        />
        {node.path}
      </h2>
      <p className="hint">
        {[roleLabel(node.spec.role), stateLabel(node, isDriven), modelText(node.model)]
          .filter((part) => part !== '')
          .join(' · ')}
      </p>
    </div>
  );
}

function What({ node, state }: { readonly node: TaskNode; readonly state: RunState }): ReactNode {
  const { spec, path, handoff } = node;
  const decisions = [...state.decisions.values()].filter(({ owner }) => owner === path);
  const spend = state.ledger.subtree(path);
  return (
    <>
      {handoff && <HandoffSection handoff={handoff} />}
      <Section title={l10n.t('Goal')}>
        <Prose text={spec.goal} />
      </Section>
      <ListSection title={l10n.t('Acceptance')} items={spec.acceptance} />
      <ListSection title={l10n.t('Scope')} items={spec.scope} isCode />
      <ListSection title={l10n.t('Shared with siblings')} items={spec.shared} isCode />
      <ListSection title={l10n.t('Sections of the specification')} items={spec.sections} isCode />
      <ListSection title={l10n.t('Depends on')} items={spec.dependsOn} isCode />
      <ListSection title={l10n.t('Decides')} items={spec.decides} isCode />
      <ListSection
        title={l10n.t('Decisions')}
        items={decisions.map(({ question, revision, choice }) => `${question}@${revision}: ${choice}`)}
      />
      {spend.calls > 0 && (
        <Section title={l10n.t('Cost')}>
          <SpendTable
            label={l10n.t('Cost of the task')}
            first={l10n.t('Part')}
            spends={[[node.children.length > 0 ? l10n.t('with all below') : l10n.t('this task'), spend]]}
          />
        </Section>
      )}
    </>
  );
}

export interface TaskTabProps {
  readonly task: TaskPath | undefined;
  readonly state: RunState;
  /** Somebody works on the run. */
  readonly isDriven: boolean;
  readonly store: string;
  readonly host: Host;
}

/** The selected task: what it is to do, what became of it, and the ways to its transcripts and changes. */
export function TaskTab({ task, state, isDriven, store, host }: TaskTabProps): ReactNode {
  const node = task === undefined ? undefined : state.tasks.get(task);
  const path = node?.path ?? '';
  const asked = useAsked<TaskHistory>(
    async () => (path === '' ? { attempts: [], commits: [] } : host.taskHistory(path)),
    `${store} ${path}`,
    String(node?.changedAt),
  );
  if (!node) return <Empty>{l10n.t('Select a task in the tree to see what it does.')}</Empty>;
  const open = (attempt: number): void => void host.openTranscript(path, attempt);
  return (
    <>
      <Head node={node} isDriven={isDriven} />
      <div className="actions">
        <vscode-button
          secondary
          icon="comment-discussion"
          disabled={node.model === undefined}
          onClick={() => {
            open(Math.max(1, node.attempt));
          }}
        >
          {l10n.t('Open Transcript')}
        </vscode-button>
        <vscode-button
          secondary
          icon="diff-multiple"
          disabled={node.commits === 0}
          onClick={() => void host.showChanges(path)}
        >
          {l10n.t('Show Changes')}
        </vscode-button>
      </div>
      <What node={node} state={state} />
      <Answered asked={asked}>
        {({ attempts, commits }) => (
          <>
            <Attempts attempts={attempts} isDriven={isDriven} onOpen={open} />
            <Commits commits={commits} />
          </>
        )}
      </Answered>
    </>
  );
}
