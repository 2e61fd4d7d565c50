// The programs of the crash cases, bundled once so that a host starts in the time that Node itself needs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface Programs {
  readonly host: string;
  readonly supervisor: string;
  /** Where Node keeps the compiled code between starts. */
  readonly compileCache: string;
  dispose(): Promise<void>;
}

const repository = join(import.meta.dirname, '..', '..');

/** Bundles host and supervisor into a folder of their own: another run at the same time has another one. */
export async function bundlePrograms(): Promise<Programs> {
  const outFolder = await mkdtemp(join(tmpdir(), 'ratchet-crash-programs-'));
  const program = async (entry: string, name: string, format: 'cjs' | 'esm'): Promise<string> => {
    const outfile = join(outFolder, name);
    await build({
      absWorkingDir: repository,
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node22',
      format,
      minifySyntax: true,
      logLevel: 'warning',
      ...(format === 'esm' && {
        banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      }),
    });
    return outfile;
  };
  const [host, supervisor] = await Promise.all([
    program('test/crash/hostProcess.ts', 'host.mjs', 'esm'),
    program('src/jobs/supervisor.ts', 'supervisor.cjs', 'cjs'),
  ]);
  return {
    host,
    supervisor,
    compileCache: join(outFolder, 'compileCache'),
    dispose: () => rm(outFolder, { recursive: true, force: true }),
  };
}
