// Starts the host program: bundled once, as the extension is, and without a code cache.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { reportSchema, type HostJob, type HostReport } from './hostReport.ts';

export interface Programs {
  readonly host: string;
  readonly supervisor: string;
}

const repository = join(import.meta.dirname, '..');

/** Bundles the host program and the supervisor of jobs into a folder. */
export async function bundlePrograms(folder: string): Promise<Programs> {
  const program = async (entry: string, name: string): Promise<string> => {
    const outfile = join(folder, name);
    await build({
      absWorkingDir: repository,
      entryPoints: [entry],
      outfile,
      bundle: true,
      minify: true,
      keepNames: true,
      platform: 'node',
      target: 'node22',
      format: name.endsWith('.cjs') ? 'cjs' : 'esm',
      logLevel: 'warning',
      ...(name.endsWith('.mjs') && {
        banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      }),
    });
    return outfile;
  };
  const [host, supervisor] = await Promise.all([
    program('bench/hostProgram.ts', 'host.mjs'),
    program('src/jobs/supervisor.ts', 'supervisor.cjs'),
  ]);
  return { host, supervisor };
}

/** Runs one job in a process of its own. @throws when it fails */
export async function runHost(
  programs: Programs,
  place: { readonly root: string; readonly folder: string },
  job: HostJob,
): Promise<HostReport> {
  const setup = JSON.stringify({ ...place, supervisorScript: programs.supervisor, job });
  const child = spawn(process.execPath, [programs.host, setup], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const said = await text(child.stdout);
  await closed;
  if (child.exitCode !== 0) throw new Error(`The host process for "${job.job}" failed.`);
  return reportSchema.parse(JSON.parse(said));
}
