import { l10n, window, type Memento } from 'vscode';
import type { SandboxReport } from '#protocol/runtime-api.ts';

const consentKey = 'swarmwright.unsandboxedConsent';

/**
 * Whether commands may run without a sandbox where the machine has none. The user is asked once a workspace, in a modal
 * dialog, and the answer is kept outside of the folder: no setting, and no repository, can give it.
 */
export class SandboxConsent {
  readonly #memory: Memento;
  readonly #detect: () => Promise<SandboxReport>;

  constructor(memory: Memento, detect: () => Promise<SandboxReport>) {
    this.#memory = memory;
    this.#detect = detect;
  }

  /** `unsandboxed` is true only where there is no sandbox and the user agrees; undefined when the user does not. */
  async ask(): Promise<{ readonly unsandboxed: boolean } | undefined> {
    const found = await this.#detect();
    if (found.kind !== 'none') return { unsandboxed: false };
    if (this.#memory.get<unknown>(consentKey) === true) return { unsandboxed: true };
    const allow = l10n.t('Run Without a Sandbox');
    const answer = await window.showWarningMessage(
      l10n.t('Run commands without a sandbox?'),
      {
        modal: true,
        detail: l10n.t(
          'Commands that models write cannot be confined on this machine: {0}. Without a sandbox they can read and change whatever you can, and reach the network. Installing bubblewrap is the safe way.\n\nThe answer is kept for this workspace.',
          found.reason,
        ),
      },
      allow,
    );
    if (answer !== allow) return undefined;
    await this.#memory.update(consentKey, true);
    return { unsandboxed: true };
  }
}
