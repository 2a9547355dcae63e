/** The controls of VS Code's own look that the page uses; each is registered when it is imported. */
import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { Key, ReactNode, Ref } from 'react';

interface Common<Element> {
  readonly key?: Key;
  readonly children?: ReactNode;
  readonly className?: string;
  readonly slot?: string;
  readonly title?: string;
  readonly ref?: Ref<Element>;
}

declare module 'react' {
  // What the JSX of React knows of elements is told in this way only.
  namespace JSX {
    interface IntrinsicElements {
      'vscode-badge': Common<HTMLElement> & { readonly variant?: 'counter' | 'activity-bar-counter' };
      'vscode-button': Common<HTMLElement> & {
        readonly secondary?: boolean;
        readonly icon?: string;
        readonly disabled?: boolean;
        readonly onClick?: () => void;
      };
      'vscode-checkbox': Common<HTMLElement> & {
        readonly label?: string;
        readonly checked?: boolean;
        readonly onChange?: (event: { readonly currentTarget: EventTarget }) => void;
      };
      'vscode-textfield': Common<HTMLElement> & {
        readonly label?: string;
        readonly placeholder?: string;
        readonly value?: string;
        readonly onInput?: (event: { readonly currentTarget: EventTarget }) => void;
      };
    }
  }
}
