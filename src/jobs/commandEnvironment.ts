// The environment that a command gets: the user's own, without the keys of the agent and without the editor's internals.
// Pure.

type Environment = Readonly<Record<string, string | undefined>>;

const internal = /^(ANTHROPIC_|VSCODE_|ELECTRON_)/i;
const keyName = /_(API_KEY|AUTH_TOKEN|ACCESS_TOKEN)$/i;

/**
 * `base` and then `extra`, without the variables of the Anthropic SDK, of VS Code and of Electron, and without any key or token whose
 * value is one of `secrets`. `extra` is the caller's word and loses only what is secret. On Windows, where `PATH` and `Path` are one, `extra`
 * replaces a variable in whichever case it is written.
 */
export function commandEnvironment(
  base: Environment,
  extra: Environment = {},
  secrets: readonly string[] = [],
  platform: string = process.platform,
): Record<string, string> {
  const result = new Map<string, string>();
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !internal.test(name) && !isSecret(name, value, secrets)) result.set(name, value);
  }
  for (const [name, value] of Object.entries(extra)) {
    if (value === undefined || isSecret(name, value, secrets)) continue;
    if (platform === 'win32') removeIgnoringCase(result, name);
    result.set(name, value);
  }
  return Object.fromEntries(result);
}

function isSecret(name: string, value: string, secrets: readonly string[]): boolean {
  return keyName.test(name) && value !== '' && secrets.includes(value);
}

function removeIgnoringCase(environment: Map<string, string>, name: string): void {
  for (const other of environment.keys()) {
    if (other.toUpperCase() === name.toUpperCase()) environment.delete(other);
  }
}
