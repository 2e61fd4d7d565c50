import assert from 'node:assert/strict';
import {
  chooseConnection,
  connectionOf,
  demoModel,
  foldAnswers,
  isSameConnection,
  noAnswers,
  type Answers,
  type ConnectionSetup,
} from '../../../src/core/connection.ts';
import type { NewEvent, SessionEvent } from '../../../src/core/events.ts';
import { changeText, noAnswer } from '../../../src/core/noConnection.ts';
import { oneOfEach as e } from '../../support/fakes/oneOfEach.ts';

const claude = 'claude-sonnet-5-5';
const copilot = 'vscode:copilot/gpt-5/gpt-5';
const bare: ConnectionSetup = { provider: 'auto', hasKey: false, host: '', model: claude };
const byModel: Answers = { by: 'model', last: { provider: 'anthropic', host: 'api.anthropic.com' } };
const byDemo: Answers = { by: 'demo', last: { provider: 'demo' } };
const imported: Answers = { by: 'elsewhere' };

const run = (model: string, connection?: { provider: string; host?: string }): NewEvent => {
  const { connection: _connection, ...started } = e.run_started;
  return { ...started, model, ...(connection && { connection }) };
};
function answersOf(...events: readonly NewEvent[]): Answers {
  const written = events.map((event, index): SessionEvent => ({ seq: index + 1, at: 1_000, ...event }));
  return written.reduce(foldAnswers, noAnswers);
}

describe('which connection answers', () => {
  const table: readonly (readonly [
    what: string,
    setup: Partial<ConnectionSetup>,
    wanted: { model?: string; instead?: string },
    answers: Answers,
    chosen: string,
  ])[] = [
    ['nothing set up, a new session', {}, {}, noAnswers, 'demo'],
    ['nothing set up, a session of the demo', {}, { model: demoModel }, byDemo, 'demo'],
    ['nothing set up, a session that a model answered', {}, { model: claude }, byModel, 'none demo_stays_out'],
    ['nothing set up, a session that came in a file', {}, {}, imported, 'none demo_stays_out'],
    ['the demo is chosen, a new session', { provider: 'offlineDemo', hasKey: true }, {}, noAnswers, 'demo chosen'],
    ['the demo is chosen, a session of the demo', { provider: 'offlineDemo' }, {}, byDemo, 'demo chosen'],
    [
      'the demo is chosen, a session that a model answered',
      { provider: 'offlineDemo', hasKey: true },
      {},
      byModel,
      'none demo_chosen',
    ],
    [
      'the demo is chosen, a session of the editor',
      { provider: 'offlineDemo' },
      { model: copilot },
      byModel,
      'none demo_chosen',
    ],
    ['no key where one is wanted', { provider: 'anthropic' }, {}, noAnswers, 'none no_key'],
    ['no key where one is wanted, a session of the demo', { provider: 'anthropic' }, {}, byDemo, 'none no_key'],
    ['a key', { hasKey: true }, {}, noAnswers, 'server api.anthropic.com'],
    ['a key, a session of the demo', { hasKey: true }, { model: demoModel }, byDemo, 'server api.anthropic.com'],
    ['an address without a key', { host: 'localhost:11434' }, {}, byModel, 'server localhost:11434'],
    ['an address and a key', { hasKey: true, host: 'gateway' }, {}, byModel, 'server gateway'],
    ['the setting names a model of the editor', { model: copilot }, {}, noAnswers, 'editor copilot'],
    ['a session with a model of the editor', {}, { model: copilot }, byModel, 'editor copilot'],
    ['the same beside a server', { hasKey: true }, { model: copilot }, byModel, 'editor copilot'],
    [
      'an agent that names a model of a server that is not there',
      {},
      { model: claude, instead: copilot },
      byModel,
      'editor copilot',
    ],
    [
      'an agent that names one where nothing is left',
      {},
      { model: claude, instead: claude },
      byModel,
      'none demo_stays_out',
    ],
  ];
  for (const [what, setup, wanted, answers, expected] of table) {
    it(`${what}: ${expected}`, () => {
      const chosen = chooseConnection({ ...bare, ...setup }, wanted, answers);
      const said =
        chosen.kind === 'none'
          ? `none ${chosen.reason}`
          : chosen.kind === 'demo'
            ? `demo${chosen.isChosen ? ' chosen' : ''}`
            : `${chosen.kind} ${chosen.connection.host ?? ''}`;
      assert.equal(said, expected);
    });
  }

  it('is never the demo where a model has answered, whatever is set up and wanted', () => {
    for (const provider of ['auto', 'anthropic', 'offlineDemo'] as const)
      for (const hasKey of [true, false])
        for (const host of ['', 'localhost:11434'])
          for (const model of [claude, copilot])
            for (const wanted of [undefined, demoModel, claude, copilot])
              for (const answers of [byModel, imported]) {
                const setup = { provider, hasKey, host, model };
                const chosen = chooseConnection(setup, wanted === undefined ? {} : { model: wanted }, answers);
                assert.notEqual(chosen.kind, 'demo', JSON.stringify({ setup, wanted, answers }));
              }
  });
});

