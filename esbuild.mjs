// Bundles what runs: the extension, the job supervisor, the thread that searches and the panel into dist/, the in-host suites into out/.
//   node esbuild.mjs [--production] [--watch] [--host-suites]
import { existsSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { build, context } from 'esbuild';

const root = import.meta.dirname;
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'info',
};

// Some packages ask where they are with import.meta.url, which a CommonJS bundle does not have.
/** @type {import('esbuild').BuildOptions} */
const node = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode', 'mocha'],
  keepNames: true,
  define: {
    'import.meta.url': 'importMetaUrl',
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
};

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
  { ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.cjs' },
  { ...node, entryPoints: ['src/jobs/supervisor.ts'], outfile: 'dist/supervisor.cjs' },
  { ...node, entryPoints: ['src/tools/globWorker.ts'], outfile: 'dist/globWorker.cjs' },
  {
    ...common,
    entryPoints: { webview: 'webview-ui/main.tsx' },
    outdir: 'dist',
    platform: 'browser',
    format: 'iife',
    target: 'chrome128',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
  },
];

const hostSuites = {
  ...node,
  minify: false,
  entryPoints: ['test/host/index.ts', ...globSync('test/host/**/*.test.ts', { cwd: root })],
  outbase: 'test/host',
  outdir: 'out/test-host',
  outExtension: { '.js': '.cjs' },
};

const wanted = process.argv.includes('--host-suites') ? [hostSuites] : bundles;
const buildable = wanted.filter(({ entryPoints }) =>
  Object.values(entryPoints ?? {}).every((file) => existsSync(path.join(root, file))),
);

if (watch) {
  for (const options of buildable) await (await context(options)).watch();
} else {
  // Nothing that an earlier build left behind may end up in the package.
  for (const folder of new Set(wanted.map(({ outdir, outfile }) => outdir ?? path.dirname(outfile ?? '')))) {
    rmSync(path.join(root, folder), { recursive: true, force: true });
  }
  await Promise.all(buildable.map((options) => build(options)));
}
