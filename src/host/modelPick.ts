// The choice of a session's model: one that is known, or any other name that is typed.
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import { grouped } from '../core/words.ts';
import { knownModels, limitsOf } from '../model/modelLimits.ts';
import { modelPrice, modelSource, windowOf } from './modelChoice.ts';
import type { ModelList } from './modelList.ts';
import type { Runtime } from './runtime.ts';
import { setting } from './settings.ts';

/** Asks for the model of the open session, or of a new one. @throws RatchetError `no_model` in the demo */
export async function chooseModel(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  if ((await modelSource(runtime.keys)).kind === 'demo')
    throw new RatchetError('no_model', 'The offline demo is a script: it has no models to choose from.');
  const id = sessionId ?? runtime.panel.current?.id;
  const state = id === undefined ? undefined : (await runtime.sessions.open(id)).state;
  const model = await pickModel(runtime, state?.chosenModel?.model ?? state?.runs.at(-1)?.model ?? setting('model'));
  if (model === undefined) return;
  await runtime.sessions.chooseModel(id ?? (await runtime.panel.create()).id, model);
}

/** What is offered for choice: what the server lists, else what is known ahead. */
export function modelNames(models: ModelList): readonly string[] {
  const listed = models.models();
  return listed.length === 0 ? knownModels : listed.map(({ id }) => id);
}

interface ModelItem extends vscode.QuickPickItem {
  readonly model: string;
}

function itemOf(models: ModelList, model: string, current: string): ModelItem {
  const listed = models.find(model);
  const limits = limitsOf(model, listed);
  const price = modelPrice(model);
  const facts = [
    `${grouped(windowOf(models, model))} tokens`,
    ...(price ? [`$${price.input} in, $${price.output} out for a million`] : []),
    ...(limits.supportsAdaptiveThinking ? ['thinking'] : []),
    ...(limits.efforts.length > 0 ? ['effort'] : []),
    ...(listed?.deprecated ? ['deprecated'] : []),
  ];
  const words = [...(listed?.name === undefined ? [] : [listed.name]), ...(model === current ? ['now'] : [])];
  return { model, label: model, description: words.join(' · '), detail: facts.join(' · ') };
}

const refreshButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('refresh'),
  tooltip: 'Ask the server for its models',
};

/** A name without spaces, or undefined when nothing was chosen. */
export function pickModel(
  { models }: Pick<Runtime, 'models'>,
  current: string,
  title = 'Model of the next runs in this session',
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<ModelItem>();
    pick.title = title;
    pick.placeholder = 'Choose a model, or type the name of another one';
    pick.matchOnDescription = true;
    pick.buttons = [refreshButton];
    let isOpen = true;
    const show = (): void => {
      const names = [...new Set([current, ...modelNames(models)])];
      const known = names.map((name) => itemOf(models, name, current));
      const typed = pick.value.trim();
      const isNew = typed !== '' && !/\s/.test(typed) && !names.includes(typed);
      const other = { model: typed, label: typed, description: 'as typed', alwaysShow: true };
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
