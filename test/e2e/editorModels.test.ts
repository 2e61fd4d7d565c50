import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stampTool } from '../support/editorModels/manifest.ts';
import type { ModelRequest, Part } from '../support/editorModels/calls.ts';
import { ModelService } from '../support/editorModels/modelService.ts';
import { Editor, type EditorWindow } from '../support/session/editor.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const offered = `editor_${stampTool}`;
const lastWords = 'All of it is done.';
const limits = 'Model of the editor: no thinking, no prompt cache, tokens estimated';

/** Decided from the conversation alone: writes a file, stamps it, stamps it again when that is in doubt, and ends. */
function answerTo({ messages }: ModelRequest): readonly Part[] {
  const parts = messages.flatMap((message) => message.parts);
  const results = parts.flatMap((part) => (part.kind === 'result' ? [part.text] : []));
  const stamp = (id: string): Part => ({ kind: 'call', id, name: offered, input: { word: 'ok' } });
  if (results.length === 0) {
    const input = { file_path: 'made.txt', content: 'made\n' };
    return [
      { kind: 'text', text: 'I write it.' },
      { kind: 'call', id: 'call_write', name: 'write', input },
    ];
  }
  if (results.length === 1) return [stamp('call_stamp')];
  if (results.at(-1)?.includes('stamped')) return [{ kind: 'text', text: lastWords }];
  return [stamp('call_again')];
}

describe('the models and tools of the editor', function () {
  this.timeout(180_000);

  let service: ModelService;
  let editor: Editor;
  let window: EditorWindow;
  let folder: string;

  keepFailureEvidence(() => editor.evidence());

  before(async () => {
    service = await ModelService.start();
    editor = await Editor.start({
      unconnected: true,
      env: service.env,
      settings: { 'ratchet.approvalMode': 'acceptEdits', 'ratchet.autoResume': 'never' },
    });
    await service.install(editor.home);
    folder = await editor.newFolder();
    window = await editor.openWindow(folder);
  });

  after(async () => {
    await editor.dispose();
    await service.dispose();
  });

  it('are chosen, do a job with files and an approved tool, and go on after a kill with the bytes they had', async () => {
    const { chat, workbench, hostPid } = window;
    await chat.button("Use the editor's models").click();
    await workbench.pick('Scripted');
    await chat.frame.getByText(limits).first().waitFor();
    await workbench.runCommand('Ratchet: Choose Editor Tools');
    // The editor has tools of its own, more than are drawn at once.
    await workbench.page.keyboard.type(stampTool);
    await workbench.pick(stampTool);
    await workbench.page.keyboard.press('Enter');
    await workbench.notification('1 tool of the editor can be used from the next message on.');

    service.model = answerTo;
    const called = Promise.withResolvers<unknown>();
    service.tool = (input) => {
      called.resolve(input);
      return new Promise(() => undefined);
    };
    await chat.send('Do it.');
    const question = chat.frame.getByRole('group', { name: new RegExp(`^Wants to use ${offered}`) });
    await question.waitFor();
    assert.equal(service.calls.length, 0);
    assert.equal(await readFile(path.join(folder, 'made.txt'), 'utf8'), 'made\n');
    await chat.button('Allow').press('Enter');
    assert.deepEqual(await called.promise, { word: 'ok' });
    const cut = service.requests.at(-1);
    const before = service.requests.length;

    await editor.server.killExtensionHost(hostPid);
    await chat.banner.getByText(/^Interrupted while using/).waitFor();
    service.tool = () => 'stamped';
    await chat.button('Resume').press('Enter');
    await question.waitFor();
    await chat.button('Allow always…').press('Enter');
    const always = chat.frame.getByRole('group', { name: 'Allow always', exact: true });
    await always
      .getByRole('radio', { name: new RegExp(`^the tool ${offered} (of \\S+ )?with any input, until it changes$`) })
      .press('Enter');
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');

    assert.equal(service.calls.length, 2);
    const resumed = service.requests[before];
    assert.ok(cut && resumed);
    assert.deepEqual(resumed.tools, cut.tools);
    assert.ok(resumed.tools.some(({ name }) => name === offered));
    assert.deepEqual(resumed.messages.slice(0, cut.messages.length), cut.messages);
    assert.match(
      JSON.stringify(resumed.messages.slice(cut.messages.length)),
      /not known: check before you call it again/,
    );
    assert.deepEqual(
      service.requests
        .at(-1)
        ?.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'call' ? [part.id] : []))),
      ['call_write', 'call_stamp', 'call_again'],
    );

    // The choice, the rule and the model are there after a reload; the rule asks nothing any more.
    await workbench.reloadWindow();
    await chat.show();
    await chat.frame.getByText(limits).first().waitFor();
    service.model = ({ messages }) =>
      messages.at(-1)?.parts.some(({ kind }) => kind === 'result')
        ? [{ kind: 'text', text: 'Stamped without a question.' }]
        : [{ kind: 'call', id: 'call_third', name: offered, input: { word: 'third' } }];
    await chat.send('Once more.');
    await chat.transcript.getByText('Stamped without a question.').waitFor();
    assert.deepEqual(service.calls.at(-1), { word: 'third' });
  });
});
