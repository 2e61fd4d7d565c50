import assert from 'node:assert/strict';
import { RatchetError } from '../../../src/core/errors.ts';
import { cutBefore, type TakenBack } from '../../../src/core/revertPlan.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { sessionView } from '../../../src/projection/sessionView.ts';
import { createBench, folder, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { createMemoryDisk } from '../../support/fakes/memoryStore.ts';
import { onePixelPng } from '../../support/imageBytes.ts';
import { createMemoryFiles, type MemoryFiles } from '../../support/fakes/memoryFiles.ts';
import { answer, call, fails, hangs, say, type ModelTurn } from '../../support/fakes/scriptedModel.ts';

/** An edit sets a file to a content; a command does the same and does not say what was there. */
function bench(
  memory: MemoryFiles,
  turns: readonly ModelTurn[],
  more: Pick<BenchOptions, 'disk' | 'ports' | 'ownerId'> = {},
): Bench {
  const set = (input: Readonly<Record<string, unknown>>) => {
    const { path, to } = input as { path: string; to: string };
    const before = memory.files.get(path) ?? null;
    if (to === 'for ever') return new Promise<never>(() => undefined);
    memory.files.set(path, to);
    const change = before === null ? ('created' as const) : ('changed' as const);
    return { outcome: 'succeeded' as const, content: 'set', artifacts: [{ path, change, size: 1, sha256: to }] };
  };
  return createBench({
    turns,
    ...more,
    ports: { revertFiles: memory.port, ...more.ports },
    tools: [
      {
        name: 'edit',
        effect: 'edit',
        intent: (input) => ({
          kind: 'file',
          path: String(input.path),
          beforeSha256: memory.files.get(String(input.path)) ?? null,
          afterSha256: String(input.to),
        }),
        run: set,
      },
      { name: 'run_command', effect: 'command', intent: { kind: 'job', key: 'k', command: 'make' }, run: set },
    ],
  });
}

const edit = (id: string, path: string, to: string): ModelTurn => answer(call(id, 'edit', { path, to }));
const make = (id: string, path: string, to: string): ModelTurn => answer(call(id, 'run_command', { path, to }));
const done = answer(say('Done.'));
const rejects = (code: string) => (error: unknown) => error instanceof RatchetError && error.code === code;

/** Two messages; the second one changed a, b and c, and made d by a command. */
async function twoMessages(memory: MemoryFiles, more: Parameters<typeof bench>[2] = {}) {
  memory.files.set('a', 'a1').set('b', 'b1').set('c', 'c1');
  const b = bench(
    memory,
    [
      edit('c1', 'a', 'a2'),
      answer(say('First done.')),
      edit('c2', 'a', 'a3'),
      edit('c3', 'b', 'b2'),
      edit('c4', 'c', 'c2'),
      make('c5', 'd', 'd1'),
      edit('c6', 'a', 'a4'),
      answer(say('Second done.')),
    ],
    more,
  );
  const id = await b.ran('First.');
  await b.sessions.send(id, 'Second.\nWith more.');
  await b.ended(id);
  const messages = b.events(id).filter((event) => event.type === 'user_message_added');
  return { b, id, first: messages[0]!.messageId, second: messages[1]!.messageId };
}

const texts = async (b: Bench, id: string): Promise<readonly string[]> =>
  (await b.sessions.open(id))
    .page(100)
    .items.flatMap((item) => ('text' in item ? [item.text] : 'markdown' in item ? [item.markdown] : [item.verb]));

async function view(b: Bench, id: string) {
  const session = await b.sessions.open(id);
  return sessionView({
    id,
    state: session.state,
    name: session.name,
    defaultModel: 'm',
    defaultApprovalMode: 'ask',
    contextWindow: () => 1_000,
  });
}

async function revertTo(b: Bench, id: string, messageId: string): Promise<TakenBack> {
  const { lastSeq } = await b.sessions.planRevert(id, messageId);
  return b.sessions.revert(id, messageId, lastSeq);
}

describe('reverting to before a message', () => {
  it('says first what becomes of each file, and changes nothing by that', async () => {
    const memory = createMemoryFiles();
    const { b, id, second } = await twoMessages(memory);
    memory.files.set('c', 'by hand');
    memory.unsaved.add('b');
    const before = b.events(id).length;
    const plan = await b.sessions.planRevert(id, second);
    assert.deepEqual(plan.files, [
      { path: 'a', fromSha256: 'a4', toSha256: 'a2' },
      { path: 'd', fromSha256: 'd1', toSha256: null },
    ]);
    assert.deepEqual(plan.left, [
      { path: 'b', why: 'unsaved' },
      { path: 'c', why: 'changed' },
    ]);
    assert.equal(plan.text, 'Second.\nWith more.');
    assert.equal(b.events(id).length, before);
    assert.equal(memory.files.get('a'), 'a4');
  });

  it('restores files, then cuts the conversation; what is sent then begins with the bytes from before the message', async () => {
    const memory = createMemoryFiles();
    const { b, id, second } = await twoMessages(memory);
    memory.files.set('c', 'by hand');
    const spent = (await b.sessions.open(id)).state.usage;
    assert.deepEqual(await revertTo(b, id, second), { text: 'Second.\nWith more.', images: [] });
    assert.deepEqual(Object.fromEntries(memory.files), { a: 'a2', b: 'b1', c: 'by hand' });
    const session = await b.sessions.open(id);
    assert.equal(session.name, 'done');
    assert.deepEqual(session.state.usage, spent);
    assert.deepEqual([...session.state.steps.keys()], ['c1']);
    assert.deepEqual([...session.state.artifacts.keys()], ['a']);
    assert.deepEqual(await texts(b, id), [
      'First.',
      'Edited',
      'First done.',
      'done',
      'reverted to before "Second." · 3 files restored, 1 left',
    ]);
    const { revert } = await view(b, id);
    assert.deepEqual(revert, { kind: 'undoable', title: 'Reverted', detail: '3 files restored, 1 left' });

    const secondRequest = b.model.requests.find(({ messages }) => JSON.stringify(messages).includes('With more.'))!;
    b.model.turns.push(done);
    await b.sessions.send(id, 'Another way.');
    await b.ended(id);
    const request = b.model.requests.at(-1)!;
    const { messages: was } = secondRequest;
    assert.equal(JSON.stringify(request.messages.slice(0, was.length - 1)), JSON.stringify(was.slice(0, -1)));
    assert.doesNotMatch(JSON.stringify(request), /Second|b2/);
    assert.deepEqual([request.system, request.tools], [secondRequest.system, secondRequest.tools]);
    assert.equal((await view(b, id)).revert, undefined, 'what went on cannot be undone any more');
    await assert.rejects(b.sessions.undoRevert(id), rejects('cannot_revert'));
  });

  it('looks the same when it is opened anew', async () => {
    const memory = createMemoryFiles();
    const disk = createMemoryDisk();
    const { b, id, second } = await twoMessages(memory, { disk });
    await revertTo(b, id, second);
    const other = bench(memory, [], { disk });
    assert.deepEqual(await texts(other, id), await texts(b, id));
    assert.deepEqual(await view(other, id), await view(b, id));
  });

  it('to before the first message leaves an empty session that keeps its name', async () => {
    const memory = createMemoryFiles();
    const { b, id, first } = await twoMessages(memory);
    await revertTo(b, id, first);
    assert.deepEqual(Object.fromEntries(memory.files), { a: 'a1', b: 'b1', c: 'c1' });
    const session = await b.sessions.open(id);
    assert.equal(session.name, 'created');
    assert.equal(session.state.title, 'First.');
    assert.deepEqual(session.state.conversation, []);
    b.model.turns.push(edit('c1', 'a', 'x'), done);
    await b.sessions.send(id, 'Afresh.');
    await b.ended(id);
    const calls = b
      .events(id)
      .filter((event) => event.type === 'step_started')
      .map(({ stepId }) => stepId);
    assert.equal(new Set(calls).size, calls.length, 'an id of a cut call is not used again');
  });

  it('can be undone, with files and conversation, and reverted again', async () => {
    const memory = createMemoryFiles();
    const { b, id, second } = await twoMessages(memory);
    const before = { files: Object.fromEntries(memory.files), texts: await texts(b, id) };
    await revertTo(b, id, second);
    memory.files.set('b', 'by hand');
    await b.sessions.undoRevert(id);
    assert.deepEqual(Object.fromEntries(memory.files), { ...before.files, b: 'by hand' });
    assert.deepEqual(await texts(b, id), [...before.texts, 'revert undone · 3 files restored, 1 left']);
    assert.equal((await b.sessions.open(id)).name, 'done');
    await revertTo(b, id, second);
    assert.equal(memory.files.get('a'), 'a2');
    assert.equal(memory.files.get('b'), 'by hand');
  });

  it('that was cut in the middle lets nothing run before it is finished, by whatever window', async () => {
    const memory = createMemoryFiles();
    const disk = createMemoryDisk();
    const { b, id, second } = await twoMessages(memory, { disk });
    let puts = 0;
    memory.beforePut = () => {
      puts += 1;
      if (puts === 2) throw new Error('the disk is gone');
    };
    await assert.rejects(revertTo(b, id, second), /the disk is gone/);
    memory.beforePut = () => undefined;
    assert.equal(memory.files.get('a'), 'a2');
    assert.equal(memory.files.get('b'), 'b2');
    const other = bench(memory, [done], { disk });
    const shown = await view(other, id);
    assert.equal(shown.revert?.kind, 'unfinished');
    assert.equal(shown.banner, undefined);
    await assert.rejects(other.sessions.send(id, 'Go on.'), rejects('revert_unfinished'));
    await assert.rejects(other.sessions.resume(id), rejects('revert_unfinished'));
    await assert.rejects(other.sessions.planRevert(id, second), rejects('revert_unfinished'));
    assert.equal((await other.sessions.finishRevert(id))?.text, 'Second.\nWith more.');
    assert.deepEqual(Object.fromEntries(memory.files), { a: 'a2', b: 'b1', c: 'c1' });
    await other.sessions.send(id, 'Go on.');
    await other.ended(id);
    await assert.rejects(other.sessions.finishRevert(id), rejects('cannot_revert'));
  });

  it('is refused while a run goes on, here or elsewhere, and when the session went on since the plan', async () => {
    const memory = createMemoryFiles();
    const disk = createMemoryDisk();
    const { b, id, second } = await twoMessages(memory, { disk });
    const { lastSeq } = await b.sessions.planRevert(id, second);
    await b.sessions.rename(id, 'Other');
    await assert.rejects(b.sessions.revert(id, second, lastSeq), rejects('cannot_revert'));
    b.model.turns.push(hangs());
    await b.sessions.send(id, 'Third.');
    await b.model.requested(b.model.requests.length + 1);
    await assert.rejects(b.sessions.planRevert(id, second), rejects('already_running'));
    await assert.rejects(b.sessions.revert(id, second, lastSeq), rejects('already_running'));
    const other = bench(memory, [], { disk });
    await assert.rejects(other.sessions.planRevert(id, second), rejects('already_running'));
    await b.sessions.stop(id);
    await assert.rejects(b.sessions.planRevert(id, 'nothing'), rejects('not_found'));
    assert.equal(memory.files.get('a'), 'a4');
  });

  it('leaves a file that somebody changed between two steps: that would be lost', async () => {
    const memory = createMemoryFiles();
    memory.files.set('a', 'a1');
    const b = bench(memory, [edit('c1', 'a', 'a2'), done, edit('c2', 'a', 'a3'), done]);
    const id = await b.ran('First.');
    memory.files.set('a', 'by hand');
    await b.sessions.send(id, 'Second.');
    await b.ended(id);
    const first = b.events(id).find((event) => event.type === 'user_message_added')!;
    assert.deepEqual((await b.sessions.planRevert(id, first.messageId)).left, [{ path: 'a', why: 'changed' }]);
  });

  it('to the middle of a run, before a message that was queued, leaves it stopped and resumable', async () => {
    const memory = createMemoryFiles();
    memory.files.set('a', 'a1');
    const b = bench(memory, []);
    const id = await b.create();
    b.model.turns.push(hangs());
    await b.sessions.send(id, 'First.');
    await b.model.requested(1);
    await b.sessions.send(id, 'Queued.');
    await b.sessions.stop(id);
    b.model.turns.push(edit('c1', 'a', 'a2'), done);
    await b.sessions.resume(id);
    await b.ended(id);
    const queued = b.events(id).findLast((event) => event.type === 'user_message_added')!;
    assert.equal(queued.text, 'Queued.');
    assert.equal((await revertTo(b, id, queued.messageId)).text, 'Queued.');
    const session = await b.sessions.open(id);
    assert.equal(session.name, 'cancelled');
    assert.deepEqual(session.state.queue, []);
    assert.equal(memory.files.get('a'), 'a1');
    b.model.turns.push(done);
    await b.sessions.resume(id);
    assert.equal((await b.ended(id)).name, 'done');
  });

  it('gives the images of the message back with its text, but not one that could not be sent again', async () => {
    const b = bench(createMemoryFiles(), [done, done]);
    const id = await b.ran('First.');
    const image = { mediaType: 'image/png', data: onePixelPng, width: 1, height: 1, name: 'shot.png' } as const;
    await b.sessions.send(id, 'Like this.', { images: [image] });
    await b.ended(id);
    const { messageId } = b.events(id).findLast((event) => event.type === 'user_message_added')!;
    const { state } = await b.sessions.open(id);
    const message = state.reverts.active.findLast((event) => event.type === 'user_message_added')!;
    const damaged = { ...message, images: [{ ...image, data: 'AAA[redacted]' }, image] };
    const active = state.reverts.active.map((event) => (event === message ? damaged : event));
    const changed = { ...state, reverts: { ...state.reverts, active } };
    assert.deepEqual(cutBefore(changed, messageId)?.images, [image]);
    assert.deepEqual((await b.sessions.fork(id, messageId)).message, { text: 'Like this.', images: [image] });
    assert.deepEqual(await revertTo(b, id, messageId), { text: 'Like this.', images: [image] });
  });

  it('removes a program that a step made, and its undo makes it a program again', async () => {
    const memory = createMemoryFiles();
    const { b, id, second } = await twoMessages(memory);
    memory.programs.add('d');
    await revertTo(b, id, second);
    assert.deepEqual([memory.files.has('d'), memory.programs.has('d')], [false, false]);
    await b.sessions.undoRevert(id);
    assert.deepEqual([memory.files.get('d'), memory.programs.has('d')], ['d1', true]);
  });

  it('is never done by a retry: a failed run keeps its files', async () => {
    const memory = createMemoryFiles();
    memory.files.set('a', 'a1');
    const b = bench(memory, [edit('c1', 'a', 'a2'), fails(new Error('broken'))]);
    const id = await b.ran('First.');
    b.model.turns.push(done);
    await b.sessions.resume(id, { mode: 'retry' });
    await b.ended(id);
    assert.equal(memory.files.get('a'), 'a2');
    assert.ok(!b.events(id).some(({ type }) => type === 'revert_started'));
  });
});

describe('forking from a message', () => {
  it('makes a session of what stands before it, and leaves the other one and all files as they are', async () => {
    const memory = createMemoryFiles();
    const { b, id, second } = await twoMessages(memory);
    const before = { events: b.events(id), files: Object.fromEntries(memory.files) };
    const fork = await b.sessions.fork(id, second);
    assert.equal(fork.message.text, 'Second.\nWith more.');
    assert.deepEqual(b.events(id), before.events);
    assert.deepEqual(Object.fromEntries(memory.files), before.files);
    const events = b.events(fork.sessionId);
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    );
    assert.deepEqual(events.slice(0, -2), before.events.slice(0, events.length - 2));
    const session = await b.sessions.open(fork.sessionId);
    assert.equal(session.state.title, 'First. (fork)');
    assert.equal(session.name, 'done');
    assert.equal((await texts(b, fork.sessionId)).at(-1), 'forked from "First."');
    const was = b.model.requests.find(({ messages }) => JSON.stringify(messages).includes('With more.'))!;
    b.model.turns.push(done);
    await b.sessions.send(fork.sessionId, 'Another way.');
    await b.ended(fork.sessionId);
    const request = b.model.requests.at(-1)!;
    assert.equal(
      JSON.stringify(request.messages.slice(0, was.messages.length - 1)),
      JSON.stringify(was.messages.slice(0, -1)),
    );
  });

  it('takes nothing that goes on along: steps, runs and queued messages are the other one’s', async () => {
    const memory = createMemoryFiles();
    const disk = createMemoryDisk();
    const b = bench(
      memory,
      [answer(call('c1', 'run_command', { path: 'd', to: 'for ever' }), call('c2', 'never', {}))],
      {
        disk,
        ownerId: 'window-one',
      },
    );
    const id = await b.create();
    // Killed while the command runs: its step and its run have no end.
    await b.sessions.send(id, 'First.');
    await b.tool('run_command').started(1);
    disk.kill('window-one');
    const other = bench(memory, [done], { disk });
    await other.sessions.send(id, 'Second.');
    await other.ended(id);
    const second = other.events(id).findLast((event) => event.type === 'user_message_added')!;
    const fork = await other.sessions.fork(id, second.messageId);
    const { state } = await other.sessions.open(fork.sessionId);
    assert.deepEqual([...state.openSteps], []);
    assert.equal(state.runs.at(-1)?.end?.outcome, 'cancelled');
    assert.equal(state.steps.get('c1')?.status, 'finished');
  });

  it('after a revert numbers the records anew, and compactions with them', async () => {
    const memory = createMemoryFiles();
    const { b, id, second } = await twoMessages(memory);
    await revertTo(b, id, second);
    b.model.turns.push(done, done);
    await b.sessions.send(id, 'Third.');
    await b.ended(id);
    await b.sessions.send(id, 'Fourth.');
    await b.ended(id);
    const fourth = b.events(id).findLast((event) => event.type === 'user_message_added')!;
    const fork = await b.sessions.fork(id, fourth.messageId);
    const events = b.events(fork.sessionId);
    assert.ok(!events.some((event) => event.type === 'history_reverted'));
    const state = foldEvents(
      { ratchet: 'journal', format: 1, sessionId: fork.sessionId, folder, createdAt: 0 },
      events,
    );
    assert.equal(state.lastSeq, events.length);
    assert.deepEqual(
      state.conversation.filter((entry) => entry.type === 'user_message_added').map(({ text }) => text),
      ['First.', 'Third.'],
    );
  });
});
