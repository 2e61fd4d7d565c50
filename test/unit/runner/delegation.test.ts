import assert from 'node:assert/strict';
import { builtInAgents, type AgentDefinition } from '../../../src/core/agentRoster.ts';
import type { EventOf, SessionEvent } from '../../../src/core/events.ts';
import type { ModelRequest } from '../../../src/core/messages.ts';
import type { SessionPorts } from '../../../src/runner/sessionPorts.ts';
import { ModelError } from '../../../src/runner/ports.ts';
import { createBench, settings, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { succeeded, untilStopped, type FakeToolOptions } from '../../support/fakes/fakeTools.ts';
import { createRoutedModel, type RoutedModel } from '../../support/fakes/routedModel.ts';
import { answer, call, fails, hangs, say, stopped, type ModelTurn } from '../../support/fakes/scriptedModel.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';

const main = 'Do the job.';
const shell: FakeToolOptions = { name: 'run_command', effect: 'command' };
const hangsAt =
  (...hanging: readonly unknown[]): NonNullable<FakeToolOptions['run']> =>
  (input, context) =>
    hanging.includes(input.n) ? untilStopped(input, context) : succeeded(`ran ${String(input.n)}`);

interface Stage {
  readonly bench: Bench;
  readonly model: RoutedModel;
  /** What the model was asked for, as `prepareModel` was. */
  readonly chosen: readonly Parameters<SessionPorts['prepareModel']>[0][];
}

function stageOf(
  scripts: Readonly<Record<string, readonly ModelTurn[]>>,
  options: BenchOptions & {
    readonly agents?: readonly AgentDefinition[];
    readonly set?: SessionPorts['agents']['choice'];
  } = {},
): Stage {
  const model = createRoutedModel(scripts);
  const chosen: Parameters<SessionPorts['prepareModel']>[0][] = [];
  const bench = createBench({
    tools: [shell, { name: 'read' }],
    ...options,
    ports: {
      agents: {
        roster: async () => ({ agents: [...builtInAgents, ...(options.agents ?? [])], problems: [] }),
        systemPrompt: async (_folder, { name }) => `You are ${name}.`,
        choice: options.set ?? (() => ({})),
      },
      prepareModel: async (choice) => {
        chosen.push(choice);
        return {
          port: model,
          settings: { ...settings, ...options.settings, ...(choice.model !== undefined && { model: choice.model }) },
        };
      },
      ...options.ports,
    },
  });
  return { bench, model, chosen };
}

const delegate = (id: string, agent: string, task: string): ReturnType<typeof call> =>
  call(id, 'delegate', { agent, task, label: `About ${task}` });
const run = (id: string, n: number): ReturnType<typeof call> => call(id, 'run_command', { n });

function resultOf(events: readonly SessionEvent[], stepId: string): EventOf<'step_finished'> | undefined {
  return events.find((event) => event.type === 'step_finished' && event.stepId === stepId) as
    EventOf<'step_finished'> | undefined;
}

function assertPrefix(shorter: ModelRequest, longer: ModelRequest): void {
  assert.equal(JSON.stringify(longer.system), JSON.stringify(shorter.system));
  assert.equal(JSON.stringify(longer.tools), JSON.stringify(shorter.tools));
  const [a, b] = [shorter, longer].map(({ messages }) => messages.map((message) => JSON.stringify(message)));
  assert.deepEqual(b?.slice(0, a?.length), a);
}

/** Two agents with a command each, the second of which hangs; killed there. Gives the window that comes after. */
async function cutInside(): Promise<{ readonly first: Stage; readonly id: string }> {
  const first = stageOf(
    {
      [main]: [answer(delegate('d1', 'work', 'one'), delegate('d2', 'work', 'two'))],
      one: [answer(run('a1', 1)), answer(run('a2', 2))],
      two: [answer(run('b1', 3)), answer(run('b2', 4))],
    },
    { ownerId: 'first', tools: [{ ...shell, run: hangsAt(2, 4) }] },
  );
  const id = await first.bench.create();
  await first.bench.sessions.send(id, main);
  await first.bench.tool('run_command').started(4);
  return { first, id };
}

describe('a delegation', () => {
  it('runs an agent in a conversation of its own and answers with its final text', async () => {
    const { bench, model } = stageOf({
      [main]: [answer(delegate('d1', 'work', 'one')), answer(say('All done.'))],
      one: [answer(say('I run it.'), run('a1', 1)), answer(say('It ran.'))],
    });
    const id = await bench.ran(main);
    const events = bench.events(id);
    assert.equal(resultOf(events, 'd1')?.content, 'It ran.');
    assert.equal(resultOf(events, 'd1')?.agentId, undefined);
    const { agentId } = await bench.event(id, 'agent_started');
    assert.equal(resultOf(events, 'a1')?.agentId, agentId);
    const session = await bench.ended(id);
    assert.equal(session.name, 'done');
    assert.equal(session.state.agents.get(agentId)?.end?.outcome, 'done');
    // Nothing of the agent's in the session's own conversation, and the other way round.
    assert.equal(JSON.stringify(model.of(main).requests).includes('I run it.'), false);
    assert.equal(JSON.stringify(model.of('one').requests).includes(main), false);
    const [own] = model.of('one').requests;
    assert.deepEqual(own?.system, [{ type: 'text', text: 'You are work.' }]);
    assert.deepEqual(
      own.tools.map(({ name }) => name),
      ['run_command', 'read'],
    );
    assert.deepEqual(
      model.of(main).requests[0]?.tools.map(({ name }) => name),
      ['run_command', 'read', 'delegate'],
    );
    assert.equal(session.state.usage.outputTokens, 4 * 5);
    assert.equal(session.state.runs.at(-1)?.usage.outputTokens, 4 * 5);
  });

  it('is on disk before the agent asks, and its end is one write with the end of its step', async () => {
    const { bench } = stageOf({ [main]: [answer(delegate('d1', 'explore', 'one'))] });
    await bench.ran(main);
    const at = (action: string): number => bench.actions.indexOf(action);
    assert.ok(at('durable step_started') < at('durable agent_started'));
    assert.ok(at('durable agent_started') < bench.actions.lastIndexOf('durable assistant_message_completed'));
    assert.equal(bench.actions[at('durable agent_ended') + 1], 'durable step_finished');
  });

  it('gives an agent the tools it is allowed and refuses the others', async () => {
    const { bench, model } = stageOf({
      [main]: [answer(delegate('d1', 'explore', 'one'))],
      one: [answer(run('a1', 1), delegate('a2', 'work', 'deeper'))],
    });
    const id = await bench.ran(main);
    assert.deepEqual(
      model.of('one').requests[0]?.tools.map(({ name }) => name),
      ['read'],
    );
    assert.match(resultOf(bench.events(id), 'a1')?.content ?? '', /no tool named "run_command"/);
    assert.match(resultOf(bench.events(id), 'a2')?.content ?? '', /no tool named "delegate"/);
    assert.deepEqual(bench.tool('run_command').effects, []);
  });

  it('to an agent that is not there fails in words that help', async () => {
    const { bench } = stageOf({
      [main]: [answer(delegate('d1', 'nobody', 'one'), call('d2', 'delegate', { agent: 'work', task: ' ' }))],
    });
    const id = await bench.ran(main);
    assert.match(resultOf(bench.events(id), 'd1')?.content ?? '', /no agent named "nobody".*explore, work/);
    assert.match(resultOf(bench.events(id), 'd2')?.content ?? '', /task: must not be empty/);
  });

  it('asks for what an agent may not do by itself, several at once', async () => {
    const { bench } = stageOf(
      {
        [main]: [answer(delegate('d1', 'work', 'one'), delegate('d2', 'work', 'two'))],
        one: [answer(run('a1', 1))],
        two: [answer(run('b1', 2))],
      },
      { approvalMode: 'ask' },
    );
    const id = await bench.create();
    await bench.sessions.send(id, main);
    for (const stepId of ['a1', 'b1']) await bench.event(id, 'approval_requested', (event) => event.stepId === stepId);
    const session = await bench.sessions.open(id);
    while (session.waitingApprovals.length < 2) await Promise.resolve();
    const cards = ['d1', 'd2'].map((card) => session.transcript.item(card));
    assert.deepEqual(
      cards.map(
        (card) => card?.kind === 'step' && card.agent?.waiting.map(({ id: stepId, verb }) => `${stepId} ${verb}`),
      ),
      [['a1 Wants to run'], ['b1 Wants to run']],
    );
    await bench.sessions.approve(id, 'b1', 'deny', 'not that');
    await bench.sessions.approve(id, 'a1', 'allow');
    await bench.ended(id);
    assert.deepEqual(bench.tool('run_command').effects, [{ n: 1 }]);
    assert.equal(resultOf(bench.events(id), 'b1')?.outcome, 'denied');
  });

  it('side by side runs at the same time, at most four; other calls keep their order', async () => {
    const tasks = ['one', 'two', 'three', 'four', 'five'];
    const { bench, model } = stageOf({
      [main]: [answer(run('c0', 0), ...tasks.map((task) => delegate(`d-${task}`, 'explore', task)), run('c1', 9))],
      ...Object.fromEntries(tasks.map((task) => [task, [hangs()]])),
    });
    const id = await bench.create();
    await bench.sessions.send(id, main);
    await Promise.all(tasks.slice(0, 4).map((task) => model.of(task).requested(1)));
    assert.equal(model.of('five').requests.length, 0);
    assert.deepEqual(bench.tool('run_command').effects, [{ n: 0 }]);
    await bench.sessions.stop(id);
    assert.deepEqual(bench.tool('run_command').effects, [{ n: 0 }]);
  });

  it('gives calls of two agents that have the same id one each', async () => {
    const { bench } = stageOf({
      [main]: [answer(delegate('d1', 'work', 'one'), delegate('d2', 'work', 'two'))],
      one: [answer(run('call_1', 1))],
      two: [answer(run('call_1', 2))],
    });
    const id = await bench.ran(main);
    const started = bench.events(id).filter((event) => event.type === 'step_started' && event.tool === 'run_command');
    assert.equal(new Set(started.map((event) => event.type === 'step_started' && event.stepId)).size, 2);
  });

  it('keeps the conversation of the agent within the window, and leaves the other one alone', async () => {
    const { bench, model } = stageOf(
      {
        [main]: [answer(delegate('d1', 'work', 'one'))],
        one: [...Array.from({ length: 12 }, (_, n) => answer(run(`a${String(n)}`, n))), answer(say('Done.'))],
      },
      {
        tools: [{ ...shell, run: () => succeeded('x'.repeat(4_000)) }],
        settings: { contextWindow: 12_000, maxTokens: 1_000 },
      },
    );
    const id = await bench.ran(main);
    const edits = bench.events(id).filter(({ type }) => type === 'results_trimmed' || type === 'history_compacted');
    assert.ok(edits.length > 0, 'the window was never full');
    const { agentId } = await bench.event(id, 'agent_started');
    assert.ok(edits.every((event) => 'agentId' in event && event.agentId === agentId));
    for (const request of model.of('one').requests) assert.equal(validateRequest(request), undefined);
    assert.match(resultOf(bench.events(id), 'd1')?.content ?? '', /Done\./);
  });

  it('fails alone when the agent cannot go on, and with the run when the model cannot be reached', async () => {
    const { bench } = stageOf({
      [main]: [answer(delegate('d1', 'explore', 'one')), answer(delegate('d2', 'explore', 'two'))],
      one: [stopped('refusal', say('No.'))],
      two: [fails(new ModelError({ code: 'key_refused', kind: 'terminal', message: 'The key was refused.' }))],
    });
    const id = await bench.ran(main);
    assert.match(resultOf(bench.events(id), 'd1')?.content ?? '', /did not come to its end\. The model declined/);
    assert.equal((await bench.ended(id)).name, 'failed');
    assert.equal(resultOf(bench.events(id), 'd2'), undefined);
    assert.equal((await bench.event(id, 'run_ended')).error?.code, 'key_refused');
  });

  it('that fails with the run stops the one beside it, and both go on in the retry', async () => {
    const { bench, model } = stageOf(
      {
        [main]: [answer(delegate('d1', 'work', 'one'), delegate('d2', 'work', 'two'))],
        one: [answer(run('a1', 1)), answer(say('One is done.'))],
        two: [
          fails(new ModelError({ code: 'key_refused', kind: 'terminal', message: 'No.' })),
          answer(say('Two is done.')),
        ],
      },
      {
        tools: [
          {
            ...shell,
            run: (input, context) =>
              bench.tool('run_command').effects.length === 1 ? untilStopped(input, context) : succeeded('ran'),
          },
        ],
      },
    );
    const id = await bench.ran(main);
    const session = await bench.ended(id);
    assert.equal(session.name, 'failed');
    assert.deepEqual([...session.state.openSteps].sort(), ['a1', 'd1', 'd2']);
    await bench.sessions.resume(id, { mode: 'retry' });
    await bench.ended(id);
    assert.deepEqual(
      ['d1', 'd2'].map((step) => resultOf(bench.events(id), step)?.content),
      ['One is done.', 'Two is done.'],
    );
    assert.equal(model.of(main).requests.length, 2);
  });
});

describe('a delegation that was cut', () => {
  for (const how of ['killed', 'stopped'] as const) {
    it(`(${how}) goes on inside: what was done stays done, and each conversation keeps its bytes`, async () => {
      const { first, id } = await cutInside();
      if (how === 'killed') first.bench.disk.kill('first');
      else await first.bench.sessions.stop(id);
      const stage = stageOf(
        { one: [answer(say('One is done.'))], two: [answer(say('Two is done.'))] },
        { disk: first.bench.disk, ownerId: 'second', tools: [shell] },
      );
      await stage.bench.sessions.resume(id);
      assert.equal((await stage.bench.ended(id)).name, 'done');
      const events = stage.bench.events(id);
      // A stopped command is told as stopped; one that was cut with the host runs again here, since the tool says so.
      const again = stage.bench.tool('run_command').effects.map(({ n }) => n);
      assert.deepEqual(again.sort(), how === 'killed' ? [2, 4] : []);
      assert.equal(events.filter(({ type }) => type === 'agent_started').length, 2);
      assert.equal(events.filter(({ type }) => type === 'agent_resumed').length, 2);
      assert.deepEqual(
        ['d1', 'd2'].map((step) => resultOf(events, step)?.content),
        ['One is done.', 'Two is done.'],
      );
      for (const words of ['one', 'two', main]) {
        const cut = first.model.of(words).requests.at(-1);
        const resumed = stage.model.of(words).requests[0];
        assert.ok(cut && resumed);
        assertPrefix(cut, resumed);
        assert.equal(validateRequest(resumed), undefined);
      }
      const [inside] = stage.model.of('one').requests;
      assert.match(JSON.stringify(inside?.messages), /Your work was interrupted and goes on now/);
      const told = JSON.stringify(stage.model.of(main).requests[0]?.messages);
      assert.match(told, /Delegating to work: About one: had been cut and went on where it was; finished/);
      assert.match(told, /\[work: call run_command\]/);
    });
  }

  it('is given up when a message comes instead, with nothing started', async () => {
    const { first, id } = await cutInside();
    first.bench.disk.kill('first');
    const stage = stageOf({}, { disk: first.bench.disk, ownerId: 'second', tools: [shell] });
    await stage.bench.sessions.send(id, 'Never mind.');
    const session = await stage.bench.ended(id);
    assert.equal(session.name, 'done');
    const events = stage.bench.events(id);
    for (const step of ['d1', 'd2']) {
      assert.equal(resultOf(events, step)?.outcome, 'cut');
      assert.match(resultOf(events, step)?.content ?? '', /Cut while the agent was at work, after 2 steps/);
    }
    assert.deepEqual(stage.bench.tool('run_command').effects, []);
    assert.deepEqual(
      [...session.state.agents.values()].map(({ end }) => end?.outcome),
      ['cut', 'cut'],
    );
    assert.equal(session.state.openSteps.size, 0);
    assert.equal(validateRequest(stage.model.of(main).requests[0]), undefined);
    assert.equal(stage.model.of('one').requests.length, 0);
  });

  it('is answered with what the agent said, when only its end was not recorded', async () => {
    const first = stageOf(
      { [main]: [answer(delegate('d1', 'explore', 'one'))], one: [answer(say('Found it.'))] },
      { ownerId: 'first' },
    );
    first.bench.disk.beforeWrite = (events) => {
      if (events.some(({ type }) => type === 'agent_ended')) first.bench.disk.kill('first');
    };
    const id = await first.bench.create();
    await first.bench.sessions.send(id, main);
    await first.bench.event(id, 'assistant_message_completed', ({ agentId }) => agentId !== undefined);
    while (!first.bench.disk.dead.has('first')) await Promise.resolve();
    first.bench.disk.beforeWrite = () => undefined;
    const stage = stageOf({}, { disk: first.bench.disk, ownerId: 'second' });
    await stage.bench.sessions.resume(id);
    await stage.bench.ended(id);
    assert.equal(stage.model.of('one').requests.length, 0);
    assert.equal(resultOf(stage.bench.events(id), 'd1')?.content, 'Found it.');
  });
});

describe('the model of an agent', () => {
  const reviewer: AgentDefinition = {
    name: 'reviewer',
    description: 'Reviews.',
    instructions: 'Review.',
    model: 'of-file',
  };
  const scripts = { [main]: [answer(delegate('d1', 'reviewer', 'one'), delegate('d2', 'explore', 'two'))] };

  async function models(stage: Stage, id: string): Promise<readonly (string | undefined)[]> {
    await stage.bench.ended(id);
    return stage.chosen.map(({ model }) => model);
  }

  it('is the one of the settings, else of its file, else of the session', async () => {
    const plain = stageOf(scripts, { agents: [reviewer] });
    assert.deepEqual(await models(plain, await plain.bench.ran(main)), [undefined, 'of-file', settings.model]);
    const set = stageOf(scripts, {
      agents: [reviewer],
      set: (name) => (name === 'reviewer' ? { model: 'of-settings', thinking: 'off' } : {}),
    });
    assert.deepEqual(await models(set, await set.bench.ran(main)), [undefined, 'of-settings', settings.model]);
    assert.equal(set.chosen[1]?.thinking, 'off');
  });

  it('is what the resume says, for one that goes on too, and is recorded', async () => {
    const { first, id } = await cutInside();
    first.bench.disk.kill('first');
    const stage = stageOf(
      {},
      { disk: first.bench.disk, ownerId: 'second', tools: [shell], set: () => ({ model: 'of-settings' }) },
    );
    await stage.bench.sessions.resume(id, { agentModels: { work: 'of-resume' }, agentThinking: { work: 'off' } });
    assert.deepEqual(await models(stage, id), ['claude-opus-4-8', 'of-resume', 'of-resume']);
    assert.equal(stage.chosen[1]?.thinking, 'off');
    const resumed = await stage.bench.event(id, 'agent_resumed');
    assert.equal(resumed.model, 'of-resume');
  });

  it('of one that is not there refuses the resume in words, and nothing is written', async () => {
    const { first, id } = await cutInside();
    first.bench.disk.kill('first');
    const stage = stageOf({}, { disk: first.bench.disk, ownerId: 'second', tools: [shell] });
    const before = stage.bench.events(id).length;
    await assert.rejects(stage.bench.sessions.resume(id, { agentModels: { wrok: 'x' } }), {
      code: 'unknown_agent',
      message: 'There is no agent named "wrok" in this folder. There are: explore, work.',
    });
    assert.equal(stage.bench.events(id).length, before);
  });
});
