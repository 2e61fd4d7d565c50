// The choice of a session's model: one that is known, or any other name that is typed.
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import { knownModels } from '../model/modelLimits.ts';
import { modelSource } from './modelChoice.ts';
import type { Runtime } from './runtime.ts';
import { setting } from './settings.ts';

/** Asks for the model of the open session, or of a new one. @throws RatchetError `no_model` in the demo */
export async function chooseModel(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  if ((await modelSource(runtime.keys)).kind === 'demo')
    throw new RatchetError('no_model', 'The offline demo is a script: it has no models to choose from.');
  const id = sessionId ?? runtime.panel.current?.id;
  const state = id === undefined ? undefined : (await runtime.sessions.open(id)).state;
  const model = await pickModel(state?.chosenModel?.model ?? state?.runs.at(-1)?.model ?? setting('model'));
  if (model === undefined) return;
  await runtime.sessions.chooseModel(id ?? (await runtime.panel.create()).id, model);
}

/** A name without spaces, or undefined when nothing was chosen. */
export function pickModel(
  current: string,
  title = 'Model of the next runs in this session',
): Promise<string | undefined> {
  const names = [...new Set([current, ...knownModels])];
  const known = names.map((label) => ({ label, ...(label === current && { description: 'now' }) }));
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick();
    pick.title = title;
    pick.placeholder = 'Choose a model, or type the name of another one';
    pick.items = known;
    pick.onDidChangeValue((value) => {
      const typed = value.trim();
      const isNew = typed !== '' && !/\s/.test(typed) && !names.includes(typed);
      pick.items = isNew ? [...known, { label: typed, description: 'as typed', alwaysShow: true }] : known;
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.label);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
