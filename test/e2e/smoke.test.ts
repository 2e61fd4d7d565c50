import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eventually } from '../support/session/eventually.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';
import { VscodeServer } from '../support/workbench/vscodeServer.ts';
import { Workbench } from '../support/workbench/workbench.ts';

describe('the packaged extension in a real workbench', function () {
  this.timeout(240_000);

  let folder = '';
  let server: VscodeServer | undefined;
  let workbench: Workbench | undefined;

  keepFailureEvidence(() => ({ server, workbench }));

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'ratchet-folder-'));
    await writeFile(path.join(folder, 'README.md'), '# A folder\n');
    server = await VscodeServer.start({ builtIn: 'all' });
    workbench = await Workbench.open(server, folder);
  });

  after(async () => {
    await workbench?.close();
    await server?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const opened = () => {
    assert.ok(server !== undefined && workbench !== undefined);
    return { server, workbench };
  };

  /** What only a panel that has heard from the extension shows. */
  const shown = async () => {
    const frame = await opened().workbench.chatFrame();
    await frame.getByRole('region', { name: 'Ways to a model' }).waitFor();
  };

  it('shows the chat view', shown);

  it('is as wide as it is dragged, in each theme', async () => {
    const { workbench } = opened();
    for (const width of [300, 600]) {
      await workbench.setPanelWidth(width);
      const frame = await workbench.chatFrame();
      assert.ok(Math.abs((await frame.evaluate<number>('innerWidth')) - width) <= 1);
    }
    for (const [theme, kind] of [
      ['light', 'vscode-light'],
      ['highContrast', 'vscode-high-contrast'],
      ['dark', 'vscode-dark'],
    ] as const) {
      await workbench.setTheme(theme);
      const frame = await workbench.chatFrame();
      await frame.locator(`body.${kind}`).waitFor();
    }
  });

  it('is there again after the window was reloaded', async () => {
    const { workbench } = opened();
    await workbench.reloadWindow();
    await shown();
  });

  it('is there again after its extension host was killed', async () => {
    const { server } = opened();
    const killed = await server.extensionHost();
    const next = await server.killExtensionHost();
    assert.notEqual(next, killed);
    await shown();
    assert.ok((await server.extensionHosts()).includes(next));
  });

  it('is there again after the server was killed and started on the same port', async () => {
    const { server, workbench } = opened();
    await server.stop('SIGKILL');
    // Killed with it, or soon after by itself.
    await eventually(async () => (await server.extensionHosts()).length === 0);
    await server.start();
    await workbench.openFolder(folder);
    await shown();
  });
});
