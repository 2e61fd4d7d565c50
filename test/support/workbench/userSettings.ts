// The user settings of an editor under test or on show: quiet, and without what would cover the extension.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

export type Settings = Readonly<Record<string, unknown>>;

export const quietSettings: Settings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.untrustedFiles': 'open',
  'telemetry.telemetryLevel': 'off',
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Switches off what costs a second of both cores on each load of a window and that the extension has no part in. */
export const leanSettings: Settings = { 'extensions.webWorker': false, 'git.enabled': false };

/** Adds settings to the user settings in a user data folder. */
export async function writeUserSettings(userDataFolder: string, settings: Settings): Promise<void> {
  const file = path.join(userDataFolder, 'User', 'settings.json');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...(await readSettings(file)), ...settings }, undefined, 2)}\n`);
}

async function readSettings(file: string): Promise<Settings> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
