import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../scripts/processes.ts';
import { text, toolUse } from '../support/messagesServer/reply.ts';
import type { Script } from '../support/messagesServer/startMessagesServer.ts';
import { Editor, type EditorWindow, type Opened } from '../support/session/editor.ts';
import { linesOf } from '../support/session/fileLines.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const lastWords = 'It is done.';

describe('an interrupted session', function () {
  this.timeout(120_000);

  let editor: Editor;
  let window: EditorWindow | undefined;
  /** The second answer comes once this is set; until then the run waits for it. */
  let isAnswered = false;

  keepFailureEvidence(() => editor.evidence());

  before(async () => {
    editor = await Editor.start();
  });

  afterEach(() => {
    assertAccepted(editor.api);
  });

  after(async () => {
    await editor.dispose();
  });

  const where = (step: number) => toolUse('run_command', { command: `pwd >> where.txt; echo step ${step} done` });

  const script: Script = async (_request, { request, signal }) => {
    if (!request.raw.includes('step 1 done')) return where(1);
    if (!isAnswered) await once(signal, 'abort');
    return request.raw.includes('step 2 done') ? text(lastWords) : where(2);
  };

  async function open(what: Opened): Promise<EditorWindow> {
    if (window === undefined && typeof what === 'string') {
      window = await editor.openWindow(what);
    } else {
      window ??= await editor.openWindow(await editor.newFolder('elsewhere'));
      await editor.reopen(window, what);
    }
    return window;
  }

  /** Leaves an interrupted session in a folder: its window is gone while the second answer is awaited. */
  async function interruptedIn(folder: string): Promise<void> {
    const opened = await open(folder);
    isAnswered = false;
    editor.script(script);
    await opened.chat.send('Say where you are.');
    await editor.api.nextRequest(({ raw }) => raw.includes('step 1 done'));
    await editor.leave(opened);
    isAnswered = true;
    assert.deepEqual(await linesOf(path.join(folder, 'where.txt')), [folder]);
  }

  const rowName = /^Say where you are\.\s*interrupted/;

  /** Resumes from the list; `folder` is where the session works now. */
  async function assertResumes({ chat }: EditorWindow, folder: string): Promise<void> {
    await chat.frame.getByRole('button', { name: rowName }).waitFor();
    // By key: the notification, which comes by itself, may lie over it.
    await chat.button('Resume').press('Enter');
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');
    assert.equal((await linesOf(path.join(folder, 'where.txt'))).at(-1), folder);
    assert.equal(await chat.resumeLines.count(), 1);
  }

  it('is found after its folder was renamed, and works there', async () => {
    const before = await editor.newFolder('old-name');
    await interruptedIn(before);
    const after = path.join(path.dirname(before), 'new-name');
    await rename(before, after);
    await assertResumes(await open(after), after);
    const resumed = editor.requests.find(({ raw }) => raw.includes('This session was interrupted'));
    assert.ok(resumed?.raw.includes(after), 'the model is told the new path');
    assert.deepEqual(await linesOf(path.join(after, 'where.txt')), [before, after]);
  });

  it('is found after a folder was added to its window', async () => {
    const folder = await editor.newFolder('first');
    await interruptedIn(folder);
    const workspace = path.join(path.dirname(folder), 'both.code-workspace');
    await mkdir(path.join(path.dirname(folder), 'second'));
    await writeFile(workspace, JSON.stringify({ folders: [{ path: 'second' }, { path: 'first' }] }));
    const opened = await open({ workspace });
    await opened.chat.frame.getByRole('button', { name: rowName }).getByText('first').waitFor();
    await assertResumes(opened, folder);
  });

  it('is found after its window was saved as a workspace', async () => {
    const folder = await editor.newFolder('saved');
    await interruptedIn(folder);
    const workspace = path.join(path.dirname(folder), 'saved.code-workspace');
    await writeFile(workspace, JSON.stringify({ folders: [{ path: 'saved' }] }));
    await assertResumes(await open({ workspace }), folder);
  });

  it('is found when what was derived from its trace is deleted, which is made anew', async () => {
    const folder = await editor.newFolder('derived');
    await interruptedIn(folder);
    const storage = path.join(editor.server.userDataFolder, 'User', 'workspaceStorage', '*', 'ratchet-dev.ratchet');
    const records = globSync(path.join(storage, 'sessions', '*', 'folder.json'));
    const record = records.find((file) => readFileSync(file, 'utf8').includes(JSON.stringify(folder)));
    assert.ok(record !== undefined);
    const summary = globSync(path.join(path.dirname(record), '*', 'summary.json'))[0];
    assert.ok(summary !== undefined);
    for (const file of [record, summary]) await unlink(file);
    const opened = await open(folder);
    // It was open in this window before.
    await opened.chat.button('Sessions').press('Enter');
    await opened.chat.frame.getByRole('button', { name: rowName }).waitFor();
    for (const file of [record, summary]) assert.ok(existsSync(file), `${path.basename(file)} is there again`);
    await assertResumes(opened, folder);
  });

  it('is found when the server has another port', async () => {
    const folder = await editor.newFolder('port');
    await interruptedIn(folder);
    window = undefined;
    await editor.closeWindows();
    await editor.server.stop();
    await editor.startAgain(await freePort());
    await assertResumes(await open(folder), folder);
  });

  it('is offered for adoption when its folder is gone and another one has its name', async () => {
    const before = await editor.newFolder('project');
    await interruptedIn(before);
    await rm(before, { recursive: true });
    const after = await editor.newFolder('project');
    const opened = await open(after);
    const { chat, workbench } = opened;
    const offer = `1 session from …/${path.basename(path.dirname(before))}/project`;
    await chat.frame.getByText(offer).waitFor();
    assert.equal(await chat.frame.getByRole('button', { name: rowName }).count(), 0);
    await chat.button('Adopt').click();
    await chat.frame.getByText(offer).waitFor({ state: 'detached' });
    await assertResumes(opened, after);
    await workbench.runCommand('Ratchet: Adopt Sessions');
    await workbench.notification('There are no sessions of a folder that is gone.');
  });

  it('is adopted by the command, whatever its folder was called', async () => {
    const before = await editor.newFolder('was-called-so');
    await interruptedIn(before);
    await rm(before, { recursive: true });
    const after = await editor.newFolder('is-called-so');
    const opened = await open(after);
    await opened.workbench.runCommand('Ratchet: Adopt Sessions');
    await opened.workbench.pick(/^1 session from .*was-called-so$/);
    await assertResumes(opened, after);
  });
});
