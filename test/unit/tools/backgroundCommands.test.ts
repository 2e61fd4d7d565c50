import assert from 'node:assert/strict';
import { createBackgroundCommands } from '../../../src/tools/backgroundCommands.ts';
import { FakeJobs } from './fakeJobs.ts';

describe('the commands of a session outside of a step', () => {
  it('say what they printed last, however much it was', async () => {
    const jobs = new FakeJobs();
    jobs.put('c1', { status: 'running', pid: 1, startedAt: 1 });
    const commands = createBackgroundCommands(() => jobs);
    assert.deepEqual(await commands.tail('', 'c1'), []);
    jobs.print('c1', 'one\ntwo');
    assert.deepEqual(await commands.tail('', 'c1'), ['one', 'two']);
    jobs.print('c1', `\n${'a line of thirty characters...\n'.repeat(10_000)}last`);
    const lines = await commands.tail('', 'c1');
    assert.deepEqual([lines.length, lines.at(-2), lines.at(-1)], [40, 'a line of thirty characters...', 'last']);
  });
});
