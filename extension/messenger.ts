import { commands, l10n, Position, Range, Uri, window, workspace } from 'vscode';
import { errorReport, type ErrorReport } from '#protocol/rpc.ts';
import { errorMessage } from './messages/error-message.ts';
import type { Message, MessageAction } from './messages/message.ts';
import { plainText } from './plain-text.ts';
import type { Log } from './safe-log.ts';

/** Tells the user what went wrong and offers the way on; the log gets the facts. */
export class Messenger {
  readonly #output: Log;

  constructor(output: Log) {
    this.#output = output;
  }

  /** Returns the text that is shown. It does not wait for the user. */
  error(error: unknown, store?: string): string {
    const report = errorReport(error);
    this.log(report);
    const message = errorMessage(report, l10n);
    void this.#show({ ...(store === undefined ? {} : { store }), ...message }, async (text, ...labels) =>
      window.showErrorMessage(text, ...labels),
    );
    return message.text;
  }

  warn(message: Message): void {
    void this.#show(message, async (text, ...labels) => window.showWarningMessage(text, ...labels));
  }

  /** Only where the user must act. */
  ask(message: Message): void {
    void this.#show(message, async (text, ...labels) => window.showInformationMessage(text, ...labels));
  }

  log(report: ErrorReport): void {
    const details = Object.entries(report.details).map(([name, value]) => ` ${name}=${value}`);
    this.#output.error(`${report.area} ${report.code}: ${report.message}${details.join('')}`);
  }

  async #show(
    { text, actions, store }: Message,
    show: (text: string, ...labels: string[]) => Promise<string | undefined>,
  ): Promise<void> {
    const labels = new Map(actions.map((action) => [actionLabel(action), action]));
    const chosen = labels.get((await show(plainText(text), ...labels.keys())) ?? '');
    if (chosen) await this.#act(chosen, store);
  }

  async #act(action: MessageAction, store: string | undefined): Promise<void> {
    // A message may be answered when another run is shown.
    const about = store === undefined ? {} : { store };
    switch (action.kind) {
      case 'build':
        await commands.executeCommand('swarmwright.buildFromSpec');
        break;
      case 'choose-models':
        await commands.executeCommand('swarmwright.resume', { ...about, choose: 'models' });
        break;
      case 'raise-budget':
        await commands.executeCommand('swarmwright.resume', { ...about, choose: 'budget' });
        break;
      case 'resume':
        await commands.executeCommand('swarmwright.resume', about);
        break;
      case 'open-file':
        await openFile(action.path, action.line);
        break;
      case 'open-folder':
        await commands.executeCommand('workbench.action.files.openFolder');
        break;
      case 'open-settings':
        await commands.executeCommand('workbench.action.openSettings', `swarmwright.${action.setting}`);
        break;
      case 'set-api-key':
        await commands.executeCommand('swarmwright.setApiKey', action.provider);
        break;
      case 'show-log':
        this.#output.show();
        break;
      default:
        action satisfies never;
    }
  }
}

async function openFile(path: string, line: number | undefined): Promise<void> {
  const document = await workspace.openTextDocument(Uri.file(path));
  const at = new Position(Math.max(0, (line ?? 1) - 1), 0);
  await window.showTextDocument(document, { selection: new Range(at, at) });
}

function actionLabel(action: MessageAction): string {
  switch (action.kind) {
    case 'build':
      return l10n.t('Build from Spec…');
    case 'choose-models':
      return l10n.t('Choose Models…');
    case 'open-file':
      return l10n.t('Open File');
    case 'open-folder':
      return l10n.t('Open Folder…');
    case 'open-settings':
      return l10n.t('Open Settings');
    case 'raise-budget':
      return l10n.t('Raise Budget…');
    case 'resume':
      return l10n.t('Resume');
    case 'set-api-key':
      return l10n.t('Set API Key…');
    case 'show-log':
      return l10n.t('Show Log');
    default:
      action satisfies never;
      return '';
  }
}
