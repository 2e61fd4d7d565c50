// The way of one job's command into its sandbox, and what can be said of the sandbox afterwards. The one port between the supervisor
// and what confines: what stands before the command, its environment, and files that it is given.

import { open, realpath, writeFile, type FileHandle } from 'node:fs/promises';
import { readIfThere } from '../platform/durableFiles.ts';
import { bubblewrap, ConfinementError } from './bubblewrap.ts';
import { confinedEnvironment } from './credentialPlaces.ts';
import type { JobFiles, JobRecord } from './jobRecords.ts';
import { recordPlaceholder } from './placeholders.ts';
import { sandboxFilter } from './sandboxFilter.ts';

export interface Wrapped {
  readonly wrap: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** For descriptors 3 and on; the caller closes them. */
  readonly handles: readonly FileHandle[];
}

/**
 * What a command is started with: nothing before it where it is not confined.
 * @throws ConfinementError when it can't be confined: then it must not run
 */
export async function wrapCommand(
  files: JobFiles,
  job: JobRecord,
  environment: Readonly<Record<string, string>>,
): Promise<Wrapped> {
  const { confinement } = job;
  if (!confinement) return { wrap: [], environment, handles: [] };
  const filter = sandboxFilter();
  if (!filter) throw new ConfinementError(`There is no sandbox for this kind of machine (${process.arch}).`);
  const wrap = await bubblewrap(confinement, await realpath(job.cwd), (path) => recordPlaceholder(files, path));
  await writeFile(files.sandboxFilter, filter, { mode: 0o600 });
  const handles = [await open(files.sandboxFilter, 'r'), await open(files.sandboxStatus, 'a', 0o600)];
  return { wrap, environment: confinedEnvironment(environment), handles };
}

/** Of a command that ended: that its sandbox was never ready, so that it did not run. */
export async function sandboxComplaint(files: JobFiles, { confinement }: JobRecord): Promise<string | undefined> {
  if (!confinement) return undefined;
  const status = (await readIfThere(files.sandboxStatus)) ?? '';
  if (status.includes('"exit-code"')) return undefined;
  return 'The sandbox could not be made, so the command was not run. What was said about it is in the output.';
}
