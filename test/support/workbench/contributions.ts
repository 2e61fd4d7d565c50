// The extension's names as package.json gives them, so that a renamed view or command does not break the harness.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../../../scripts/paths.ts';

const named = z.object({ id: z.string(), name: z.string() });
const titled = z.object({ id: z.string(), title: z.string() });
const manifestSchema = z.object({
  name: z.string(),
  publisher: z.string(),
  contributes: z.object({
    viewsContainers: z.record(z.string(), z.array(titled)),
    views: z.record(z.string(), z.array(named)),
  }),
});

const chatView = 'ratchet.chat';

const manifest = manifestSchema.parse(JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')));

export const extensionId = `${manifest.publisher}.${manifest.name}`;

/** The palette's title of the command that VS Code makes for showing the chat view. */
export function focusChatTitle(): string {
  const containers = Object.values(manifest.contributes.viewsContainers).flat();
  for (const [containerId, views] of Object.entries(manifest.contributes.views)) {
    const view = views.find(({ id }) => id === chatView);
    const container = containers.find(({ id }) => id === containerId);
    if (view !== undefined && container !== undefined) return `${container.title}: Focus on ${view.name} View`;
  }
  throw new Error(`package.json contributes no view ${chatView}`);
}
