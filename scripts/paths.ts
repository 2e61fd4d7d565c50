// Where the scripts and the test harness keep things. Everything made is inside the repository and git-ignored.
import path from 'node:path';
import process from 'node:process';

export const repositoryRoot = path.dirname(import.meta.dirname);
export const outFolder = path.join(repositoryRoot, 'out');
export const vsixFile = path.join(outFolder, 'ratchet.vsix');
/** Screenshots and logs of failed end-to-end tests. */
export const failuresFolder = path.join(outFolder, 'e2e');
/** The compiled in-host suites; `index.cjs` in it is what the extension host loads. */
export const hostSuitesFolder = path.join(outFolder, 'test-host');
export const binFolder = path.join(repositoryRoot, 'node_modules', '.bin');

/** The folder for downloads of editors, which outlive a build. `RATCHET_VSCODE_CACHE` names another one. */
export function editorCacheFolder(): string {
  return process.env.RATCHET_VSCODE_CACHE ?? path.join(repositoryRoot, '.vscode-test');
}
