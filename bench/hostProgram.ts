// The program of the benchmarks that need a process of their own: a window that was just loaded, and does one thing.
// It says what it saw as lines of JSON on stdout.
import { readFile } from 'node:fs/promises';
import { writeSync } from 'node:fs';
import { createAnthropicModel } from '../src/model/anthropic.ts';
import { setupSchema, type HostReport } from './hostReport.ts';
import { timed } from './measure.ts';
import { processCounters } from './processCounters.ts';
import { createRepeatingModel } from './repeatingModel.ts';
import { folderIdentity } from '../test/support/window/window.ts';
import { openWindow } from './window.ts';

const { root, folder, supervisorScript, job } = setupSchema.parse(JSON.parse(process.argv[2] ?? ''));
writeSync(1, `${JSON.stringify(await main())}\n`);
process.exit(0);

async function main(): Promise<HostReport> {
  const idleMemory = process.memoryUsage.rss();
  const before = processCounters();
  const times: number[] = [];
  const readBytes: number[] = [];
  const began = performance.timeOrigin + performance.now();
  const count = await work(times, readBytes);
  const after = processCounters();
  return {
    began,
    times,
    readBytes,
    writtenBytes: after.writtenBytes - before.writtenBytes,
    idleMemory,
    peakMemory: after.peakMemory,
    count,
  };
}

async function work(times: number[], readBytes: number[]): Promise<number> {
  switch (job.job) {
    case 'resume': {
      const model = createAnthropicModel({ apiKey: 'test-key', baseURL: job.baseURL });
      const sessions = openWindow({ root, folder, supervisorScript, model: () => model });
      await sessions.resume(job.sessionId);
      const session = await sessions.open(job.sessionId);
      await session.run?.ended;
      if (session.name !== 'done') throw new Error(`The resumed session is ${session.name}.`);
      return session.state.steps.size;
    }
    case 'bare': {
      const lines = (await readFile(job.journal, 'utf8')).split('\n').filter((line) => line !== '');
      const records = lines.map((line): unknown => JSON.parse(line));
      const headers = {
        'content-type': 'application/json',
        'x-api-key': 'test-key',
        'anthropic-version': '2023-06-01',
      };
      const body = await readFile(job.body, 'utf8');
      await (await fetch(`${job.baseURL}/v1/messages`, { method: 'POST', headers, body })).text();
      return records.length;
    }
    case 'list': {
      const sessions = openWindow({ root, folder, supervisorScript, model: nothingSent });
      let count = 0;
      for (let time = 0; time < job.times; time++) {
        const before = processCounters().readBytes;
        times.push(
          await timed(async () => {
            const rows = await sessions.list(folderIdentity(folder).uri);
            const problem = rows.find((row) => row.problem !== undefined)?.problem;
            if (problem !== undefined) throw new Error(problem);
            count = rows.length;
          }),
        );
        readBytes.push(processCounters().readBytes - before);
      }
      return count;
    }
    case 'steps': {
      const { steps, tool, input } = job;
      const model = createRepeatingModel(steps, tool, input);
      const sessions = openWindow({ root, folder, supervisorScript, model: () => model });
      const { id } = await sessions.create(folderIdentity(folder));
      await sessions.send(id, 'Do all steps.');
      const session = await sessions.open(id);
      await session.run?.ended;
      if (session.name !== 'done' || session.state.succeededSteps !== steps)
        throw new Error(`The session is ${session.name} after ${session.state.succeededSteps} steps.`);
      return steps;
    }
  }
}

function nothingSent(): never {
  throw new Error('Nothing is sent here.');
}
