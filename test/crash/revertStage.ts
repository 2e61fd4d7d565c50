// The sessions of a revert that is killed: the product's own store and file tools, a scripted model, and a command that
// is done in this process. Run by itself it does one thing to the session of a folder and ends.
//   node revertStage.ts <root> <folder> <revert|finish|undo|fork>
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ulid } from 'ulid';
import type { FolderIdentity } from '../../src/core/events.ts';
import { Sessions } from '../../src/runner/sessions.ts';
import { createFileSessionStore } from '../../src/store/fileSessionStore.ts';
import { noEditorFiles } from '../../src/tools/editorFiles.ts';
import { createEditTool } from '../../src/tools/editTool.ts';
import { hashBytes } from '../../src/tools/fileHash.ts';
import { createReadTool } from '../../src/tools/readTool.ts';
import { createRevertFiles } from '../../src/tools/revertFiles.ts';
import { createBench } from '../support/fakes/bench.ts';
import { createFakeTool } from '../support/fakes/fakeTools.ts';
import { createScriptedModel, type ModelTurn, type ScriptedModel } from '../support/fakes/scriptedModel.ts';

export interface RevertStage {
  readonly sessions: Sessions;
  readonly model: ScriptedModel;
  readonly folder: FolderIdentity;
}

export function revertStage(root: string, folderPath: string, turns: readonly ModelTurn[] = []): RevertStage {
  const model = createScriptedModel(turns);
  const make = createFakeTool({
    name: 'run_command',
    effect: 'command',
    run: async () => {
      await writeFile(join(folderPath, 'made.txt'), 'made\n');
      await rm(join(folderPath, 'old.txt'), { force: true });
      return {
        outcome: 'succeeded',
        content: 'made',
        artifacts: [
          { path: 'made.txt', change: 'created', size: 5, sha256: hashBytes('made\n') },
          { path: 'old.txt', change: 'deleted', size: 0, sha256: null },
        ],
      };
    },
  });
  const { ports } = createBench();
  const sessions = new Sessions({
    ...ports,
    newId: ulid,
    store: createFileSessionStore({
      root,
      ownerId: ulid(),
      now: Date.now,
      redact: (event) => event,
      log: () => undefined,
    }),
    tools: [createReadTool(), createEditTool(), make],
    revertFiles: createRevertFiles(noEditorFiles),
    prepareModel: async () => ({
      port: model,
      settings: { model: 'claude-opus-4-8', thinking: 'adaptive', maxTokens: 4_096, takesSystemMessages: true },
    }),
  });
  return { sessions, model, folder: { uri: pathToFileURL(folderPath).href, name: 'job', path: folderPath } };
}

/** The session of the folder and its second message. */
export async function secondMessage({ sessions, folder }: RevertStage): Promise<{ id: string; messageId: string }> {
  const id = (await sessions.list(folder.uri)).at(-1)?.id ?? '';
  const { state } = await sessions.open(id);
  const message = state.conversation.filter((entry) => entry.type === 'user_message_added')[1];
  return { id, messageId: message?.type === 'user_message_added' ? message.messageId : '' };
}

async function main(root: string, folder: string, what: string): Promise<void> {
  const stage = revertStage(root, folder);
  const { id, messageId } = await secondMessage(stage);
  const { sessions } = stage;
  switch (what) {
    case 'revert': {
      const { lastSeq } = await sessions.planRevert(id, messageId);
      await sessions.revert(id, messageId, lastSeq);
      return;
    }
    case 'finish':
      await sessions.finishRevert(id);
      return;
    case 'undo':
      return sessions.undoRevert(id);
    case 'fork':
      await sessions.fork(id, messageId);
      return;
    default:
      throw new Error(`no such thing: ${what}`);
  }
}

if (import.meta.main) {
  const [root = '', folder = '', what = ''] = process.argv.slice(2);
  await main(root, folder, what);
}
