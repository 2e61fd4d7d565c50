import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { z } from 'zod';
import { commands } from '../../src/host/commands.ts';
import { ratchetApi, ratchetExtension } from '../support/session/hostApi.ts';

const manifestSchema = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.string() })),
  }),
});

describe('activation', () => {
  const contributed = () => manifestSchema.parse(ratchetExtension().packageJSON).contributes.commands;

  it('returns the API', async () => {
    const api = await ratchetApi();
    assert.equal(ratchetExtension().isActive, true);
    const names = ['listSessions', 'createSession', 'sendMessage', 'stopSession', 'resumeSession'] as const;
    for (const name of [...names, 'onDidChangeSession', 'onDidPublishEvent'] as const) {
      assert.equal(typeof api[name], 'function', name);
    }
  });

  it('registers the commands that package.json contributes, and no others', async () => {
    await ratchetApi();
    const ours = (await vscode.commands.getCommands(true)).filter((id) => id.startsWith('ratchet.'));
    // What VS Code makes for each view and container by itself.
    const made = /^ratchet\.(chat(ActivityBar)?|sessions)\./;
    assert.deepEqual(
      ours.filter((id) => !made.test(id)).sort(),
      contributed()
        .map(({ command }) => command)
        .sort(),
    );
  });

  it('has one table of commands, with the titles of package.json', () => {
    const table = Object.entries(commands).map(([command, { title }]) => ({ command, title, category: 'Ratchet' }));
    const declared = contributed().map(({ command, title, category }) => ({ command, title, category }));
    assert.deepEqual(table, declared);
  });

  it('shows the chat view', async () => {
    await vscode.commands.executeCommand('ratchet.chat.focus');
  });
});