describe('who has answered a session', () => {
  const table: readonly (readonly [what: string, events: readonly NewEvent[], by: Answers['by']])[] = [
    ['nobody yet', [e.title_changed], 'nobody'],
    ['the demo', [run(demoModel, { provider: 'demo' })], 'demo'],
    ['the demo, in a trace of a version before', [run(demoModel)], 'demo'],
    ['a model', [run(claude, { provider: 'anthropic', host: 'x' })], 'model'],
    ['a model, in a trace of a version before', [run(claude)], 'model'],
    ['the demo, then a model', [run(demoModel), run(claude)], 'model'],
    ['a model, then the demo, by a version that let it', [run(claude), run(demoModel)], 'model'],
    [
      'a model inside of a run of the demo',
      [run(demoModel), { ...e.agent_started, connection: { provider: 'editor' } }],
      'model',
    ],
    [
      'a model for a summary',
      [run(demoModel), { ...e.compaction_started, connection: { provider: 'anthropic' } }],
      'model',
    ],
    ['a model whose run was lost', [e.assistant_message_completed], 'model'],
    ['somebody elsewhere', [run(demoModel), e.session_imported], 'elsewhere'],
    ['somebody elsewhere, then a model', [e.session_imported, run(claude)], 'model'],
    ['somebody elsewhere, then nobody: the demo does not count', [e.session_imported, run(demoModel)], 'elsewhere'],
    ['a model, before it was forked away from that', [e.session_forked], 'model'],
  ];
  for (const [what, events, by] of table) {
    it(what, () => {
      assert.equal(answersOf(...events).by, by);
    });
  }

  it('is told by the model alone in old traces', () => {
    assert.deepEqual(connectionOf({ model: claude }), { provider: 'anthropic' });
    assert.deepEqual(connectionOf({ model: copilot }), { provider: 'editor', host: 'copilot' });
    assert.equal(connectionOf({ model: '' }), undefined);
    assert.equal(isSameConnection({ provider: 'anthropic' }, { provider: 'anthropic', host: 'x' }), true);
  });
});

describe('what is said of connections', () => {
  it('names who answered, and the ways that are there', () => {
    const { title, text, ways } = noAnswer('demo_stays_out', byModel);
    assert.equal(title, 'No model is set up');
    assert.match(text, /^The Anthropic API answered this session, and the offline demo \(a script\) goes on only/);
    assert.deepEqual(ways, ['setApiKey', 'useEditorModels', 'openSettings']);
    assert.match(noAnswer('demo_stays_out', imported).text, /^This session was imported/);
    assert.equal(noAnswer('demo_chosen', byModel).ways[0], 'leaveDemo');
    assert.doesNotMatch(noAnswer('no_key', byModel).help, /demo/);
  });

  it('tells of a change of provider and of server, and of nothing else', () => {
    const server = { provider: 'anthropic', host: 'localhost:11434' };
    assert.equal(
      changeText(byModel.last, server, 'now'),
      'Answered by the Anthropic API until now; from here on by the server localhost:11434.',
    );
    assert.match(
      changeText({ provider: 'demo' }, server, 'next') ?? '',
      /^Answered by the offline demo \(a script\) until now\. /,
    );
    assert.equal(changeText(server, server, 'now'), undefined);
    assert.equal(changeText(undefined, server, 'now'), undefined);
    assert.equal(changeText({ provider: 'anthropic' }, server, 'now'), undefined);
  });
});
