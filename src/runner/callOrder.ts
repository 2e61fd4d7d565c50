// In which order the calls of one answer are done: one after the other, but for delegations that stand side by side,
// which go on at the same time. Must never know what doing a call means.
import { parallelAgents } from '../core/agentRoster.ts';
import type { ToolUseBlock } from '../core/messages.ts';
import type { RunContext } from './runContext.ts';
import { RunStopped } from './runStopped.ts';

type Each<T> = (run: RunContext, call: ToolUseBlock) => Promise<T>;

/**
 * Does each call, with the context that it has to be done with. The results are in the order of the calls.
 * @throws what the first call that failed threw; those beside it have stopped by then, with their steps left open
 */
export async function inOrder<T>(
  run: RunContext,
  calls: readonly ToolUseBlock[],
  each: Each<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  for (const group of groupsOf(run, calls)) {
    results.push(...(await sideBySide(run, group, each)));
  }
  return results;
}

function groupsOf(run: RunContext, calls: readonly ToolUseBlock[]): readonly (readonly ToolUseBlock[])[] {
  const groups: ToolUseBlock[][] = [];
  let delegatedBefore = false;
  for (const call of calls) {
    const delegates = run.tools.get(call.name)?.delegates === true;
    const last = groups.at(-1);
    if (delegates && delegatedBefore && last) last.push(call);
    else groups.push([call]);
    delegatedBefore = delegates;
  }
  return groups;
}

async function sideBySide<T>(run: RunContext, calls: readonly ToolUseBlock[], each: Each<T>): Promise<readonly T[]> {
  const others = new AbortController();
  const context = calls.length === 1 ? run : { ...run, signal: AbortSignal.any([run.signal, others.signal]) };
  const waiting = [...calls.entries()];
  const results: (readonly [number, T])[] = [];
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && failures.length === 0; next = waiting.shift()) {
      const [index, call] = next;
      try {
        results.push([index, await each(context, call)]);
      } catch (error) {
        failures.push(error);
        // The run ends by this one. What the others are at stays open, to be gone on with.
        others.abort(new RunStopped('shutdown'));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelAgents, calls.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results.sort(([a], [b]) => a - b).map(([, result]) => result);
}
