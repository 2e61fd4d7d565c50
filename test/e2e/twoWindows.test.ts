import assert from 'node:assert/strict';
import process from 'node:process';
import type { SessionEvent } from '../../src/core/events.ts';
import { stretched } from '../../scripts/calmTime.ts';
import { ApiDriver } from '../support/apiDriver/driver.ts';
import type { Answer } from '../support/apiDriver/calls.ts';
import { text, toolUse } from '../support/messagesServer/reply.ts';
import { Editor, type EditorWindow } from '../support/session/editor.ts';
import { inTurn } from '../support/session/inTurn.ts';
import { journalOf } from '../support/session/journalOf.ts';
import { createLongCommand, type LongCommand } from '../support/session/longCommand.ts';
import { toolResults } from '../support/session/requestResults.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

/** How soon another window may go on with what a killed one ran. */
const takeOverMs = 15_000;
const watched = 'Another window is running this session. It can be watched and stopped here.';

describe('two windows on one folder', function () {
  this.timeout(180_000);

  let driver: ApiDriver;
  let editor: Editor;
  let folder = '';
  let first: EditorWindow;
  let second: EditorWindow;
  let command: LongCommand | undefined;

  keepFailureEvidence(() => editor.evidence());

  before(async () => {
    driver = await ApiDriver.create();
    editor = await Editor.start({ env: driver.env });
    await driver.install(editor.home);
    folder = await editor.newFolder();
    first = await editor.openWindow(folder);
    second = await editor.openWindow(folder);
    assert.notEqual(first.hostPid, second.hostPid);
  });

  afterEach(async () => {
    await command?.dispose();
    command = undefined;
    assertAccepted(editor.api);
  });

  after(async () => {
    await editor.dispose();
    await driver.dispose();
  });

  async function created(window: EditorWindow): Promise<string> {
    const answer = await driver.call(window.hostPid, { method: 'create' });
    assert.ok(answer.ok);
    return answer.value;
  }

  const send = (window: EditorWindow, sessionId: string, words: string): Promise<Answer> =>
    driver.call(window.hostPid, { method: 'send', sessionId, text: words });

  const journal = (sessionId: string): Promise<readonly SessionEvent[]> =>
    journalOf(editor.server.userDataFolder, sessionId);

  /** Opens a session by the palette, in which its title is known. */
  async function show({ chat, workbench }: EditorWindow, title: string): Promise<void> {
    await workbench.runCommand('Ratchet: Open Session');
    await workbench.pick(new RegExp(`${title.replaceAll('.', '\\.')}$`));
    await chat.header.getByText(title).waitFor();
  }

  it('show the same session, live, and drive it only where it runs', async () => {
    command = await createLongCommand(0);
    editor.script(
      inTurn(toolUse('run_command', { command: command.line }), text('It is done.'), text('At your service.')),
    );
    await first.chat.send('Run it.');
    await first.chat.showsProgress(2);
    // It was made after this window had looked.
    second = await editor.reload(second);
    await second.chat.frame.getByRole('button', { name: /^Run it\./ }).click();
    await second.chat.waitForState('running');
    await second.chat.frame.getByText(watched).waitFor();
    const count = await command.count();
    await command.movesOn(2);
    await second.chat.showsProgress(count + 2);

    assert.equal(await second.chat.message.isEditable(), false);
    assert.equal(await second.chat.button('Resume').count(), 0);
    assert.equal(await second.chat.button('Stop').count(), 1);
    await second.workbench.runCommand('Ratchet: Resume Session');
    await second.workbench.notification('No session in the open folders can be resumed.');
    await first.chat.waitForState('running');
    assert.equal(editor.requests.length, 1);

    await command.openGate();
    for (const { chat } of [first, second]) {
      await chat.transcript.getByText('It is done.').waitFor();
      await chat.waitForState('done');
    }
    await second.chat.frame.getByText(watched).waitFor({ state: 'detached' });
    // What the other one does next is seen too.
    await first.chat.send('Are you there?');
    await second.chat.transcript.getByText('At your service.').waitFor();
    assert.deepEqual(await command.marks(), ['began', 'ended']);
  });

  it('stop a run from the one that only watches it, with its command or without', async () => {
    for (const [keep, marks] of [
      [false, ['began']],
      [true, ['began', 'ended']],
    ] as const) {
      await command?.dispose();
      command = await createLongCommand(0);
      editor.script(inTurn(toolUse('run_command', { command: command.line }), text('It has ended.')));
      const title = keep ? 'Stop me, and keep it.' : 'Stop me there.';
      await first.workbench.runCommand('Ratchet: New Session');
      await first.chat.header.getByText('New session').waitFor();
      await first.chat.send(title);
      await first.chat.showsProgress(2);
      second = await editor.reload(second);
      await show(second, title);
      await second.chat.frame.getByText(watched).waitFor();
      if (keep) {
        await second.chat.button('More actions').press('Enter');
        await second.chat.frame.getByRole('menuitem', { name: 'Stop, keep command running' }).press('Enter');
      } else {
        await second.chat.button('Stop').press('Enter');
      }
      for (const { chat } of [first, second]) await chat.waitForState('stopped');
      if (keep) {
        await command.movesOn(2);
        await second.chat.banner.getByText('still running').waitFor();
        await second.chat.button('Resume').press('Enter');
        await second.chat.waitForState('running');
        await command.openGate();
        await second.chat.transcript.getByText('It has ended.').waitFor();
        await second.chat.waitForState('done');
      }
      assert.deepEqual(await command.marks(), marks);
    }
  });

  it('send to one session in turn, and at the same moment, and every record is there once', async () => {
    editor.script((request) => text(`Answer to ${String(request.messages.length)} messages.`));
    const sessionId = await created(first);
    const windows = [first, second];
    const expected: string[] = [];
    for (let n = 1; n <= 100; n++) {
      const words = `Message ${String(n)}`;
      expected.push(words);
      assert.deepEqual(await send(windows[n % 2]!, sessionId, words), { ok: true, value: 'done' });
    }
    for (let n = 1; n <= 10; n++) {
      const both = await Promise.all(
        windows.map(async (window, index) => {
          const words = `Round ${String(n)}, window ${String(index)}`;
          const answer = await send(window, sessionId, words);
          if (answer.ok) expected.push(words);
          else assert.equal(answer.code, 'already_running');
          return answer.ok;
        }),
      );
      assert.ok(both.includes(true), 'one of the two was taken');
    }
    assertOneAfterTheOther(await journal(sessionId), expected);
    assert.equal(editor.requests.length, expected.length);
    // The last request has every message and every answer.
    const last = editor.requests.at(-1)!;
    for (const words of expected) assert.ok(last.raw.includes(`"${words}"`), words);
  });

  it('let nobody disturb a run, and the other one goes on with it by itself when its window is killed', async () => {
    command = await createLongCommand(5);
    editor.script(inTurn(toolUse('run_command', { command: command.line }), text('It has ended.')));
    await first.workbench.runCommand('Ratchet: New Session');
    await first.chat.header.getByText('New session').waitFor();
    await first.chat.send('Take long.');
    await first.chat.showsProgress(2);
    second = await editor.reload(second);
    await show(second, 'Take long.');
    await second.chat.frame.getByText(watched).waitFor();
    const found = await driver.call(second.hostPid, { method: 'find', title: 'Take long.' });
    assert.ok(found.ok);
    const sessionId = found.value;
    for (const call of [
      { method: 'resume', sessionId },
      { method: 'send', sessionId, text: 'And this?' },
    ] as const) {
      const answer = await driver.call(second.hostPid, call);
      assert.ok(!answer.ok && answer.code === 'already_running', JSON.stringify(answer));
    }
    await first.chat.waitForState('running');

    // Without a page nobody starts another extension host in its place; standing still, it cannot end in order meanwhile.
    process.kill(first.hostPid, 'SIGSTOP');
    await editor.closeWindow(first);
    process.kill(first.hostPid, 'SIGKILL');
    await second.chat.banner.getByText(/^Interrupted while running/).waitFor({ timeout: stretched(takeOverMs) });
    await second.chat.banner.getByText('still running').waitFor();
    await second.chat.button('Resume').press('Enter');
    await second.chat.waitForState('running');
    await command.openGate();
    await second.chat.transcript.getByText('It has ended.').waitFor();
    await second.chat.waitForState('done');
    assert.deepEqual(await command.marks(), ['began', 'ended']);
    assert.match(toolResults(editor.requests[1]!)[0]!.text, /^Exit code 5 after/);
    const records = await journal(sessionId);
    assert.equal(records.filter(({ type }) => type === 'step_started').length, 1);
    assert.equal(records.filter(({ type }) => type === 'session_resumed').length, 1);
    assertConsecutive(records);
  });
});

function assertConsecutive(records: readonly SessionEvent[]): void {
  assert.deepEqual(
    records.map(({ seq }) => seq),
    records.map((_record, index) => index + 1),
  );
}

/** Each message has one run of its own, which ends before the next one begins. */
function assertOneAfterTheOther(records: readonly SessionEvent[], messages: readonly string[]): void {
  assertConsecutive(records);
  const said = records.flatMap((record) => (record.type === 'user_message_added' ? [record.text] : []));
  assert.deepEqual(said, messages);
  let open: string | undefined;
  let runs = 0;
  for (const record of records) {
    if (record.type === 'run_started') {
      assert.equal(open, undefined, `run ${record.runId} began inside of another one`);
      open = record.runId;
      runs += 1;
    } else if ('runId' in record) {
      assert.equal(record.runId, open, `${record.type} is of another run`);
    }
    if (record.type === 'run_ended') open = undefined;
  }
  assert.equal(open, undefined);
  assert.equal(runs, messages.length);
}
