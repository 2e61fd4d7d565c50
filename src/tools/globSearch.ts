// Starts the thread that searches files by a pattern, and ends it: on Stop, at its time limit, and when it needs too much.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { countAlternatives, mostAlternatives } from '../core/globPattern.ts';
import { grouped } from '../core/words.ts';
import { ToolInputError } from '../runner/ports.ts';
import { globAnswerSchema, type GlobAnswer, type GlobTask } from './globTask.ts';

export interface GlobLimits {
  readonly timeMs: number;
  readonly memoryMb: number;
}

const usualLimits: GlobLimits = { timeMs: 30_000, memoryMb: 512 };

/**
 * The text of the SDK's glob tool.
 * @throws ToolInputError when the pattern asks for too much, or the search was refused or took too long
 * @throws the signal's reason when it was stopped
 */
export async function searchByPattern(
  task: GlobTask,
  signal: AbortSignal,
  limits: GlobLimits = usualLimits,
): Promise<string> {
  const alternatives = countAlternatives(task.input.pattern);
  if (alternatives > mostAlternatives) {
    const many = Number.isFinite(alternatives) ? grouped(alternatives) : 'more than can be counted';
    throw new ToolInputError(
      `The braces of this pattern stand for ${many} patterns; at most ${grouped(mostAlternatives)} are searched for. Use "*" in place of some of them, or make several calls.`,
    );
  }
  signal.throwIfAborted();
  const worker = new Worker(workerFile(), {
    workerData: task,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
  });
  try {
    const answer = await answerOf(worker, signal, limits);
    if (answer.kind === 'refused') throw new ToolInputError(answer.message);
    return answer.text;
  } finally {
    await worker.terminate();
  }
}

function answerOf(worker: Worker, signal: AbortSignal, { timeMs }: GlobLimits): Promise<GlobAnswer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      settle(() => {
        reject(tooMuch(`It was not done after ${String(timeMs / 1000)} s.`));
      });
    }, timeMs);
    const onAbort = (): void => {
      settle(() => {
        reject(signal.reason as Error);
      });
    };
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      how();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    worker.once('message', (message: unknown) => {
      settle(() => {
        const parsed = globAnswerSchema.safeParse(message);
        if (parsed.success) resolve(parsed.data);
        else reject(parsed.error);
      });
    });
    worker.once('error', (error: Error) => {
      const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      settle(() => {
        reject(isMemory ? tooMuch('It needed too much memory.') : error);
      });
    });
    worker.once('exit', () => {
      settle(() => {
        reject(new Error('The search ended without an answer.'));
      });
    });
  });
}

function tooMuch(what: string): ToolInputError {
  return new ToolInputError(
    `The search was ended. ${what} Name more of the path, use fewer "*" and "**", or search in a folder below with "path".`,
  );
}

/** Beside this file: a bundle of its own in the extension, the source where the sources run. */
function workerFile(): string {
  const bundle = join(import.meta.dirname, 'globWorker.cjs');
  return existsSync(bundle) ? bundle : join(import.meta.dirname, 'globWorker.ts');
}
