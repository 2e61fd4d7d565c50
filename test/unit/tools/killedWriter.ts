// Run as a process of its own and killed: writes a large file by the write tool, again and again, from one content to the other.
import { createWriteTool } from '../../../src/tools/writeTool.ts';

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
      showOutput: () => undefined,
    },
  );
  await plan.execute();
}
