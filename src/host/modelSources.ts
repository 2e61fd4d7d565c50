// Connects the list of models to the settings, the key and the memory of this editor.
import * as vscode from 'vscode';
import { listModels } from '../model/listModels.ts';
import type { Log } from './log.ts';
import { serverEndpoint, type ConnectionSources } from './endpoint.ts';
import { modelLog } from './modelChoice.ts';
import { ModelList } from './modelList.ts';
import { setting } from './settings.ts';

export function createModelList(context: vscode.ExtensionContext, sources: ConnectionSources, log: Log): ModelList {
  return new ModelList({
    memory: context.globalState,
    baseURL: () => setting('anthropic.baseUrl'),
    fetch: async () => {
      // Nothing is sent until the folder is trusted, and the demo has no server.
      const chosen = vscode.workspace.isTrusted ? await serverEndpoint(sources) : undefined;
      if (!chosen) return undefined;
      return listModels({ ...chosen, log: modelLog(log) }, new AbortController().signal);
    },
    now: () => Date.now(),
    log,
  });
}
