import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createJobClient } from '../../../src/jobs/jobClient.ts';
import type { JobPort } from '../../../src/jobs/jobPort.ts';
import { jobsFolderName } from '../../../src/tools/jobKey.ts';
import { createRunCommandTool } from '../../../src/tools/runCommand.ts';
import { RunStopped } from '../../../src/runner/runStopped.ts';
import { bundledSupervisor } from '../../support/programs/bundledProgram.ts';
import { call, createToolFolder, cutStep, type ToolFolder } from './toolFolder.ts';

const supervisorScript = bundledSupervisor();
const jobsOf = (storage: string): JobPort => createJobClient({ root: join(storage, jobsFolderName), supervisorScript });

describe('run_command on real processes', function () {
  this.timeout(20_000);
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(async () => {
    const jobs = jobsOf(folder.storage);
    for (const { key, state } of await jobs.list()) if (state.status === 'running') await jobs.end(key);
    await folder.remove();
  });

  it('runs in the folder, and tells code, output and files', async () => {
    const command = 'echo out; echo err >&2; echo made > made.txt; exit 3';
    const result = await call(createRunCommandTool({ jobs: jobsOf }), { command }, folder.context());
    assert.equal(result.outcome, 'failed');
    assert.equal(result.exitCode, 3);
    assert.match(result.content, /^Exit code 3 after [\d.]+ s\.\n\nout\nerr$/);
    assert.deepEqual(
      result.artifacts?.map(({ path, change }) => [path, change]),
      [['made.txt', 'created']],
    );
  });

  it('refers to the file that holds a long output', async () => {
    const command = 'i=0; while [ $i -lt 5000 ]; do echo "line $i"; i=$((i+1)); done';
    const { output } = await call(createRunCommandTool({ jobs: jobsOf }), { command }, folder.context());
    assert.ok(output);
    const whole = await readFile(join(folder.storage, output.file), 'utf8');
    assert.equal(Buffer.byteLength(whole), output.bytes);
    assert.ok(whole.endsWith('line 4999\n'));
  });

  it('is picked up again after the window was closed, and its work is done once', async () => {
    for (const name of ['changed.txt', 'deleted.txt', 'kept.txt']) await folder.put(name, 'old');
    const command =
      'echo begun | tee -a log.txt; until [ -e go ]; do sleep 0.02; done; echo x > changed.txt; rm deleted.txt; echo over';
    const tool = createRunCommandTool({ jobs: jobsOf });
    const closing = new AbortController();
    const context = folder.context({
      signal: closing.signal,
      showOutput: () => {
        closing.abort(new RunStopped('shutdown'));
      },
    });
    const plan = await tool.plan({ command }, context);
    await assert.rejects(plan.execute(), RunStopped);

    const later = folder.context();
    const recovery = await createRunCommandTool({ jobs: jobsOf }).recover(
      cutStep(tool, { command }, plan, later),
      later,
    );
    assert.ok(recovery.kind === 'continues');
    await folder.put('go', '');
    const result = await recovery.follow();
    assert.equal(result.outcome, 'succeeded');
    assert.match(result.content, /begun\nover$/);
    assert.deepEqual(
      result.artifacts?.map(({ path, change }) => [path, change]),
      [
        ['changed.txt', 'changed'],
        ['deleted.txt', 'deleted'],
        ['go', 'created'],
        ['log.txt', 'created'],
      ],
    );
    assert.equal(await readFile(folder.at('log.txt'), 'utf8'), 'begun\n');
  });

  it('is ended by a stop, with its output so far', async () => {
    const stop = new AbortController();
    const context = folder.context({
      signal: stop.signal,
      showOutput: () => {
        stop.abort(new RunStopped('user'));
      },
    });
    const result = await call(createRunCommandTool({ jobs: jobsOf }), { command: 'echo begun; sleep 600' }, context);
    assert.equal(result.outcome, 'cancelled');
    assert.match(result.content, /^Stopped by the user.*The output so far:\n\nbegun\n?/s);
    assert.equal((await jobsOf(folder.storage).find('toolu_step1')).status, 'finished');
  });
});
