import assert from 'node:assert/strict';
import type { Artifact } from '../../../src/core/recordedFiles.ts';
import { createBench, type Bench } from '../../support/fakes/bench.ts';
import { succeeded } from '../../support/fakes/fakeTools.ts';
import { answer, call, hangs, say } from '../../support/fakes/scriptedModel.ts';

const none = new AbortController().signal;

async function cutSession(): Promise<{ readonly next: Bench; readonly id: string }> {
  const first = createBench({ ownerId: 'first', turns: [answer(say('One.'), call('c1', 'note', { n: 1 })), hangs()] });
  const id = await first.create();
  await first.sessions.send(id, 'Do both.');
  await first.model.requested(2);
  first.disk.kill('first');
  return { next: createBench({ disk: first.disk }), id };
}

describe('the preview of a resume', () => {
  for (const choice of [
    { mode: 'resume' },
    { mode: 'retry' },
    { mode: 'resume', model: 'claude-sonnet-5-5', thinking: 'off' },
  ] as const) {
    it(`has the bytes that are then sent, and writes nothing: ${JSON.stringify(choice)}`, async () => {
      const { next, id } = await cutSession();
      const before = next.events(id).length;
      const preview = await next.sessions.previewResume(id, choice, none);
      assert.equal(next.events(id).length, before);
      assert.equal(next.model.requests.length, 0);
      assert.deepEqual(preview.steps, []);
      await next.sessions.resume(id, choice);
      await next.ended(id);
      assert.equal(JSON.stringify(preview.request), JSON.stringify(next.model.requests[0]));
    });
  }

  it('says whether the server may still have the beginning', async () => {
    const { next, id } = await cutSession();
    const cache = async (model?: string): Promise<string> =>
      (await next.sessions.previewResume(id, { mode: 'resume', ...(model !== undefined && { model }) }, none)).cache;
    assert.equal(await cache(), 'warm');
    assert.equal(await cache('claude-haiku-4-5'), 'other_model');
  });

  it('has the tokens as the server counts them, else an estimate that says so', async () => {
    const { next, id } = await cutSession();
    const estimated = await next.sessions.previewResume(id, { mode: 'resume' }, none);
    assert.equal(estimated.isCounted, false);
    assert.ok(estimated.tokens > 0 && estimated.newTokens <= estimated.tokens);
    const counting = createBench({
      disk: next.disk,
      ports: {
        prepareModel: async (choice, answers) => {
          const { port, settings } = await next.ports.prepareModel(choice, answers);
          return { port: { ...port, countTokens: async () => 1_234 }, settings };
        },
      },
    });
    const counted = await counting.sessions.previewResume(id, { mode: 'resume' }, none);
    assert.deepEqual([counted.tokens, counted.isCounted], [1_234, true]);
  });

  it('says of each step that made files, and of each that was cut, what is there', async () => {
    const artifact = (path: string): Artifact => ({ path, change: 'created', size: 1, sha256: 'a'.repeat(64) });
    const first = createBench({
      ownerId: 'first',
      tools: [
        { name: 'note', run: ({ n }) => ({ ...succeeded('made'), artifacts: [artifact(`file-${String(n)}`)] }) },
        { name: 'slow', run: () => new Promise(() => undefined) },
      ],
      turns: [answer(call('c1', 'note', { n: 1 }), call('c2', 'note', { n: 2 })), answer(call('c3', 'slow', { n: 3 }))],
    });
    const id = await first.create();
    await first.sessions.send(id, 'Make both.');
    await first.event(id, 'step_started', ({ stepId }) => stepId === 'c3');
    first.disk.kill('first');
    const next = createBench({
      disk: first.disk,
      ports: {
        checkArtifacts: async (_folder, artifacts) => ({
          ok: true,
          value: artifacts.map((artifact) => ({
            artifact,
            verdict: artifact.path === 'file-1' ? ('missing' as const) : ('intact' as const),
          })),
        }),
      },
    });
    const { steps } = await next.sessions.previewResume(id, { mode: 'resume' }, none);
    assert.deepEqual(
      steps.map(({ verdict, files }) => [verdict, files.map(({ path }) => path)]),
      [
        ['missing', ['file-1']],
        ['intact', ['file-2']],
        ['unknown', []],
      ],
    );
  });

  it('is refused where a resume would be', async () => {
    const bench = createBench();
    const id = await bench.create();
    await assert.rejects(bench.sessions.previewResume(id, { mode: 'resume' }, none), { code: 'nothing_to_resume' });
  });
});
