// The choice of a session's model: one that is known, or any other name that is typed.
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import { visibleLabel } from '../core/visibleText.ts';
import { lastRunHere } from '../core/sessionState.ts';
import { grouped } from '../core/words.ts';
import { knownModels, limitsOf } from '../model/modelLimits.ts';
import type { EditorModelInfo, EditorModels } from './editorModels.ts';
import { modelSource } from './endpoint.ts';
import { modelPrice, windowOf } from './modelChoice.ts';
import type { ModelList } from './modelList.ts';
import { revealChat, type Runtime } from './runtime.ts';
import { setting } from './settings.ts';

/** Asks for the model of the open session, or of a new one. @throws RatchetError `no_model` in the demo */
export async function chooseModel(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  const id = sessionId ?? runtime.panel.current?.id;
  const state = id === undefined ? undefined : (await runtime.sessions.open(id)).state;
  const current = (state && (state.chosenModel ?? lastRunHere(state))?.model) ?? setting('model');
  const model = await pickModel(runtime, current);
  if (model === undefined) return;
  await runtime.sessions.chooseModel(id ?? (await runtime.panel.create()).id, model);
}

type ModelSources = Pick<Runtime, 'models' | 'editorModels' | 'keys' | 'workspaceModel' | 'ignoredSettings' | 'log'>;

/** The editor's models for the picker; a look that fails leaves them out. */
async function editorModels({ editorModels: models, log }: ModelSources): Promise<readonly EditorModelInfo[]> {
  try {
    return await models.list();
  } catch (error) {
    log("The editor's models could not be listed", error);
    return [];
  }
}

/** Asks for one of the editor's models, which new sessions take from then on. @throws RatchetError `no_model` when there is none */
export async function useEditorModels(runtime: Runtime): Promise<void> {
  const models = await runtime.editorModels.list();
  if (models.length === 0)
    throw new RatchetError(
      'no_model',
      'This editor has no language models for extensions. Install and enable an extension that brings some, such as GitHub Copilot Chat, then try again.',
    );
  const items = models.map((info) => editorItem(info, setting('model')));
  const placeHolder = 'Model of new sessions. No thinking, no prompt cache; tokens are estimated.';
  const picked = await vscode.window.showQuickPick(items, {
    title: "The editor's models",
    placeHolder,
    matchOnDescription: true,
  });
  if (!picked) return;
  const configuration = vscode.workspace.getConfiguration('ratchet');
  if (setting('provider') === 'offlineDemo')
    await configuration.update('provider', undefined, vscode.ConfigurationTarget.Global);
  await configuration.update('model', picked.model, vscode.ConfigurationTarget.Global);
  await runtime.refresh();
  await revealChat(runtime);
}

function editorItem({ model, name, vendor, maxInputTokens, takesImages }: EditorModelInfo, current: string): ModelItem {
  const facts = [model, `${grouped(maxInputTokens)} tokens`, ...(takesImages ? ['images'] : [])];
  const words = [vendor, ...(model === current ? ['now'] : [])];
  return {
    model,
    label: visibleLabel(name),
    description: visibleLabel(words.join(' · ')),
    detail: visibleLabel(facts.join(' · ')),
  };
}

/** What is offered for choice: what the server lists, else what is known ahead. */
export function modelNames(models: ModelList): readonly string[] {
  const listed = models.models();
  return listed.length === 0 ? knownModels : listed.map(({ id }) => id);
}

interface ModelItem extends vscode.QuickPickItem {
  readonly model: string;
}

function itemOf(models: ModelList, editor: EditorModels, model: string, current: string): ModelItem {
  const listed = models.find(model);
  const limits = limitsOf(model, listed);
  const price = modelPrice(model);
  const facts = [
    `${grouped(windowOf(models, editor, model))} tokens`,
    ...(price ? [`$${price.input} in, $${price.output} out per million`] : []),
    ...(limits.supportsAdaptiveThinking ? ['thinking'] : []),
    ...(limits.efforts.length > 0 ? ['effort'] : []),
    ...(listed?.deprecated ? ['deprecated'] : []),
  ];
  const words = [...(listed?.name === undefined ? [] : [listed.name]), ...(model === current ? ['now'] : [])];
  return {
    model,
    label: visibleLabel(model, 'code'),
    description: visibleLabel(words.join(' · ')),
    detail: facts.join(' · '),
  };
}

const refreshButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('refresh'),
  tooltip: 'Ask the server for its models',
};

/** A name without spaces, or undefined when nothing was chosen. @throws RatchetError `no_model` in the demo */
export async function pickModel(
  runtime: ModelSources,
  current: string,
  title = 'Model of the next runs in this session',
): Promise<string | undefined> {
  const { models, editorModels: editor } = runtime;
  const { kind, server, only } = await modelSource(runtime);
  const isDemo = kind === 'demo';
  // Where no server would answer for other models, they are not offered.
  const onlyEditor = isDemo || (kind === 'editor' && server === undefined);
  const fromEditor = only ? [] : await editorModels(runtime);
  if (isDemo && fromEditor.length === 0)
    throw new RatchetError(
      'no_model',
      'The offline demo is a script: it has no models to choose from. Set an API key, or use the models of the editor.',
    );
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<ModelItem>();
    pick.title = title;
    pick.placeholder = 'Choose a model, or type the name of another one';
    pick.matchOnDescription = true;
    pick.buttons = [refreshButton];
    let isOpen = true;
    const show = (): void => {
      const own = fromEditor.map((info) => editorItem(info, current));
      const isListed = own.some(({ model }) => model === current);
      const names = [...new Set([...(isListed || isDemo ? [] : [current]), ...(onlyEditor ? [] : modelNames(models))])];
      const listed = names.map((name) => itemOf(models, editor, name, current));
      const separator = { kind: vscode.QuickPickItemKind.Separator, label: 'Models of the editor', model: '' };
      const known = [...listed, ...(own.length > 0 ? [separator, ...own] : [])];
      const typed = pick.value.trim();
      const isNew = typed !== '' && !/\s/.test(typed) && !known.some(({ model }) => model === typed);
      const other = { model: typed, label: visibleLabel(typed, 'code'), description: 'as typed', alwaysShow: true };
      pick.items = isNew ? [...known, other] : known;
    };
    const refresh = async (how?: 'always'): Promise<void> => {
      pick.busy = true;
      await models.refreshIfOld(how);
      if (!isOpen) return;
      pick.busy = false;
      show();
    };
    pick.onDidChangeValue(show);
    pick.onDidTriggerButton(() => void refresh('always'));
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.model);
      pick.hide();
    });
    pick.onDidHide(() => {
      isOpen = false;
      resolve(undefined);
      pick.dispose();
    });
    show();
    pick.show();
    void refresh();
  });
}
