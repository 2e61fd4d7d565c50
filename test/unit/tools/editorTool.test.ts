import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { proposeRules } from '../../../src/core/approval/proposals.ts';
import { changedTool, coveredBy, ruleText, type Asked } from '../../../src/core/approval/rules.ts';
import { ToolInputError, type ToolContext, type ToolResult } from '../../../src/runner/ports.ts';
import { RunStopped } from '../../../src/runner/runStopped.ts';
import { createEditorTool, type EditorToolNow, type EditorToolPort } from '../../../src/tools/editorTool.ts';
import { editorToolText, type EditorToolPart } from '../../../src/tools/editorToolResult.ts';
import { cutStep } from './toolFolder.ts';

describe('a tool of the editor', () => {
  let storage: string;
  const logged: string[] = [];

  beforeEach(async () => {
    storage = await mkdtemp(path.join(os.tmpdir(), 'ratchet-editor-tool-'));
    logged.length = 0;
  });
  afterEach(async () => {
    await rm(storage, { recursive: true, force: true });
  });

  const contextOf = (signal = new AbortController().signal): ToolContext => ({
    ...{ sessionId: 's', stepId: 'step1', folder: storage, storage, tasks: [], done: () => [], signal },
    showOutput: () => {},
    log: (message) => logged.push(message),
  });

  const weather: EditorToolNow = { name: 'weather.now', description: 'Looks.', provider: 'acme.weather' };

  function toolOf(invoke: EditorToolPort['invoke'], find: EditorToolPort['find'] = () => weather) {
    return createEditorTool({ name: 'weather.now', description: 'Looks.' }, { find, invoke });
  }

  async function run(invoke: EditorToolPort['invoke'], context = contextOf()): Promise<ToolResult> {
    return (await toolOf(invoke).plan({ city: 'Ulm' }, context)).execute();
  }

  it('shows its input, is asked about by its name, and gives its answer', async () => {
    const seen: unknown[] = [];
    const tool = toolOf(async (name, input) => {
      seen.push(name, input);
      return [{ kind: 'text', text: 'sunny' }];
    });
    const plan = await tool.plan({ city: 'Ulm' }, contextOf());
    assert.equal(tool.effect, 'command');
    assert.equal(plan.preview, '{\n  "city": "Ulm"\n}');
    assert.ok(plan.asked?.kind === 'tool');
    assert.deepEqual([plan.asked.tool, plan.asked.provider], [tool.definition.name, 'acme.weather']);
    assert.match(plan.asked.sha256 ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(seen, []);
    assert.deepEqual(await plan.execute(), { outcome: 'succeeded', content: 'sunny' });
    assert.deepEqual(seen, ['weather.now', { city: 'Ulm' }]);
  });

  it('is allowed always by its exact name and by no other rule', () => {
    const asked: Asked = { kind: 'tool', tool: 'editor_a', provider: 'acme.a', sha256: 'ab12' };
    const proposal = proposeRules(asked);
    assert.ok(proposal.kind === 'choices');
    const rules = proposal.choices.flatMap((choice) => choice.rules);
    assert.deepEqual(rules.map(ruleText), ['tool editor_a of acme.a']);
    assert.equal(coveredBy(asked, rules), 'tool editor_a of acme.a');
    assert.equal(coveredBy({ ...asked, tool: 'editor_ab' }, rules), undefined);
    assert.equal(coveredBy({ kind: 'command', command: 'tool editor_a', syntax: 'posix' }, rules), undefined);
    assert.equal(
      coveredBy(asked, [
        { kind: 'program', words: ['editor_a'] },
        { kind: 'edits', path: '.' },
      ]),
      undefined,
    );
  });

  it('that is gone says so, before it is asked about and when it is called', async () => {
    let isThere = false;
    const tool = toolOf(
      async () => [],
      () => (isThere ? weather : undefined),
    );
    const gone = (error: unknown) =>
      error instanceof ToolInputError && /"weather.now" now: its extension/.test(error.message);
    assert.throws(() => void tool.plan({}, contextOf()), gone);
    isThere = true;
    const plan = await tool.plan({}, contextOf());
    isThere = false;
    await assert.rejects(plan.execute(), gone);
  });

  it('is told apart by who brings it and by what it says of itself, not by the order of keys', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: {} } };
    const askedOf = async (now: Partial<EditorToolNow>): Promise<Asked> => {
      const tool = toolOf(
        async () => [],
        () => ({ ...weather, inputSchema: schema, ...now }),
      );
      const { asked } = await tool.plan({}, contextOf());
      assert.ok(asked);
      return asked;
    };
    const first = await askedOf({});
    const rules = [first].flatMap((asked) => {
      const proposal = proposeRules(asked);
      return proposal.kind === 'choices' ? proposal.choices.flatMap((choice) => choice.rules) : [];
    });
    const covers = async (now: Partial<EditorToolNow>): Promise<boolean> =>
      coveredBy(await askedOf(now), rules) !== undefined;
    assert.equal(await covers({}), true);
    assert.equal(await covers({ inputSchema: { properties: { b: {}, a: { type: 'string' } }, type: 'object' } }), true);
    assert.equal(await covers({ description: 'Looks, and sends what it sees.' }), false);
    assert.equal(await covers({ inputSchema: { ...schema, required: ['a'] } }), false);
    assert.equal(await covers({ provider: 'evil.weather' }), false);
    assert.match(
      changedTool(await askedOf({ description: 'Other.' }), rules) ?? '',
      /^You allowed it always, and what it says of itself has changed since$/,
    );
    assert.match(
      changedTool(await askedOf({ provider: 'evil.weather' }), rules) ?? '',
      /from acme\.weather; this one is from evil\.weather$/,
    );
    assert.equal(changedTool(first, rules), undefined);
  });

  it('is asked about where a rule of a version before allowed its name', async () => {
    const { asked } = await toolOf(async () => []).plan({}, contextOf());
    assert.ok(asked?.kind === 'tool');
    const before = [{ kind: 'tool', tool: asked.tool } as const];
    assert.equal(coveredBy(asked, before), undefined);
    assert.match(changedTool(asked, before) ?? '', /before a rule said which tool it is for/);
    assert.equal(proposeRules({ kind: 'tool', tool: asked.tool }).kind, 'none');
  });

  it('is not called when it changed between the question and the answer', async () => {
    let description = 'Looks.';
    const called: string[] = [];
    const tool = toolOf(
      async (name) => {
        called.push(name);
        return [];
      },
      () => ({ ...weather, description }),
    );
    const plan = await tool.plan({}, contextOf());
    description = 'Sends.';
    await assert.rejects(
      plan.execute(),
      (error) => error instanceof ToolInputError && error.message.includes('changed after'),
    );
    assert.deepEqual(called, []);
  });

  it('that fails tells the model what it said', async () => {
    const result = await run(() => Promise.reject(new Error('city: must be one of a, b')));
    assert.deepEqual(result, { outcome: 'failed', content: 'city: must be one of a, b' });
  });

  for (const [kind, outcome] of [
    ['user', 'cancelled'],
    ['time_limit', 'timed_out'],
    ['shutdown', undefined],
  ] as const) {
    it(`that is stopped (${kind}) does not wait for one that heeds nothing`, async () => {
      const stop = new AbortController();
      const called = Promise.withResolvers<AbortSignal>();
      const hanging: EditorToolPort['invoke'] = (_name, _input, signal) => {
        called.resolve(signal);
        return new Promise(() => undefined);
      };
      const running = run(hanging, contextOf(stop.signal));
      assert.equal((await called.promise).aborted, false);
      stop.abort(new RunStopped(kind));
      if (outcome === undefined) {
        await assert.rejects(running, RunStopped);
        return;
      }
      const result = await running;
      assert.equal(result.outcome, outcome);
      assert.match(result.content, /what it had done until then stays/);
    });
  }

  it('that was cut is in doubt', async () => {
    const tool = toolOf(async () => []);
    const plan = await tool.plan({}, contextOf());
    const recovery = await tool.recover(cutStep(tool, {}, plan, contextOf()), contextOf());
    assert.ok(recovery.kind === 'settled');
    assert.equal(recovery.result.outcome, 'cut');
    assert.match(recovery.result.content, /not known: check before/);
  });

  it('with much to say has it cut for the model and kept in full', async () => {
    const text = 'ä line of it\n'.repeat(10_000);
    const result = await run(async () => [{ kind: 'text', text }]);
    assert.ok(Buffer.byteLength(result.content) < 25 * 1024);
    assert.match(result.content, /more bytes.*left out; the user has all of it\]$/);
    assert.ok(result.output);
    assert.equal(result.output.bytes, Buffer.byteLength(text));
    assert.equal(await readFile(path.join(storage, result.output.file), 'utf8'), text);
  });

  it('is not called again because the copy of its answer has no place', async () => {
    await writeFile(path.join(storage, 'outputs'), 'a file where the folder should be');
    const result = await run(async () => [{ kind: 'text', text: 'x'.repeat(100_000) }]);
    assert.equal(result.outcome, 'succeeded');
    assert.equal(result.output, undefined);
    assert.match(logged.join(), /could not be kept in full/);
  });

  const answers: readonly (readonly [string, readonly EditorToolPart[], string])[] = [
    ['nothing', [], ''],
    [
      'several parts',
      [{ kind: 'text', text: 'a' }, { kind: 'unknown' }],
      'a\n(a part of a kind that is not known here, not shown)',
    ],
    [
      'text as data',
      [{ kind: 'data', mimeType: 'application/json', data: new TextEncoder().encode('{"a":1}') }],
      '{"a":1}',
    ],
    ['an image', [{ kind: 'data', mimeType: 'image/png', data: new Uint8Array(3) }], '(image/png, 3 bytes, not shown)'],
    [
      'a rendered prompt',
      [
        {
          kind: 'tsx',
          value: {
            node: {
              type: 1,
              ctor: 2,
              ctorName: 'e',
              children: [
                { type: 2, text: 'first', lineBreakBefore: undefined },
                {
                  type: 1,
                  ctor: 1,
                  ctorName: 'UserMessage',
                  children: [{ type: 2, text: 'second', lineBreakBefore: true }],
                },
                { type: 2, text: 'third', references: [{ text: 'not this' }] },
              ],
            },
          },
        },
      ],
      'first\nsecond\nthird',
    ],
  ];
  for (const [what, parts, text] of answers) {
    it(`answers with ${what} as text`, () => {
      assert.equal(editorToolText(parts), text);
    });
  }
});
