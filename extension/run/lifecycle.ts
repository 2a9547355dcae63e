import { Disposable, l10n, workspace, type Memento } from 'vscode';
import { RemoteError } from '#protocol/rpc.ts';
import type { CurrentRun } from '../current-run.ts';
import type { Messenger } from '../messenger.ts';
import { resume, showLog } from '../messages/message.ts';
import type { RunView } from '../run-view.ts';
import { isResumable } from '../status-text.ts';
import { capReached, type SpendCap } from './cap-reached.ts';
import { forgetLastRun, lastRun } from './last-run.ts';
import type { RunControl } from './run-control.ts';

export interface LifecycleParts {
  readonly control: RunControl;
  readonly run: CurrentRun;
  readonly messenger: Messenger;
  /** Of this workspace. */
  readonly memory: Memento;
}

/** Shows again what this workspace showed last, and says how runs end where the user must act. */
export function registerLifecycle(parts: LifecycleParts): Disposable {
  return Disposable.from(
    parts.run.onDidEnd((view) => {
      tellEnd(parts, view);
    }),
  );
}

/** After the window has been loaded: nothing is started unless this workspace had a run. */
export async function showLastRun({ control, run, messenger, memory }: LifecycleParts): Promise<void> {
  const last = lastRun(memory);
  if (last === undefined || workspace.workspaceFolders === undefined || run.view !== undefined) return;
  try {
    const view = await control.show(last.store);
    // One that another window drives needs nobody to act here: the status bar says so.
    if (last.driven && isResumable(view)) {
      messenger.ask({
        text: l10n.t('The build of {0} was cut off. Nothing that was built is lost.', titleOf(view)),
        actions: [resume],
        store: last.store,
      });
    }
  } catch (error) {
    // A run that was deleted is nobody's concern any more.
    if (RemoteError.is(error, 'JournalError', 'no-store')) await forgetLastRun(memory);
    else messenger.error(error);
  }
}

/** The runtime's thread has died by itself: what it drove is shown again, and can be gone on with. */
export async function recover(
  { control, messenger }: LifecycleParts,
  view: RunView | undefined,
): Promise<void> {
  if (view === undefined) return;
  try {
    await control.show(view.store);
  } catch (error) {
    messenger.error(error);
    return;
  }
  if (view.mode !== 'driving') return;
  messenger.warn({
    text: l10n.t('The runtime has stopped unexpectedly. Nothing that was built is lost.'),
    actions: [resume, showLog],
    store: view.store,
  });
}

function tellEnd({ messenger }: LifecycleParts, view: RunView): void {
  const { outcome, state, store } = view;
  if (outcome?.kind === 'failed') {
    messenger.error(new RemoteError(outcome.error), store);
    return;
  }
  const cap = capReached(state);
  if (cap !== undefined) {
    messenger.warn({
      text: capText(cap, state.caps?.[cap] ?? 0),
      actions: [{ kind: 'raise-budget' }],
      store,
    });
    return;
  }
  if (outcome?.status !== 'partial' || isOnlyUnverified(view)) return;
  const [reason = ''] = state.reasons;
  messenger.warn({
    text: l10n.t('The build of {0} is incomplete: {1}', titleOf(view), reason),
    actions: [resume, showLog],
    store,
  });
}

function capText(cap: SpendCap, value: number): string {
  switch (cap) {
    case 'usd':
      return l10n.t('The budget of ${0} leaves too little for the next call. What is built is kept.', value);
    case 'tokens':
      return l10n.t(
        'The cap of {0} tokens leaves too little for the next call. What is built is kept.',
        value,
      );
    case 'minutes':
      return l10n.t('The cap of {0} minutes is reached. What is built is kept.', value);
    default:
      cap satisfies never;
      return '';
  }
}

/** There is nothing to resume for: only a verify command is missing. */
function isOnlyUnverified({ state }: RunView): boolean {
  return state.options?.verify === undefined && state.braked === undefined && state.parked.size === 0;
}

function titleOf({ state }: RunView): string {
  return state.options?.specTitle ?? '';
}
