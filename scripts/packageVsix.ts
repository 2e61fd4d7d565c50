// Makes out/ratchet.vsix (a production build, by way of the `vscode:prepublish` script) and refuses one that is too big.
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { outFolder, repositoryRoot, vsixFile } from './paths.ts';

const largestSize = 1.5 * 1024 * 1024;
/** Each is started by its path: nothing else would say that one is missing. */
const needed = ['extension.cjs', 'supervisor.cjs', 'globWorker.cjs', 'webview.js'].map((name) => `dist/${name}`);
const allowed = /^(package\.json|README\.md|CHANGELOG\.md|LICENSE(\.txt)?|(dist|media)\/.+(?<!\.map))$/;

await mkdir(outFolder, { recursive: true });
await createVSIX({
  cwd: repositoryRoot,
  packagePath: vsixFile,
  dependencies: false,
  allowMissingRepository: true,
  // The pictures of the README are in the package itself.
  rewriteRelativeLinks: false,
});

const files = await listFiles({ cwd: repositoryRoot, packageManager: PackageManager.None });
const stray = files.filter((file) => !allowed.test(file));
const missing = needed.filter((file) => !files.includes(file));
const { size } = await stat(vsixFile);
console.log(`${path.relative(repositoryRoot, vsixFile)}: ${(size / 1024).toFixed(0)} KB`);
if (stray.length > 0) {
  console.error(`These files must not be in the package: ${stray.join(', ')}`);
  process.exitCode = 1;
}
if (missing.length > 0) {
  console.error(`These files are missing in the package: ${missing.join(', ')}`);
  process.exitCode = 1;
}
if (size > largestSize) {
  console.error(`The package is larger than ${largestSize / 1024} KB.`);
  process.exitCode = 1;
}
