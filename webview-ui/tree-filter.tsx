import type { ReactNode } from 'react';
import { l10n } from './words.ts';

export interface TreeFilterProps {
  readonly text: string;
  readonly hideFinished: boolean;
  readonly onText: (text: string) => void;
  readonly onHideFinished: (isHidden: boolean) => void;
}

/** What of the tree is shown. */
export function TreeFilter({ text, hideFinished, onText, onHideFinished }: TreeFilterProps): ReactNode {
  return (
    <search className="filter" aria-label={l10n.t('Tasks')}>
      <vscode-textfield
        label={l10n.t('Filter tasks')}
        placeholder={l10n.t('Filter tasks')}
        value={text}
        onInput={({ currentTarget }) => {
          if ('value' in currentTarget) onText(String(currentTarget.value));
        }}
      >
        <i slot="content-before" className="codicon codicon-filter" aria-hidden="true" />
      </vscode-textfield>
      <vscode-checkbox
        label={l10n.t('Hide finished')}
        checked={hideFinished}
        onChange={({ currentTarget }) => {
          if ('checked' in currentTarget) onHideFinished(currentTarget.checked === true);
        }}
      />
    </search>
  );
}
