import assert from 'node:assert/strict';
import process from 'node:process';
import * as vscode from 'vscode';
import type { RatchetApi } from '../../src/api.ts';
import { httpError, message, text, toolUse } from '../support/messagesServer/reply.ts';
import {
  startMessagesServer,
  type MessagesServer,
  type Script,
} from '../support/messagesServer/startMessagesServer.ts';
import { PublishedEvents, ratchetApi } from '../support/session/hostApi.ts';

const answers: Script = () => text('Done.');

describe('the API that activate() returns', () => {
  let api: RatchetApi;
  let server: MessagesServer;
  const configuration = () => vscode.workspace.getConfiguration('ratchet');
  const listeners: { dispose(): void }[] = [];

  before(async () => {
    api = await ratchetApi();
    server = await startMessagesServer();
    process.env.ANTHROPIC_API_KEY = server.apiKey;
    await configuration().update('anthropic.baseUrl', server.url, vscode.ConfigurationTarget.Global);
    await configuration().update('approvalMode', 'allowAll', vscode.ConfigurationTarget.Global);
  });

  beforeEach(() => {
    server.script = answers;
  });

  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.dispose();
    assert.deepEqual(
      server.refused.map(({ error }) => error),
      [],
    );
    assert.deepEqual(server.scriptErrors, []);
  });

  after(async () => {
    delete process.env.ANTHROPIC_API_KEY;
    for (const key of ['anthropic.baseUrl', 'approvalMode']) {
      await configuration().update(key, undefined, vscode.ConfigurationTarget.Global);
    }
    await server.close();
  });

  async function newSession(): Promise<{ readonly id: string; readonly events: PublishedEvents }> {
    const { id, state } = await api.createSession();
    assert.equal(state, 'created');
    const events = new PublishedEvents(api, id);
    listeners.push(events);
    return { id, events };
  }

  /** A script that says nothing until it is told to. */
  function held(): { readonly script: Script; readonly release: () => void } {
    const gate = Promise.withResolvers<undefined>();
    return {
      script: async () => {
        await gate.promise;
        return text('Done at last.');
      },
      release: () => {
        gate.resolve(undefined);
      },
    };
  }

  async function stateOf(id: string): Promise<string | undefined> {
    return (await api.listSessions()).find((session) => session.id === id)?.state;
  }

  it('creates, lists and runs sessions of the open folder', async () => {
    const first = await newSession();
    const second = await newSession();
    await api.sendMessage(first.id, 'Say that it is done.');
    await first.events.ended();
    const listed = await api.listSessions();
    const ours = listed.filter(({ id }) => id === first.id || id === second.id);
    assert.deepEqual(
      ours.map(({ id, title }) => ({ id, title })),
      [
        { id: first.id, title: 'Say that it is done.' },
        { id: second.id, title: '' },
      ],
    );
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.equal(ours[0]?.folder.uri, folder?.uri.toString());
    assert.equal(first.events.of('run_ended')[0]?.outcome, 'done');
    assert.equal(first.events.of('session_resumed').length, 0);
  });

  it('refuses a session that it does not know', async () => {
    const unknown = '01AAAAAAAAAAAAAAAAAAAAAAAA';
    await assert.rejects(api.resumeSession(unknown), { code: 'not_found' });
    await assert.rejects(api.sendMessage(unknown, 'Hello'), { code: 'not_found' });
    await assert.rejects(api.stopSession(unknown), { code: 'not_found' });
    await assert.rejects(api.resumeSession('../escape'), { code: 'not_found' });
  });

  it('refuses a folder that is not open, and a message without words', async () => {
    await assert.rejects(api.createSession('file:///not/open'), { code: 'no_folder' });
    const { id } = await newSession();
    await assert.rejects(api.sendMessage(id, ' \n'), { code: 'empty_message' });
  });

  it('has nothing to resume in an empty session', async () => {
    const { id } = await newSession();
    for (const mode of ['resume', 'retry'] as const) {
      await assert.rejects(api.resumeSession(id, { mode }), { code: 'nothing_to_resume' });
    }
    assert.equal(await stateOf(id), 'created');
  });

  it('refuses a second run, queues a message, and the first run goes on undisturbed', async () => {
    const { id, events } = await newSession();
    const { script, release } = held();
    server.script = script;
    const asked = server.nextRequest();
    await api.sendMessage(id, 'Take your time.');
    const request = await asked;
    assert.equal(await stateOf(id), 'running');
    await assert.rejects(api.resumeSession(id), { code: 'already_running' });
    await assert.rejects(api.resumeSession(id, { mode: 'retry' }), { code: 'already_running' });
    assert.deepEqual(await api.sendMessage(id, 'And this?'), { status: 'queued' });
    assert.equal((await events.waitFor('message_queued')).text, 'And this?');
    assert.equal(await stateOf(id), 'running');
    release();
    assert.equal((await events.ended()).outcome, 'done');
    assert.equal(await request.finished, 'sent');
    assert.equal(events.of('run_started').length, 1);
    assert.equal(events.of('session_resumed').length, 0);
    assert.deepEqual(
      events.of('user_message_added').map(({ text: words }) => words),
      ['Take your time.', 'And this?'],
    );
  });

  it('lets one of two resumes at the same moment win', async () => {
    const { id, events } = await newSession();
    server.script = () => httpError(403);
    await api.sendMessage(id, 'Fail first.');
    await events.ended();
    server.script = answers;
    const results = await Promise.allSettled([api.resumeSession(id), api.resumeSession(id)]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    await events.ended(2);
    assert.equal(events.of('session_resumed').length, 1);
  });

  /** How to bring a session into a state from which it is resumed. */
  const endings: readonly {
    readonly state: 'failed' | 'cancelled' | 'done' | 'timed_out';
    readonly bring: (id: string, events: PublishedEvents) => Promise<void>;
  }[] = [
    {
      state: 'failed',
      bring: async (id) => {
        server.script = () => httpError(403);
        await api.sendMessage(id, 'Go.');
      },
    },
    {
      state: 'cancelled',
      bring: async (id) => {
        const { script, release } = held();
        server.script = script;
        const asked = server.nextRequest();
        await api.sendMessage(id, 'Go.');
        await asked;
        await api.stopSession(id);
        release();
      },
    },
    {
      state: 'timed_out',
      bring: async (id, events) => {
        await configuration().update('run.timeoutMinutes', 0.005, vscode.ConfigurationTarget.Global);
        const { script, release } = held();
        server.script = script;
        await api.sendMessage(id, 'Go.');
        await events.ended();
        await configuration().update('run.timeoutMinutes', undefined, vscode.ConfigurationTarget.Global);
        release();
      },
    },
    {
      state: 'done',
      bring: async (id) => {
        await api.sendMessage(id, 'Go.');
      },
    },
  ];
  for (const { state, bring } of endings) {
    for (const mode of ['resume', 'retry'] as const) {
      it(`publishes session_resumed once, before the first request, for "${mode}" of a session that is ${state}`, async () => {
        const { id, events } = await newSession();
        await bring(id, events);
        await events.ended();
        assert.equal(await stateOf(id), state);
        server.script = answers;
        const asked = server.nextRequest();
        const result = await api.resumeSession(id, { mode });
        assert.deepEqual(result, { status: 'resumed', mode, priorState: state });
        assert.equal(events.of('session_resumed').length, 1, 'published when the promise resolves');
        await asked;
        assert.equal((await events.ended(2)).outcome, 'done');
        assert.deepEqual(
          events.of('session_resumed').map(({ mode, priorState }) => ({ mode, priorState })),
          [{ mode, priorState: state }],
        );
        assert.equal(await stateOf(id), 'done');
      });
    }
  }

  it('stops a run and resumes it with another model and without thinking', async () => {
    const { id, events } = await newSession();
    server.script = (_request, { messageNumber }) =>
      message([
        toolUse('run_command', { command: `echo ${messageNumber}` }),
        toolUse('run_command', { command: 'sleep 60' }),
      ]);
    await api.sendMessage(id, 'Sleep a minute.');
    await events.waitFor('step_started', 2);
    await api.stopSession(id);
    assert.equal(events.of('run_ended')[0]?.outcome, 'cancelled');
    server.script = answers;
    const asked = server.nextRequest();
    await api.resumeSession(id, { model: 'claude-opus-5-5', thinking: 'off' });
    const { body } = await asked;
    assert.ok(typeof body === 'object' && body !== null && 'model' in body);
    assert.equal(body.model, 'claude-opus-5-5');
    assert.equal('thinking' in body, false);
    assert.equal((await events.ended(2)).outcome, 'done');
  });

  it('takes a model and thinking for an agent on a resume, and refuses an agent that is not there', async () => {
    const { id, events } = await newSession();
    server.script = (body) =>
      JSON.stringify(body.messages[0]).includes('Look around.')
        ? message([toolUse('read', { file_path: 'nothing' })])
        : message([toolUse('delegate', { agent: 'explore', task: 'Look around.' })]);
    await api.sendMessage(id, 'Delegate.');
    const { agentId } = await events.waitFor('agent_started');
    await api.stopSession(id);
    await assert.rejects(api.resumeSession(id, { agentModels: { explorer: 'x' } }), { code: 'unknown_agent' });
    server.script = answers;
    await api.resumeSession(id, { agentModels: { explore: 'claude-haiku-4-5' }, agentThinking: { explore: 'off' } });
    const resumed = await events.waitFor('agent_resumed');
    assert.deepEqual([resumed.agentId, resumed.model, resumed.thinking], [agentId, 'claude-haiku-4-5', 'off']);
    assert.equal((await events.ended(2)).outcome, 'done');
  });

  it('tells of each change of a session, running from the moment of the launch', async () => {
    const { id, events } = await newSession();
    const states: string[] = [];
    listeners.push(
      api.onDidChangeSession((session) => {
        if (session.id === id && states.at(-1) !== session.state) states.push(session.state);
      }),
    );
    await api.sendMessage(id, 'Go.');
    await events.ended();
    assert.deepEqual(states, ['running', 'done']);
  });
});
