import { useState, type ReactNode } from 'react';
import type { FieldGuide, FileText } from '#protocol/dashboard-api.ts';
import type { RunState } from '#protocol/projection.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { numberText } from './format.ts';
import type { Host } from './host.ts';
import { roleLabel } from './labels.ts';
import { Answered, Empty, Output, Section, Table, TaskLink, Time } from './parts.tsx';
import { useAsked } from './use-asked.ts';
import { l10n } from './words.ts';

function linesOf(content: FileText): number {
  if (content.kind === 'binary' || content.text === '') return 0;
  return content.text.split('\n').length - (content.text.endsWith('\n') ? 1 : 0);
}

interface BudgetProps {
  readonly label: string;
  readonly lines: number;
  readonly most: number;
}

function Budget({ label, lines, most }: BudgetProps): ReactNode {
  return (
    <div className="budget">
      <span>{l10n.t('{0}: {1} of {2} lines', label, numberText(lines), numberText(most))}</span>
      <meter aria-label={label} value={Math.min(lines, most)} max={most} />
    </div>
  );
}

function TextOf({ content, label }: { readonly content: FileText; readonly label: string }): ReactNode {
  if (content.kind === 'binary')
    return <Empty>{l10n.t('{0} bytes that are no text', numberText(content.bytes))}</Empty>;
  return (
    <>
      <Output label={label}>{content.text}</Output>
      {content.isCut && <p className="hint">{l10n.t('The file goes on; this is its beginning.')}</p>}
    </>
  );
}

interface GuideProps {
  readonly guide: FieldGuide;
  readonly onGo: (task: TaskPath) => void;
}

function Guide({ guide, onGo }: GuideProps): ReactNode {
  const { files, budget, commits } = guide;
  const [chosen, choose] = useState<string>();
  if (files.length === 0)
    return (
      <Empty>
        {l10n.t(
          'The agents have not written anything down yet. What they note for each other in {0} shows here.',
          `${budget.folder}/`,
        )}
      </Empty>
    );
  const index = files.find(({ path }) => path === `${budget.folder}/index.md`);
  const shown = files.find(({ path }) => path === chosen) ?? index ?? files[0];
  const all = files.reduce((sum, { content }) => sum + linesOf(content), 0);
  const authors = commits.filter(({ paths }) => shown !== undefined && paths.includes(shown.path));
  return (
    <>
      <div className="budgets">
        <Budget label="index.md" lines={index ? linesOf(index.content) : 0} most={budget.indexLines} />
        <Budget label={l10n.t('all files')} lines={all} most={budget.folderLines} />
      </div>
      <ul className="choices" aria-label={l10n.t('Files of the Field Guide')}>
        {files.map(({ path, content }) => (
          <li key={path}>
            <button
              type="button"
              className="choice"
              aria-current={path === shown?.path}
              onClick={() => {
                choose(path);
              }}
            >
              <i className="codicon codicon-file" aria-hidden="true" />
              <span className="name">{path.slice(budget.folder.length + 1)}</span>
              <span className="about">{l10n.t('{0} lines', numberText(linesOf(content)))}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown && <TextOf content={shown.content} label={shown.path} />}
      <Section title={l10n.t('Who wrote it')}>
        <Table
          label={l10n.t('Commits that changed the file')}
          columns={[l10n.t('Task'), l10n.t('By'), l10n.t('Title'), l10n.t('Time')]}
          rows={authors.map(({ commit, task, role, title, time }) => ({
            key: commit,
            cells: [
              <TaskLink key="task" task={task} onGo={onGo} />,
              roleLabel(role),
              title,
              <Time key="time" at={time} />,
            ],
          }))}
        />
      </Section>
    </>
  );
}

export interface GuideTabProps {
  readonly state: RunState;
  readonly store: string;
  readonly host: Host;
  readonly onGo: (task: TaskPath) => void;
}

/** The Field Guide as it stands on trunk. */
export function GuideTab({ state, store, host, onGo }: GuideTabProps): ReactNode {
  const asked = useAsked(async () => host.fieldGuide(), store, String(state.head?.sequence));
  return <Answered asked={asked}>{(guide) => <Guide guide={guide} onGo={onGo} />}</Answered>;
}
