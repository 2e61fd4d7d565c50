// The environment that a command gets: the user's own, without the keys of the agent and without the editor's internals.
// Pure.
import { shortestSecret } from '../core/redact.ts';
import { secretForms } from '../core/secretForms.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const internal = /^(ANTHROPIC_|VSCODE_|ELECTRON_)/i;
const keyName = /_(API_KEY|AUTH_TOKEN|ACCESS_TOKEN)$/i;
/** Shorter ones, such as the word that a local server takes for a key, may be part of a path. */
const shortestPart = 16;

/**
 * `base` and then `extra`, without the variables of the Anthropic SDK, of VS Code and of Electron, and without any that
 * holds one of `secrets`, whatever its name: alone, or as a part of its value, in any of the usual spellings. `extra` is the
 * caller's word and loses only what is secret. On Windows, where `PATH` and `Path` are one, `extra` replaces a variable in
 * whichever case it is written.
 */
export function commandEnvironment(
  base: Environment,
  extra: Environment = {},
  secrets: readonly string[] = [],
  platform: string = process.platform,
): Record<string, string> {
  const isSecret = secretVariable(secrets);
  const result = new Map<string, string>();
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !internal.test(name) && !isSecret(name, value)) result.set(name, value);
  }
  for (const [name, value] of Object.entries(extra)) {
    if (value === undefined || isSecret(name, value)) continue;
    if (platform === 'win32') removeIgnoringCase(result, name);
    result.set(name, value);
  }
  return Object.fromEntries(result);
}

function secretVariable(secrets: readonly string[]): (name: string, value: string) => boolean {
  const whole = new Set(secrets.filter((secret) => secret.length >= shortestSecret));
  const parts = secrets.filter((secret) => secret.length >= shortestPart).flatMap(secretForms);
  return (name, value) => {
    const trimmed = value.trim();
    if (trimmed === '') return false;
    if (whole.has(trimmed) || parts.some((part) => value.includes(part))) return true;
    // So short a value may stand in any variable by chance, but not in one for a key.
    return keyName.test(name) && secrets.includes(trimmed);
  };
}

function removeIgnoringCase(environment: Map<string, string>, name: string): void {
  for (const other of environment.keys()) {
    if (other.toUpperCase() === name.toUpperCase()) environment.delete(other);
  }
}
