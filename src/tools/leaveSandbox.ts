// What a confined command's end is told as, and the question that may follow: the same command outside of the sandbox. It decides
// nothing and runs nothing.
import type { Confinement } from '../core/confinement.ts';
import { headOf } from '../core/wellFormed.ts';
import type { JobExit } from '../jobs/jobPort.ts';
import type { ToolResult } from '../runner/ports.ts';
import { sandboxRefusals } from './sandboxRefusals.ts';

/** What the model can do where the output says nothing of the sandbox. */
const howToLeave =
  'It ran in a sandbox: it can write only in the workspace folder and in /tmp, it has no network, and credentials are not there. If that is why it failed, call run_command again with the same command and with outside_sandbox set to the reason: the user is asked.';

/** What the user is asked when the model itself says that a command needs more. */
export function wishWords(reason: string): string {
  const said = headOf(reason.replace(/\s+/g, ' ').trim(), 300);
  return said === '' ? 'It is said to need more than the sandbox allows.' : `It is said to need more: ${said}`;
}

/**
 * What the sandbox refused a command, as a text for the user; undefined when it did not fail, or when nothing speaks of a refusal.
 * @param output what the model is shown of it
 */
export function refusedWords(exit: JobExit, output: string, confinement: Confinement): string | undefined {
  if (exit.reason === 'spawn_failed') return exit.message;
  if (!hasFailed(exit)) return undefined;
  const hosts = (exit.refusedHosts ?? []).map(
    (host) => `It tried to reach ${host}, which is not among the domains of ratchet.sandbox.allowedDomains.`,
  );
  const refusals = [...hosts, ...sandboxRefusals(output, confinement)];
  return refusals.length === 0 ? undefined : refusals.join('\n');
}

/** The result of a confined command as the model is told it. @param refused what the sandbox refused */
export function toldOfSandbox(result: ToolResult, exit: JobExit, refused: string | undefined): ToolResult {
  if (!hasFailed(exit) || exit.reason === 'spawn_failed') return result;
  const words = refused === undefined ? howToLeave : `It ran in a sandbox, which refused it something. ${refused}`;
  return { ...result, content: `${result.content}\n\n${words}` };
}

function hasFailed({ reason, code }: JobExit): boolean {
  return reason === 'spawn_failed' || ((reason === 'exited' || reason === 'signalled') && code !== 0);
}
