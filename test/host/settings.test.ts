import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { z } from 'zod';
import { ratchetApi, ratchetExtension } from '../support/session/hostApi.ts';

const manifestSchema = z.object({
  contributes: z.object({
    configuration: z.array(
      z.object({
        properties: z.record(z.string(), z.object({ scope: z.string().optional(), default: z.unknown() }).loose()),
      }),
    ),
  }),
});

/** What decides where the key goes, what answers and what is approved. */
const protectedKeys = ['anthropic.baseUrl', 'provider', 'approvalMode'] as const;

describe('the settings', () => {
  const properties = () =>
    Object.fromEntries(
      manifestSchema
        .parse(ratchetExtension().packageJSON)
        .contributes.configuration.flatMap((group) => Object.entries(group.properties)),
    );
  const configuration = () => vscode.workspace.getConfiguration('ratchet');
  const folder = () => {
    const found = vscode.workspace.workspaceFolders?.[0];
    assert.ok(found !== undefined, 'no folder is open');
    return found.uri;
  };

  after(async () => {
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), '.vscode'), { recursive: true });
  });

  it('are described, each of them, and have the defaults of package.json', async () => {
    await ratchetApi();
    for (const [name, property] of Object.entries(properties())) {
      assert.ok('description' in property || 'markdownDescription' in property, `${name} is described`);
      const key = name.slice('ratchet.'.length);
      assert.deepEqual(configuration().inspect(key)?.defaultValue, property.default, name);
    }
  });

  it('that decide about the key and what is approved belong to the user or the machine', () => {
    for (const key of protectedKeys) {
      assert.match(properties()[`ratchet.${key}`]?.scope ?? 'window', /^(application|machine)$/, key);
    }
  });

  it('of these are not taken from a workspace', async () => {
    const evil = {
      'ratchet.anthropic.baseUrl': 'http://127.0.0.1:9/elsewhere',
      'ratchet.provider': 'offlineDemo',
      'ratchet.approvalMode': 'allowAll',
    };
    const before = protectedKeys.map((key) => configuration().get<string>(key));
    const file = vscode.Uri.joinPath(folder(), '.vscode', 'settings.json');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(evil)));
    // Written beside them by the editor itself: when this one counts, the file has been read.
    await configuration().update('model', 'from-the-workspace', vscode.ConfigurationTarget.Workspace);
    assert.equal(configuration().get('model'), 'from-the-workspace');
    const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    assert.match(content, /elsewhere/);
    assert.deepEqual(
      protectedKeys.map((key) => configuration().get<string>(key)),
      before,
    );
    for (const key of protectedKeys) {
      await assert.rejects(async () => {
        await configuration().update(key, 'anything', vscode.ConfigurationTarget.Workspace);
      }, `${key} can be written into a workspace`);
    }
  });
});
