// The way of one job's command into its sandbox, and what can be said of the sandbox afterwards. The one port between the supervisor
// and what confines: what stands before the command, its environment, and files that it is given.

import { mkdtemp, open, realpath, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readIfThere } from '../platform/durableFiles.ts';
import { bubblewrap, ConfinementError, networkSocket, placeOfScript } from './bubblewrap.ts';
import { confinedEnvironment } from './credentialPlaces.ts';
import { startDomainProxy } from './domainProxy.ts';
import { forwardRole } from './forwarder.ts';
import type { JobFiles, JobRecord } from './jobRecords.ts';
import { recordPlaceholder } from './placeholders.ts';
import { sandboxFilter } from './sandboxFilter.ts';

export interface Wrapped {
  readonly wrap: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** For descriptors 4 and on; the caller closes them. */
  readonly handles: readonly FileHandle[];
  /** The way to the network, where there is one. */
  readonly network?: Network;
}

interface Network {
  readonly refused: () => readonly string[];
  readonly close: () => Promise<void>;
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
  const proxy = confinement.domains.length === 0 ? undefined : await openNetwork(confinement.domains);
  const node = process.execPath;
  const script = process.argv[1] ?? '';
  const wrap = await bubblewrap(
    confinement,
    await realpath(job.cwd),
    (path) => recordPlaceholder(files, path),
    proxy && { socketFolder: proxy.socketFolder, script, node },
  );
  await writeFile(files.sandboxFilter, filter, { mode: 0o600 });
  const handles = [await open(files.sandboxFilter, 'r'), await open(files.sandboxStatus, 'a', 0o600)];
  const inside = confinedEnvironment(environment);
  if (!proxy) return { wrap, environment: inside, handles };
  const forward = [node, placeOfScript(script), networkSocket, forwardRole];
  return {
    ...{ wrap: [...wrap, ...forward], environment: { ...inside, ELECTRON_RUN_AS_NODE: '1' }, handles },
    network: { refused: proxy.refused, close: proxy.close },
  };
}

/** The proxy has a folder of its own with a short path: the path of a socket may have some hundred characters. */
async function openNetwork(domains: readonly string[]): Promise<Network & { readonly socketFolder: string }> {
  const socketFolder = await mkdtemp(join(tmpdir(), 'ratchet-net-'));
  const proxy = await startDomainProxy({ socketPath: join(socketFolder, basename(networkSocket)), domains });
  return {
    socketFolder,
    refused: proxy.refused,
    close: async () => {
      proxy.close();
      await rm(socketFolder, { recursive: true, force: true });
    },
  };
}

/** Of a command that ended: that its sandbox was never ready, so that it did not run. */
export async function sandboxComplaint(files: JobFiles, { confinement }: JobRecord): Promise<string | undefined> {
  if (!confinement) return undefined;
  const status = (await readIfThere(files.sandboxStatus)) ?? '';
  if (status.includes('"exit-code"')) return undefined;
  return 'The sandbox could not be made, so the command was not run. What was said about it is in the output.';
}
