// Models that the workspace names, in its settings and in the files of its agents: where another provider would answer,
// the user is asked once for each value, and nothing is sent before. What is judged is core/workspaceModel.ts.
import * as vscode from 'vscode';
import { z } from 'zod';
import { editorConnection } from '../core/connection.ts';
import { isEditorModel } from '../core/editorModelId.ts';
import { RatchetError } from '../core/errors.ts';
import { connectionName } from '../core/noConnection.ts';
import { judgeWorkspaceModel, type WorkspaceVerdict } from '../core/workspaceModel.ts';
import type { Log } from './log.ts';
import type { Say } from './notices.ts';
import { setting } from './settings.ts';

const stateKey = 'ratchet.workspaceModels';
const answersSchema = z.record(z.string(), z.enum(['use', 'own']));

export class WorkspaceModel {
  readonly #state: vscode.Memento;
  readonly #say: Say;
  readonly #log: Log;
  #asking: Promise<void> | undefined;
  /** Of agents: each is told of once in a window. */
  readonly #offered = new Set<string>();

  constructor(state: vscode.Memento, say: Say, log: Log) {
    this.#state = state;
    this.#say = say;
    this.#log = log;
  }

  /** The model of the settings that counts now. */
  model(): string {
    return this.#verdict().model;
  }

  /** Asks about the workspace's model where that is open. @throws RatchetError `no_model` when there is no answer */
  async settle(): Promise<void> {
    const verdict = this.#verdict();
    if (verdict.kind === 'counts' || verdict.asked) return;
    this.#asking ??= this.#ask(verdict.model, setting('model')).finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  async #ask(own: string, named: string): Promise<void> {
    const [use, keep] = ["Use the Workspace's Model", 'Use My Own Setting'];
    const choice = await vscode.window.showWarningMessage(
      `The settings of this workspace choose another provider: ${answeredBy(named)}.`,
      {
        modal: true,
        detail: `The workspace sets ratchet.model to ${named}; your own setting is ${own} (${answeredBy(own)}). Your messages and what the agent reads would go there. Nothing was sent yet. You are asked once for this value.`,
      },
      use,
      keep,
    );
    if (choice === undefined)
      throw new RatchetError(
        'no_model',
        'Nothing was sent: the settings of this workspace choose another provider, and you have not said whether it may be used. Send again to be asked again.',
      );
    await this.#keep(named, choice === use ? 'use' : 'own');
  }

  /**
   * The model of an agent that a file of the folder or the workspace's settings name, or the session's where that would be
   * another provider and nobody has allowed it. The question does not hold up the run.
   */
  ofAgent(named: string, ofSession: string): string {
    const verdict = judgeWorkspaceModel(ofSession, named, this.#answers()[named]);
    if (verdict.kind === 'own' && !verdict.asked && !this.#offered.has(named)) {
      this.#offered.add(named);
      this.#offer(named, ofSession).catch((error: unknown) => {
        this.#log(`The answer about the model ${named} could not be kept`, error);
      });
    }
    return verdict.model;
  }

  #offer(named: string, ofSession: string): Promise<void> {
    return this.#say({
      level: 'warning',
      text: `An agent of this folder names a model of another provider: ${named} (${answeredBy(named)}). The session's own model, ${ofSession}, was taken instead.`,
      actions: [
        { label: 'Use It From Now On', run: () => this.#keep(named, 'use') },
        { label: 'Never', run: () => this.#keep(named, 'own') },
      ],
    });
  }

  #verdict(): WorkspaceVerdict {
    const inspected = vscode.workspace.getConfiguration('ratchet').inspect<unknown>('model');
    const own = textOf(inspected?.globalValue) ?? textOf(inspected?.defaultValue) ?? setting('model');
    const effective = setting('model');
    return judgeWorkspaceModel(own, effective === own ? undefined : effective, this.#answers()[effective]);
  }

  #answers(): z.infer<typeof answersSchema> {
    return answersSchema.safeParse(this.#state.get<unknown>(stateKey) ?? {}).data ?? {};
  }

  async #keep(model: string, answer: 'use' | 'own'): Promise<void> {
    await this.#state.update(stateKey, { ...this.#answers(), [model]: answer });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function answeredBy(model: string): string {
  return isEditorModel(model)
    ? connectionName(editorConnection(model))
    : 'the Anthropic API or the server that you have set';
}
