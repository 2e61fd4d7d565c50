import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text, toolUse, type ToolUseReply } from '../support/messagesServer/reply.ts';
import type { Chat } from '../support/session/chat.ts';
import { areGone, Editor, type EditorWindow } from '../support/session/editor.ts';
import { eventually } from '../support/session/eventually.ts';
import { linesOf } from '../support/session/fileLines.ts';
import { inTurn } from '../support/session/inTurn.ts';
import { createLongCommand, type LongCommand } from '../support/session/longCommand.ts';
import { toolResults } from '../support/session/requestResults.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const lastWords = 'It is done.';

function run(line: string): ToolUseReply {
  return toolUse('run_command', { command: line });
}

describe('a command that is running', function () {
  this.timeout(180_000);

  let editor: Editor;
  let folder = '';
  let window: EditorWindow | undefined;
  const commands: LongCommand[] = [];

  keepFailureEvidence(() => editor.evidence());

  before(async () => {
    editor = await Editor.start();
  });

  afterEach(async () => {
    for (const command of commands.splice(0)) await command.dispose();
    assertAccepted(editor.api);
  });

  after(async () => {
    await editor.dispose();
  });

  /** Opens a new folder, in the window that is open or in a new one. */
  async function openFolder(): Promise<EditorWindow> {
    folder = await editor.newFolder();
    if (window === undefined) window = await editor.openWindow(folder);
    else await editor.reopen(window, folder);
    return window;
  }

  /** Starts the editor again. The session is open by itself, also in a browser that knows nothing of it. */
  async function openAgain(): Promise<Chat> {
    await editor.startAgain();
    window = await editor.openWindow(folder);
    const { chat } = window;
    const title = chat.header.getByText('Run it.');
    // Where the editor takes the storage of before for one in use, it gives another one, and the list is shown.
    const row = chat.frame.getByRole('button', { name: /^Run it\.\s*(interrupted|stopped)/ });
    await title.or(row).first().waitFor();
    if (await row.isVisible()) await row.press('Enter');
    await title.waitFor();
    return chat;
  }

  async function killAll(): Promise<void> {
    window = undefined;
    await editor.killAll();
  }

  /** A session whose only command is running, and has said so in the panel. */
  async function begin(exitCode: number): Promise<EditorWindow & { readonly command: LongCommand }> {
    const opened = await openFolder();
    const command = await createLongCommand(exitCode);
    commands.push(command);
    editor.script(inTurn(run(command.line), text(lastWords)));
    await opened.chat.send('Run it.');
    await opened.chat.showsProgress(3);
    return { ...opened, command };
  }

  /** What holds when the run that was cut has come to its end. */
  async function assertRanOnce(chat: Chat, command: LongCommand, exitCode: number, deadCount: number): Promise<void> {
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');
    assert.deepEqual(await command.marks(), ['began', 'ended']);
    assert.equal(editor.requests.length, 2);
    const results = toolResults(editor.requests[1]!);
    assert.equal(results.length, 1);
    assert.match(results[0]!.text, new RegExp(`^Exit code ${exitCode} after`));
    assert.equal(results[0]!.isError, exitCode !== 0);
    const last = await command.count();
    for (const n of [1, deadCount, last]) assert.match(results[0]!.text, new RegExp(`^progress ${n}$`, 'm'));

    await chat.transcript.getByRole('button', { name: /Ran echo began/ }).click();
    const output = chat.transcript.getByLabel('Output', { exact: true });
    for (const n of [1, deadCount, last])
      await output.filter({ hasText: new RegExp(`(^|\\s)progress ${n}(\\s|$)`) }).waitFor();
    assert.equal(await chat.resumeLines.count(), 1);
  }

  /** By key: the notification, which comes by itself, may lie over it. */
  async function resume(chat: Chat): Promise<void> {
    await chat.button('Resume').press('Enter');
  }

  it('outlives the extension host, the server and the browser; Resume waits for it', async () => {
    const { command } = await begin(3);
    await killAll();
    await command.movesOn(6);
    const deadCount = (await command.count()) - 2;

    const chat = await openAgain();
    await chat.banner.getByText(/^Interrupted while running/).waitFor();
    await chat.banner.getByText('still running').waitFor();
    const before = await command.count();
    await resume(chat);
    await chat.waitForState('running');
    // Live again, and further than it was when nobody looked.
    await command.movesOn(2);
    await chat.showsProgress(before + 2);
    assert.equal(editor.requests.length, 1, 'nothing is sent while it runs');
    await command.openGate();
    await assertRanOnce(chat, command, 3, deadCount);
    await chat.transcript.getByText('kept running while the window was closed').waitFor();
  });

  it('ends while nothing of the editor lives; Resume takes its real result', async () => {
    const { command } = await begin(0);
    await killAll();
    await command.movesOn(4);
    const deadCount = await command.count();
    await command.openGate();
    await command.ends();

    const chat = await openAgain();
    await chat.banner.getByText(/^Interrupted while running/).waitFor();
    await resume(chat);
    await assertRanOnce(chat, command, 0, deadCount);
    await chat.transcript.getByText('finished while the window was closed: exit 0').waitFor();
  });

  it('is kept by "Stop, Keep Command Running", also when the editor is killed then; Resume picks it up', async () => {
    const { chat, workbench, command } = await begin(4);
    await workbench.runCommand('Ratchet: Stop, Keep Command Running');
    await chat.waitForState('stopped');
    await chat.banner.getByText('still running').waitFor();
    await killAll();
    await command.movesOn(2);
    const deadCount = await command.count();

    const again = await openAgain();
    await again.banner.getByText(/^Stopped while running/).waitFor();
    await again.banner.getByText('still running').waitFor();
    await resume(again);
    await again.waitForState('running');
    await command.openGate();
    await assertRanOnce(again, command, 4, deadCount);
  });

  describe('that started others', () => {
    /** A session whose command has a child and a grandchild with a session of its own; their process ids. */
    async function beginTree(): Promise<EditorWindow & { readonly pids: readonly number[] }> {
      const opened = await openFolder();
      const line = [
        `setsid sh -c 'echo $$ > grandchild.pid; exec sleep 600' &`,
        'sleep 600 & echo $! > child.pid; echo both began; wait',
      ].join('\n');
      editor.script(inTurn(run(line), text(lastWords)));
      await opened.chat.send('Run it.');
      const pidsOf = async (): Promise<readonly number[]> =>
        (await Promise.all(['child.pid', 'grandchild.pid'].map((name) => linesOf(path.join(folder, name)))))
          .flat()
          .map(Number);
      await eventually(async () => (await pidsOf()).length === 2);
      await opened.chat.transcript.getByText('both began').first().waitFor();
      const pids = await pidsOf();
      assert.equal(await sessionOf(pids[1]!), pids[1], 'the grandchild left the session of its command');
      assert.equal(await areGone(pids), false);
      return { ...opened, pids };
    }

    async function sessionOf(pid: number): Promise<number> {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
    }

    async function keepAndStop({ chat, workbench }: EditorWindow): Promise<void> {
      await workbench.runCommand('Ratchet: Stop, Keep Command Running');
      await chat.waitForState('stopped');
      await chat.banner.getByText('still running').waitFor();
    }

    it('is ended by Stop with all of them, one that made its own session too', async () => {
      const { chat, pids } = await beginTree();
      await chat.button('Stop').click();
      await chat.waitForState('stopped');
      assert.equal(await areGone(pids), true);
      assert.equal(await chat.button('End command').count(), 0);
    });

    it('is kept by Stop when the setting says so, and ended by the banner', async () => {
      await editor.changeSettings({ 'ratchet.stop.runningCommand': 'keep' });
      try {
        const { chat, pids } = await beginTree();
        await chat.button('Stop').click();
        await chat.waitForState('stopped');
        await chat.banner.getByText('still running').waitFor();
        assert.equal(await areGone(pids), false);
        await chat.button('End command').press('Enter');
        await eventually(() => areGone(pids));
        await chat.banner.getByText('still running').waitFor({ state: 'detached' });
        assert.equal(await chat.button('Resume').count(), 1);
      } finally {
        await editor.changeSettings({ 'ratchet.stop.runningCommand': 'end' });
      }
    });

    it('is in the list of running commands, which ends it', async () => {
      const opened = await beginTree();
      await keepAndStop(opened);
      await opened.workbench.runCommand('Ratchet: Running Commands');
      await opened.workbench.pick(/^setsid sh/);
      await opened.workbench.pressDialogButton('End Command');
      await eventually(() => areGone(opened.pids));
      await opened.chat.banner.getByText('still running').waitFor({ state: 'detached' });
      await opened.workbench.runCommand('Ratchet: Running Commands');
      await opened.workbench.notification('No command of a session in the open folders is running.');
    });

    it('is ended when its session is deleted', async () => {
      const opened = await beginTree();
      await keepAndStop(opened);
      await opened.workbench.runCommand('Ratchet: Delete Session');
      await opened.workbench.pressDialogButton('Delete');
      await opened.workbench.notification('"Run it." was moved to the trash.');
      assert.equal(await areGone(opened.pids), true);
    });
  });

  it('is not run again by a resumed run when it succeeded before and all it made is intact', async () => {
    const outside = await mkdtemp(path.join(os.tmpdir(), 'ratchet-count-'));
    try {
      const { chat } = await openFolder();
      const wait = await createLongCommand(0);
      commands.push(wait);
      const runs = path.join(outside, 'runs.txt');
      const make = run(`echo made > made.txt; echo run >> ${runs}; echo it is made`);
      const hold = run(wait.line);
      editor.script(inTurn(make, hold, make, hold, make, text(lastWords)));
      await chat.send('Make it.');
      await wait.movesOn(1);
      await chat.button('Stop').click();
      await chat.waitForState('stopped');
      assert.deepEqual(await linesOf(runs), ['run']);

      await chat.button('Resume').click();
      await chat.transcript.getByText('done before, artifacts verified').waitFor();
      await wait.movesOn(1);
      assert.deepEqual(await linesOf(runs), ['run']);
      const answered = toolResults(editor.requests[3]!).at(-1)!;
      assert.match(answered.text, /^Not run again: .*[^]*it is made/);
      assert.equal(answered.isError, false);
      await chat.button('Stop').click();
      await chat.waitForState('stopped');

      await writeFile(path.join(folder, 'made.txt'), 'touched\n');
      await chat.button('Resume').click();
      await chat.transcript.getByText(lastWords).waitFor();
      assert.deepEqual(await linesOf(runs), ['run', 'run']);
      assert.equal(await chat.transcript.getByText('done before, artifacts verified').count(), 1);
      assert.match(toolResults(editor.requests[5]!).at(-1)!.text, /^Exit code 0 after/);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });
});
