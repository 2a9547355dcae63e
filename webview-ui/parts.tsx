import { Fragment, type ReactNode } from 'react';
import { RemoteError } from '#protocol/rpc.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { timeText } from './format.ts';
import type { Asked } from './use-asked.ts';
import { l10n } from './words.ts';

/** Shows that there is nothing, and what to do about it. */
export function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className="empty">{children}</p>;
}

export function errorText(error: unknown): string {
  if (RemoteError.is(error, 'RunError', 'not-owned'))
    return l10n.t('Another process drives this run: its files can be read once it has ended.');
  const message = error instanceof Error ? error.message : String(error);
  return l10n.t('This could not be read: {0}. “Swarmwright: Show Log” tells more.', message);
}

interface AnswerProps<Answer> {
  readonly asked: Asked<Answer>;
  readonly children: (answer: Answer) => ReactNode;
}

/** What the host has answered, or why not. */
export function Answered<Answer>({ asked, children }: AnswerProps<Answer>): ReactNode {
  switch (asked.kind) {
    case 'waiting':
      return <p className="hint">{l10n.t('Loading…')}</p>;
    case 'failed':
      return <Empty>{errorText(asked.error)}</Empty>;
    case 'answer':
      return children(asked.answer);
    default:
      return asked satisfies never;
  }
}

/** Lines that a model has broken for its own width become one; lists, indented lines and paragraphs stay. */
function reflow(text: string): string {
  return text.trim().replaceAll(/(?<=\S)\n(?=[^\s\-*#>|`\d])/gu, ' ');
}

/** Text that a model wrote, as text. */
export function Prose({
  text,
  isHint = false,
}: {
  readonly text: string;
  readonly isHint?: boolean;
}): ReactNode {
  return <p className={isHint ? 'prose hint' : 'prose'}>{reflow(text)}</p>;
}

interface OutputProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Text of a file or a command, which scrolls in its own frame. */
export function Output({ label, children }: OutputProps): ReactNode {
  return (
    // What scrolls can be scrolled by keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="text" aria-label={label} tabIndex={0}>
      <pre>{children}</pre>
    </section>
  );
}

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function Section({ title, children }: SectionProps): ReactNode {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface ListProps {
  readonly title: string;
  readonly items: readonly string[];
  readonly isCode?: boolean;
}

/** A section with a list, or nothing at all. */
export function ListSection({ title, items, isCode = false }: ListProps): ReactNode {
  if (items.length === 0) return null;
  return (
    <Section title={title}>
      <ul className="plain">
        {[...new Set(items)].map((item) => (
          <li key={item}>{isCode ? <code>{item}</code> : item}</li>
        ))}
      </ul>
    </Section>
  );
}

interface TableProps {
  readonly label: string;
  /** Names of the columns; those that begin with `#` hold numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

export function Table({ label, columns, rows }: TableProps): ReactNode {
  const isNumber = (index: number): boolean => columns[index]?.startsWith('#') === true;
  const className = (index: number): string | undefined => (isNumber(index) ? 'number' : undefined);
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column} scope="col" className={className(index)}>
              {column.replace(/^#/u, '')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={columns[index]} className={className(index)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The time of day, in one piece. */
export function Time({ at }: { readonly at: number }): ReactNode {
  return <span className="whole">{timeText(at)}</span>;
}

interface TaskLinkProps {
  readonly task: TaskPath;
  readonly onGo: (task: TaskPath) => void;
}

/** Leads to a task in the tree. */
export function TaskLink({ task, onGo }: TaskLinkProps): ReactNode {
  return (
    <button
      type="button"
      className="link"
      onClick={() => {
        onGo(task);
      }}
    >
      {task.split('/').map((name, index, names) => (
        <Fragment key={names.slice(0, index + 1).join('/')}>
          {index > 0 && '/'}
          {index > 0 && <wbr />}
          {name}
        </Fragment>
      ))}
    </button>
  );
}
