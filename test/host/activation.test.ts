import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { z } from 'zod';

const id = 'ratchet-dev.ratchet';
const manifestSchema = z.object({
  contributes: z.object({ commands: z.array(z.object({ command: z.string() })) }),
});

describe('activation', () => {
  const extension = () => {
    const found = vscode.extensions.getExtension(id);
    assert.ok(found !== undefined, `${id} is not installed`);
    return found;
  };

  it('succeeds', async () => {
    await extension().activate();
    assert.equal(extension().isActive, true);
  });

  it('registers every command that package.json contributes', async () => {
    await extension().activate();
    const { commands } = manifestSchema.parse(extension().packageJSON).contributes;
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      commands.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });

  it('shows the chat view', async () => {
    await vscode.commands.executeCommand('ratchet.chat.focus');
  });
});
