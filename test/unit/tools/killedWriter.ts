// Run as a process of its own and killed: writes a large file by the write tool, again and again, from one content to the other.
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { readStep } from './toolFolder.ts';

const [folder = '', storage = ''] = process.argv.slice(2);
const tool = createWriteTool();
for (let round = 0; ; round++) {
  const content = (round % 2 === 0 ? 'b' : 'a').repeat(3 * 1024 * 1024);
  const plan = await tool.plan(
    { file_path: 'large.txt', content },
    {
      sessionId: 'session',
      stepId: `step${String(round)}`,
      folder,
      storage,
      tasks: [],
      signal: new AbortController().signal,
      done: () => [readStep('large.txt', (round % 2 === 0 ? 'a' : 'b').repeat(content.length))],
      showOutput: () => undefined,
      log: () => undefined,
    },
  );
  await plan.execute();
}
