// Programs that tests start as processes of their own, bundled once for each process of tests: started from its sources,
// a program first compiles all that it imports, which takes three to ten times as long as its work.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

const bundled = new Map<string, string>();
let folder: string | undefined;

/** The path of a program that `node` can start, made from the TypeScript file of this path. */
export function bundledProgram(entry: string): string {
  const known = bundled.get(entry);
  if (known !== undefined) return known;
  folder ??= newFolder();
  const outfile = join(folder, `${basename(entry, '.ts')}.mjs`);
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    logLevel: 'warning',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  bundled.set(entry, outfile);
  return outfile;
}

/** The supervisor of jobs. */
export function bundledSupervisor(): string {
  return bundledProgram(join(import.meta.dirname, '../../../src/jobs/supervisor.ts'));
}

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'ratchet-programs-'));
  process.once('exit', () => {
    rmSync(made, { recursive: true, force: true });
  });
  return made;
}
