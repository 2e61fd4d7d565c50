import assert from 'node:assert/strict';
import { sessionStates } from '../../../src/core/events.ts';
import { assertCanLaunch } from '../../../src/core/launchPlan.ts';
import { parseSlash, slashCommands, type SlashFacts } from '../../../src/core/slashCommands.ts';

const facts: SlashFacts = { hasWork: true, othersResumable: false, isDemo: false };
const usable = (more: Partial<SlashFacts>): readonly string[] =>
  slashCommands({ ...facts, ...more })
    .filter(({ unavailable }) => unavailable === undefined)
    .map(({ name }) => name);

describe('slash commands', () => {
  it('are usable where they make sense', () => {
    assert.deepEqual(usable({}), ['model', 'new']);
    assert.deepEqual(usable({ othersResumable: true }), ['resume', 'model', 'new']);
    assert.deepEqual(usable({ state: 'created', hasWork: false }), ['model', 'new', 'export']);
    assert.deepEqual(usable({ state: 'running' }), ['compact', 'model', 'new', 'export']);
    assert.deepEqual(usable({ state: 'done' }), ['compact', 'model', 'new', 'export']);
    assert.deepEqual(usable({ state: 'interrupted' }), ['resume', 'compact', 'model', 'new', 'export']);
    assert.deepEqual(usable({ state: 'failed' }), ['resume', 'retry', 'compact', 'model', 'new', 'export']);
    assert.deepEqual(usable({ state: 'failed', readOnly: 'Another window runs it.' }), ['new', 'export']);
    assert.deepEqual(usable({ state: 'done', isDemo: true }), ['compact', 'new', 'export']);
  });

  it('offer no launch that would be refused', () => {
    for (const state of sessionStates) {
      for (const hasWork of [true, false]) {
        for (const name of usable({ state, hasWork })) {
          if (name === 'resume' || name === 'retry') assertCanLaunch(name, state, hasWork);
        }
      }
    }
  });

  it('are told from text and from paths', () => {
    assert.deepEqual(parseSlash('/resume'), { kind: 'command', name: 'resume', argument: '' });
    assert.deepEqual(parseSlash('/Model  claude-opus-5-5 '), {
      kind: 'command',
      name: 'model',
      argument: 'claude-opus-5-5',
    });
    for (const text of ['/etc/hosts is wrong', '/', '/ new', '//', '/2 of it', 'a /new', '/src/a.ts'])
      assert.equal(parseSlash(text), undefined, text);
  });

  it('that do not exist, or have too much behind them, are refused with what to do', () => {
    const reason = (text: string): string => {
      const parsed = parseSlash(text);
      return parsed?.kind === 'refused' ? parsed.reason : 'not refused';
    };
    assert.equal(reason('/foo bar'), 'There is no command /foo. To send it as text, begin with a space.');
    assert.match(reason('/resume with care'), /takes nothing after it/);
    assert.match(reason('/model two words'), /no spaces/);
  });
});
