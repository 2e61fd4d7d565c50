import assert from 'node:assert/strict';
import { effortLevels } from '../../../src/core/messages.ts';
import {
  fittingEffort,
  knownModels,
  limitsOf,
  modelLimits,
  takesSystemMessages,
  windowAndOutput,
} from '../../../src/model/modelLimits.ts';
import { retryAfterMs } from '../../../src/model/retryAfter.ts';
import { buildSystemPrompt } from '../../../src/model/systemPrompt.ts';

describe('modelLimits', () => {
  const rows: readonly (readonly [string, number, number, boolean, boolean])[] = [
    ['claude-sonnet-5-5', 1_000_000, 64_000, true, false],
    ['claude-opus-5-5', 1_000_000, 64_000, true, true],
    ['claude-opus-5', 1_000_000, 64_000, true, true],
    ['claude-opus-5-20260724', 1_000_000, 64_000, true, true],
    ['claude-opus-4-8', 1_000_000, 64_000, true, true],
    ['claude-opus-4-8-20260528', 1_000_000, 64_000, true, true],
    ['claude-opus-4-7', 1_000_000, 64_000, true, false],
    ['claude-opus-4-6', 1_000_000, 64_000, true, false],
    ['claude-opus-4-5', 200_000, 32_000, false, false],
    ['claude-opus-4-20250514', 200_000, 32_000, false, false],
    ['claude-haiku-4-5', 200_000, 32_000, false, false],
    ['claude-haiku-5-5', 1_000_000, 64_000, true, false],
    ['claude-opus-4-10', 200_000, 32_000, true, true],
    ['claude-opus-10', 200_000, 32_000, true, true],
    ['claude-newfamily-6', 200_000, 32_000, true, false],
    ['claude-3-5-sonnet-20241022', 200_000, 32_000, false, false],
    ['anthropic/claude-opus-4-8', 200_000, 32_000, false, false],
    ['my-claude-opus-5', 200_000, 32_000, false, false],
    ['claude-mythos-preview', 200_000, 32_000, false, false],
    ['qwen3-coder:30b', 200_000, 32_000, false, false],
    ['', 200_000, 32_000, false, false],
  ];
  for (const [model, contextWindow, maxOutputTokens, supportsAdaptiveThinking, system] of rows) {
    it(`knows what "${model}" takes`, () => {
      const { efforts, ...limits } = modelLimits(model);
      assert.deepEqual(limits, { contextWindow, maxOutputTokens, supportsAdaptiveThinking });
      assert.equal(efforts.length > 0, supportsAdaptiveThinking);
      assert.equal(takesSystemMessages(model), system);
    });
  }

  it('sends the wanted effort, else the next lower one, and none to a model that takes none', () => {
    const sent = (model: string): unknown[] =>
      [...effortLevels, 'default' as const].map((wanted) => fittingEffort(wanted, modelLimits(model)));
    assert.deepEqual(sent('claude-opus-5-5'), ['low', 'medium', 'high', 'xhigh', 'max', undefined]);
    assert.deepEqual(sent('claude-opus-4-6'), ['low', 'medium', 'high', 'high', 'max', undefined]);
    assert.deepEqual(sent('claude-haiku-4-5'), Array(6).fill(undefined));
  });

  it('lets the server say what a model takes, and never asks for more than it may write', () => {
    const listed = { id: 'local', contextWindow: 8_000, maxOutputTokens: 9_000, adaptiveThinking: true, efforts: [] };
    assert.deepEqual(limitsOf('local', listed), {
      contextWindow: 8_000,
      maxOutputTokens: 4_000,
      supportsAdaptiveThinking: true,
      efforts: [],
    });
    const chosen = { contextWindow: 0, maxOutputTokens: 0 };
    assert.deepEqual(windowAndOutput('claude-opus-5-5', chosen, { id: 'x', contextWindow: 200_000 }), {
      contextWindow: 200_000,
      maxTokens: 64_000,
    });
  });

  it('offers each model once', () => {
    assert.equal(new Set(knownModels).size, knownModels.length);
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const rows: readonly (readonly [Readonly<Record<string, string>>, number | undefined])[] = [
    [{}, undefined],
    [{ 'retry-after': '12' }, 12_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, undefined],
    [{ 'retry-after-ms': '250', 'retry-after': '12' }, 250],
    [{ 'retry-after-ms': 'x', 'retry-after': '12' }, 12_000],
    [{ 'retry-after': '1e999' }, undefined],
  ];
  for (const [headers, expected] of rows) {
    it(`reads ${JSON.stringify(headers)}`, () => {
      assert.equal(retryAfterMs(new Headers(headers), now), expected);
    });
  }
});

describe('systemPrompt', () => {
  const place = { folderName: 'demo', folderPath: '/home/me/demo', platform: 'linux', shell: '/bin/sh' };

  it('is the same for the same place, and names the place', () => {
    const prompt = buildSystemPrompt(place);
    assert.equal(buildSystemPrompt({ ...place }), prompt);
    for (const value of Object.values(place)) assert.ok(prompt.includes(value));
  });

  it("ends with the project's own instructions, each under its path, and is the same as ever without", () => {
    const prompt = buildSystemPrompt({
      ...place,
      instructions: [
        { path: '../AGENTS.md', text: 'Use tabs.\n', cut: false },
        { path: 'CLAUDE.md', text: 'Use spaces.', cut: true },
      ],
    });
    assert.ok(prompt.startsWith(buildSystemPrompt({ ...place, instructions: [] })));
    assert.match(prompt, /<file path="..\/AGENTS.md">\nUse tabs.\n<\/file>/);
    assert.match(
      prompt,
      /<file path="CLAUDE.md">\nUse spaces.\n\(The file is longer: read it for the rest.\)\n<\/file>/,
    );
    assert.equal(buildSystemPrompt({ ...place, instructions: [] }), buildSystemPrompt(place));
  });

  it('holds no date and no time', () => {
    assert.doesNotMatch(buildSystemPrompt(place), /\b20\d\d\b|\d\d:\d\d/);
  });

  it('is short enough to be paid for with every request', () => {
    assert.ok(buildSystemPrompt(place).length < 6_000);
  });
});
