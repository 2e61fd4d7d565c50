// Keeps what is needed to understand a failed end-to-end test: a picture, the page's console and the logs.
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { failuresFolder } from '../../../scripts/paths.ts';
import type { VscodeServer } from './vscodeServer.ts';
import type { Workbench } from './workbench.ts';

export interface Evidence {
  readonly server?: VscodeServer | undefined;
  readonly workbench?: Workbench | undefined;
}

/**
 * Called inside a `describe`, before its other hooks: saves evidence of every failed test of it under out/e2e/.
 * `get` is asked at that moment.
 */
export function keepFailureEvidence(get: () => Evidence): void {
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await save(this.currentTest.fullTitle(), get());
  });
  after(async function () {
    // A hook that failed leaves the tests behind it without a state.
    const suite = this.test?.parent;
    const isCut = suite?.tests.some((test) => test.state === undefined && !test.isPending()) === true;
    if (isCut) await save(`${suite.fullTitle()} (hook)`, get());
  });
}

async function save(title: string, { server, workbench }: Evidence): Promise<void> {
  const folder = path.join(failuresFolder, title.replaceAll(/[^\w-]+/g, '-').slice(0, 100));
  await mkdir(folder, { recursive: true });
  const problems: string[] = [];
  const attempt = async (action: () => Promise<void> | undefined) => {
    try {
      await action();
    } catch (error) {
      // Evidence that cannot be had must not hide the failure it is about.
      problems.push(String(error));
    }
  };
  await attempt(() => workbench?.page.screenshot({ path: path.join(folder, 'window.png') }).then(() => undefined));
  await attempt(() => writeFile(path.join(folder, 'console.log'), workbench?.console.join('\n') ?? ''));
  await attempt(() => writeFile(path.join(folder, 'server.log'), server?.output.text ?? ''));
  await attempt(() => {
    const logs = server === undefined ? undefined : path.join(server.userDataFolder, 'logs');
    return logs === undefined ? undefined : cp(logs, path.join(folder, 'logs'), { recursive: true });
  });
  if (problems.length > 0) await writeFile(path.join(folder, 'problems.txt'), problems.join('\n'));
}
