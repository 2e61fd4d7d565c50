// The search for files by a pattern, in a thread of its own: making a pattern ready and matching it can take for ever, and
// nothing but the end of its thread stops that. Started by globSearch.ts with what to do as its data; answers once.
import { parentPort, workerData } from 'node:worker_threads';
import { betaGlobTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { messageOf } from '../core/errors.ts';
import { ToolInputError } from '../runner/ports.ts';
import { globTaskSchema, type GlobAnswer } from './globTask.ts';
import { runSdkTool } from './sdkTools.ts';

const { root, stepId, input } = globTaskSchema.parse(workerData);

async function search(): Promise<GlobAnswer> {
  try {
    const call = { stepId, signal: new AbortController().signal };
    return { kind: 'found', text: await runSdkTool(betaGlobTool({ workdir: root }), input, call) };
  } catch (error) {
    if (error instanceof ToolInputError) return { kind: 'refused', message: messageOf(error) };
    throw error;
  }
}

search().then(
  (answer) => parentPort?.postMessage(answer),
  (error: unknown) => {
    // Told to whoever started this thread.
    setImmediate(() => {
      throw error;
    });
  },
);
