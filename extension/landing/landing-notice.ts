import { commands, l10n, window, type Memento } from 'vscode';
import type { ShownLanding } from './shown-landing.ts';

const toldKey = 'swarmwright.landing.told';

/** Says once of each landing that it waits, when the run goes no further without the user. */
export class LandingNotice {
  readonly #memory: Memento;
  #told: string | undefined;

  constructor(memory: Memento) {
    this.#memory = memory;
    const kept = memory.get<unknown>(toldKey);
    this.#told = typeof kept === 'string' ? kept : undefined;
  }

  draw({ landing }: ShownLanding): void {
    const name = `${landing.id} ${landing.green}`;
    if (this.#told === name) return;
    this.#told = name;
    void this.#memory.update(toldKey, name);
    void this.#tell(landing.undecided, landing.verified);
  }

  async #tell(count: number, isVerified: boolean): Promise<void> {
    const review = l10n.t('Review');
    const accept = l10n.t('Accept All');
    const kind = isVerified ? l10n.t('green') : l10n.t('unverified');
    const text =
      count === 1
        ? l10n.t('Landing ready: 1 file ({0})', kind)
        : l10n.t('Landing ready: {0} files ({1})', count, kind);
    const chosen = await window.showInformationMessage(text, review, accept);
    if (chosen === accept) await commands.executeCommand('swarmwright.landing.acceptAll');
    if (chosen !== review) return;
    await commands.executeCommand('workbench.view.scm');
    await commands.executeCommand('swarmwright.landing.viewAllChanges');
  }
}
