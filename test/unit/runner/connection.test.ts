import assert from 'node:assert/strict';
import { builtInAgents } from '../../../src/core/agentRoster.ts';
import { chooseConnection, demoModel, type ConnectionSetup } from '../../../src/core/connection.ts';
import { RatchetError } from '../../../src/core/errors.ts';
import { noAnswerMessage } from '../../../src/core/noConnection.ts';
import { createBench, settings, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { createMemoryDisk } from '../../support/fakes/memoryStore.ts';
import {
  answer,
  call,
  createScriptedModel,
  hangs,
  say,
  type ScriptedModel,
} from '../../support/fakes/scriptedModel.ts';

const claude = 'claude-sonnet-5-5';
const withKey: ConnectionSetup = { provider: 'auto', hasKey: true, host: '', model: claude };
const nothing: ConnectionSetup = { ...withKey, hasKey: false };
const local: ConnectionSetup = { ...nothing, host: 'localhost:11434' };

interface Desk extends Bench {
  readonly demo: ScriptedModel;
  readonly real: ScriptedModel;
  setup: ConnectionSetup;
}

/** A window whose connection is chosen as the editor's is. Any command runs without a question. */
function desk(setup: ConnectionSetup, options: BenchOptions & { readonly real?: ScriptedModel } = {}): Desk {
  const demo = createScriptedModel();
  const real = options.real ?? createScriptedModel();
  const now = { setup };
  const bench = createBench({
    ...options,
    ports: {
      agents: {
        roster: async () => ({ agents: builtInAgents, problems: [] }),
        systemPrompt: async (_folder, { name }) => `You are ${name}.`,
        choice: () => ({}),
      },
      prepareModel: async (choice, answers) => {
        const chosen = chooseConnection(now.setup, choice, answers);
        if (chosen.kind === 'none') throw new RatchetError('no_model', noAnswerMessage(chosen.reason, answers));
        const isDemo = chosen.kind === 'demo';
        const model = isDemo || choice.model === demoModel ? (isDemo ? demoModel : claude) : (choice.model ?? claude);
        return { port: isDemo ? demo : real, settings: { ...settings, model }, connection: chosen.connection };
      },
      ...options.ports,
    },
  });
  return Object.defineProperty(Object.assign(bench, { demo, real, setup }), 'setup', {
    get: () => now.setup,
    set: (next: ConnectionSetup) => {
      now.setup = next;
    },
  });
}

const refused = { code: 'no_model', message: /goes on only with sessions that it began.*Nothing was sent/ };

function assertUntouched(bench: Desk, id: string, before: number): void {
  assert.equal(bench.demo.requests.length, 0, 'the script was asked');
  assert.equal(bench.events(id).length, before, 'something was written');
}

describe('a session that a model has answered, when nothing is set up any more', () => {
  it('is not sent on, resumed, retried, previewed, compacted or resumed by itself; nothing is written', async () => {
    const first = desk(withKey, { real: createScriptedModel([answer(say('Hi.')), hangs('I was')]) });
    const id = await first.ran();
    await first.sessions.send(id, 'More.');
    await first.real.requested(2);
    await first.sessions.shutdown();
    const next = desk(nothing, { disk: first.disk });
    const before = next.events(id).length;
    const { lastSeq } = (await next.sessions.open(id)).state;
    await assert.rejects(next.sessions.send(id, 'Go on.'), refused);
    await assert.rejects(next.sessions.resume(id), refused);
    await assert.rejects(next.sessions.resume(id, { mode: 'retry' }), refused);
    await assert.rejects(next.sessions.resume(id, { auto: { lastSeq } }), refused);
    await assert.rejects(next.sessions.resume(id, { model: demoModel }), refused);
    await assert.rejects(next.sessions.previewResume(id, { mode: 'resume' }, new AbortController().signal), refused);
    assertUntouched(next, id, before);
    next.setup = { ...nothing, provider: 'offlineDemo' };
    await assert.rejects(next.sessions.send(id, 'Go on.'), {
      code: 'no_model',
      message: /^The offline demo is chosen\. /,
    });
    assertUntouched(next, id, before);
    // With a key again it goes on.
    next.setup = withKey;
    await next.sessions.resume(id);
    await next.ended(id);
    assert.equal(next.real.requests.length, 1);
  });

  it('is not compacted by the script either', async () => {
    const turns = Array.from({ length: 30 }, (_, n) =>
      answer(call(`c${String(n)}`, 'note', { text: 'x'.repeat(20_000) })),
    );
    const first = desk(withKey, { real: createScriptedModel(turns) });
    const id = await first.ran();
    const next = desk(nothing, { disk: first.disk });
    const before = next.events(id).length;
    await assert.rejects(next.sessions.compact(id), refused);
    assertUntouched(next, id, before);
  });

  it('stays one when it is forked, and when all of it is reverted', async () => {
    const first = desk(withKey);
    const id = await first.ran();
    const { messageId } = await first.event(id, 'user_message_added');
    first.setup = nothing;
    const fork = await first.sessions.fork(id, messageId);
    assert.equal((await first.sessions.open(fork.sessionId)).state.runs.length, 0);
    await assert.rejects(first.sessions.send(fork.sessionId, 'Another way.'), refused);
    const plan = await first.sessions.planRevert(id, messageId);
    await first.sessions.revert(id, messageId, plan.lastSeq);
    assert.equal((await first.sessions.open(id)).state.runs.length, 0);
    await assert.rejects(first.sessions.send(id, 'Another way.'), refused);
    assert.equal(first.demo.requests.length, 0);
  });

  it('ends honestly where the key vanishes while it delegates', async () => {
    const real = createScriptedModel([answer(call('d1', 'delegate', { agent: 'work', task: 'Look.' }))]);
    const bench = desk(withKey, { real });
    const id = await bench.create();
    bench.disk.beforeWrite = ((write) => (events, durable) => {
      // Gone in the moment in which the model has asked for the agent.
      if (events.some(({ type }) => type === 'assistant_message_completed')) bench.setup = nothing;
      write(events, durable);
    })(bench.disk.beforeWrite);
    await bench.sessions.send(id, 'Go.');
    const session = await bench.ended(id);
    assert.equal(session.name, 'failed');
    assert.equal(session.state.runs.at(-1)?.end?.error?.code, 'no_model');
    assert.equal(bench.demo.requests.length, 0);
  });

  it('is refused where another window gave it to a model while the script was got ready', async () => {
    const disk = createMemoryDisk();
    const one = desk(nothing, { disk });
    const id = await one.ran();
    assert.equal(one.demo.requests.length, 1);
    const other = desk(withKey, { disk });
    const late = createBench({
      disk,
      ports: {
        prepareModel: async (choice, answers) => {
          const prepared = await one.ports.prepareModel(choice, answers);
          await other.sessions.send(id, 'By a model.');
          await other.ended(id);
          return prepared;
        },
      },
    });
    await assert.rejects(late.sessions.send(id, 'By the script.'), refused);
    assert.equal(one.demo.requests.length, 1);
  });

  it('that came in a file is not answered by the script, and what it ran with elsewhere chooses nothing', async () => {
    const first = desk(nothing);
    const id = await first.ran();
    const disk = createMemoryDisk();
    const importer = createBench({ disk });
    const copy = await importer.create();
    const writer = await (await importer.sessions.open(copy)).stored.claim(() => undefined);
    assert.ok(writer);
    await writer.appendDurable([
      ...first.events(id).map(({ seq: _seq, at: _at, ...event }) => event),
      { type: 'model_chosen', model: 'vscode:evil/x/y' },
      { type: 'session_imported', from: { sessionId: id, folderPath: '/x', createdAt: 1 }, records: 1, unreadable: 0 },
    ] as never);
    await writer.close();
    const next = desk(nothing, { disk });
    await assert.rejects(next.sessions.resume(copy), { code: 'no_model', message: /This session was imported/ });
    next.setup = withKey;
    await next.sessions.resume(copy);
    await next.ended(copy);
    assert.equal(next.real.requests[0]?.model, claude);
  });
});

describe('a session of the demo', () => {
  it('goes on with the demo, then with a model, and never back; each is on record', async () => {
    const bench = desk(nothing);
    const id = await bench.ran();
    await bench.sessions.send(id, 'Again.');
    await bench.ended(id);
    assert.equal(bench.demo.requests.length, 2);
    bench.setup = local;
    await bench.sessions.send(id, 'By a model now.');
    await bench.ended(id);
    bench.setup = nothing;
    await assert.rejects(bench.sessions.send(id, 'And back.'), refused);
    assert.deepEqual(
      bench.events(id).flatMap((event) => (event.type === 'run_started' ? [event.connection] : [])),
      [{ provider: 'demo' }, { provider: 'demo' }, { provider: 'anthropic', host: 'localhost:11434' }],
    );
    const notices = (await bench.sessions.open(id))
      .page(100)
      .items.flatMap((item) => (item.kind === 'notice' ? [[item.level, item.text]] : []));
    assert.deepEqual(notices, [
      ['warning', 'Answered by the offline demo (a script) until now; from here on by the server localhost:11434.'],
    ]);
  });
});
