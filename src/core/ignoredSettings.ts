// Settings that are set where the editor does not use them, in words with what to do: it says nothing itself. Pure.
import { parsedJson } from './parsedJson.ts';

/** Where the editor takes these from; package.json says the same, and a test compares the two. */
export const settingScopes = {
  'anthropic.baseUrl': 'machine',
  provider: 'application',
  approvalMode: 'application',
  autoResume: 'application',
  'resume.previewAbove': 'application',
  'sandbox.alsoForRules': 'application',
  'sandbox.allowedDomains': 'application',
  'sandbox.allowedWrites': 'application',
} as const;
export type ScopedSetting = keyof typeof settingScopes;

/** `machine`: the settings of the server that extensions run on. */
export type SettingPlace = 'workspace' | 'user' | 'machine';

export interface FoundSettings {
  readonly place: SettingPlace;
  /** The parsed file. */
  readonly values: unknown;
}

/**
 * One sentence or two for each setting whose value counts nowhere.
 * @param inEffect the values that count now
 * @param isRemote whether extensions run on a server, so that settings of the machine are that server's
 */
export function ignoredSettings(
  found: readonly FoundSettings[],
  inEffect: (key: ScopedSetting) => unknown,
  isRemote: boolean,
): readonly string[] {
  const keys = Object.keys(settingScopes).filter((key): key is ScopedSetting => key in settingScopes);
  return found.flatMap(({ place, values }) =>
    keys.flatMap((key) => {
      const value = valueOf(values, `ratchet.${key}`);
      if (value === undefined || value === '' || JSON.stringify(value) === JSON.stringify(inEffect(key))) return [];
      const words = whyIgnored(key, place, isRemote, inEffect(key));
      return words === undefined ? [] : [`ratchet.${key} ${words}`];
    }),
  );
}

function whyIgnored(key: ScopedSetting, place: SettingPlace, isRemote: boolean, inEffect: unknown): string | undefined {
  switch (place) {
    case 'workspace':
      return 'in the settings of this workspace is not used: a workspace cannot set it. Set it in your user settings.';
    case 'user':
      // Where the server has a value of its own, that is the one that is meant.
      if (!isRemote || settingScopes[key] !== 'machine' || (inEffect !== undefined && inEffect !== ''))
        return undefined;
      return 'in your user settings is not used in this window, whose extensions run on a server. Set it there: "Preferences: Open Remote Settings".';
    case 'machine':
      if (!isRemote || settingScopes[key] === 'machine') return undefined;
      return 'in the settings of this remote machine is not used. Set it in your user settings: "Preferences: Open User Settings".';
  }
}

function valueOf(values: unknown, key: string): unknown {
  return typeof values === 'object' && values !== null && Object.hasOwn(values, key)
    ? (values as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** JSON as the editor's settings files have it, with comments and commas at ends; undefined for what is none. */
export function parseSettings(text: string): unknown {
  const string = /"(?:\\.|[^"\\])*"/.source;
  const keepStrings = (match: string): string => (match.startsWith('"') ? match : ' ');
  const bare = text
    .replace(/^\uFEFF/, '')
    .replace(new RegExp(`${string}|//[^\\n]*|/\\*[\\s\\S]*?\\*/`, 'g'), keepStrings)
    .replace(new RegExp(`${string}|,(?=\\s*[}\\]])`, 'g'), keepStrings);
  return parsedJson(bare);
}
