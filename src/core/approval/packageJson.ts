// Which changes of a `package.json` are of what runs: scripts, programs, dependencies, and the configuration of tools.
// The fields that describe a package are named; a field that is not known counts as one that runs.
import { z } from 'zod';
import { parsedJson } from '../parsedJson.ts';

const describing = new Set(
  'name version description keywords author contributors maintainers license licenses repository homepage bugs funding private type files main module browser types typings exports sideEffects engines os cpu publishConfig displayName publisher icon categories galleryBanner badges contributes activationEvents extensionKind capabilities'.split(
    ' ',
  ),
);

const objectSchema = z.record(z.string(), z.unknown());

/**
 * Whether a change touches a part of the file that runs. What cannot be read counts as such a change.
 * @param before null for no file
 */
export function packageJsonRuns(before: string | null | undefined, after: string | null | undefined): boolean {
  const old = before === null ? {} : fieldsOf(before);
  const now = after === null ? {} : fieldsOf(after);
  if (!old || !now) return true;
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names].some((name) => !describing.has(name) && JSON.stringify(old[name]) !== JSON.stringify(now[name]));
}

function fieldsOf(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  return text === undefined ? undefined : objectSchema.safeParse(parsedJson(text)).data;
}
