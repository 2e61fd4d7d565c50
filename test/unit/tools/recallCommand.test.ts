import assert from 'node:assert/strict';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { FinishedStep } from '../../../src/core/sessionState.ts';
import { createJobClient } from '../../../src/jobs/jobClient.ts';
import type { Tool } from '../../../src/runner/ports.ts';
import { jobsFolderName } from '../../../src/tools/jobKey.ts';
import { recalledNote } from '../../../src/tools/recallCommand.ts';
import { createRunCommandTool } from '../../../src/tools/runCommand.ts';
import { bundledSupervisor } from '../../support/programs/bundledProgram.ts';
import { createToolFolder, type ToolFolder } from './toolFolder.ts';

const supervisorScript = bundledSupervisor();
const command = 'cat input.txt > made.txt; echo done';

describe('a command that was done before', function () {
  this.timeout(20_000);
  let folder: ToolFolder;
  let tool: Tool;
  beforeEach(async () => {
    folder = await createToolFolder();
    tool = createRunCommandTool({
      jobs: (storage) => createJobClient({ root: join(storage, jobsFolderName), supervisorScript }),
    });
    await folder.put('input.txt', 'in\n');
  });
  afterEach(() => folder.remove());

  async function run(text: string, stepId: string): Promise<FinishedStep> {
    const plan = await tool.plan({ command: text }, folder.context({ stepId }));
    const { content, outcome, ...rest } = await plan.execute();
    return {
      id: stepId,
      runId: 'run',
      tool: 'run_command',
      input: { command: text },
      ...(plan.intent && { intent: plan.intent }),
      status: 'finished',
      startedAt: 0,
      finishedAt: 1,
      result: {
        outcome,
        content,
        isError: outcome !== 'succeeded',
        ...(rest.exitCode !== undefined && { exitCode: rest.exitCode }),
        ...(rest.artifacts && { artifacts: [...rest.artifacts] }),
        ...(rest.artifactsPartial && { artifactsPartial: true }),
      },
    };
  }

  const recall = (done: readonly FinishedStep[], input: Readonly<Record<string, unknown>> = { command }) =>
    tool.recall?.(input, folder.context({ stepId: 'again' }), done);

  it('is answered from the record, with how to run it anyway', async () => {
    const result = await recall([await run(command, 's1')]);
    assert.equal(result?.outcome, 'succeeded');
    assert.equal(result.note, recalledNote);
    assert.equal(result.exitCode, 0);
    assert.match(result.content, /^Not run again: .*force: true.*Exit code 0/s);
    assert.equal(await readFile(folder.at('made.txt'), 'utf8'), 'in\n');
  });

  it('is answered from the record a second time too', async () => {
    const first = await run(command, 's1');
    const recalled = await recall([first]);
    assert.ok(recalled);
    const again: FinishedStep = {
      id: 'again',
      runId: 'run',
      tool: 'run_command',
      input: { command },
      status: 'finished',
      startedAt: 0,
      finishedAt: 1,
      result: { outcome: 'succeeded', content: recalled.content, isError: false },
    };
    assert.ok(await recall([first, again]));
  });

  const mustRun: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['its input changed', () => folder.put('input.txt', 'other\n')],
    ['its artifact changed', () => folder.put('made.txt', 'no\n')],
    ['its input was touched', () => utimes(folder.at('input.txt'), 5, 5)],
    ['another file was added', () => folder.put('sub/new.txt', 'x')],
    ['another command made something since', () => run('echo x > other.txt', 's2')],
  ];
  for (const [name, change] of mustRun) {
    it(`is run when ${name}`, async () => {
      const step = await run(command, 's1');
      await change();
      assert.equal(await recall([step]), undefined);
    });
  }

  it('is run when it failed, made nothing, or is asked for with force', async () => {
    assert.equal(await recall([await run(`${command}; exit 1`, 's1')], { command: `${command}; exit 1` }), undefined);
    assert.equal(await recall([await run('sleep 0', 's2')], { command: 'sleep 0' }), undefined);
    assert.equal(await recall([await run(command, 's3')], { command, force: true }), undefined);
  });

  it('is run when its last try failed, though an earlier one succeeded', async () => {
    const good = await run(command, 's1');
    const bad: FinishedStep = { ...good, id: 's2', result: { ...good.result, outcome: 'failed', isError: true } };
    assert.equal(await recall([good, bad]), undefined);
  });

  it('is run when another one is asked for', async () => {
    assert.equal(await recall([await run(command, 's1')], { command: `${command} ` }), undefined);
  });
});
