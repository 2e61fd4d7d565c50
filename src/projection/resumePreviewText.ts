// The words of a resume's preview: how much is sent, what of it is likely paid in full, what is intact. Pure.
import { countOf, grouped } from '../core/words.ts';

export interface PreviewFacts {
  readonly tokens: number;
  readonly isCounted: boolean;
  readonly newTokens: number;
  readonly cache: 'warm' | 'cold' | 'other_model' | 'other_prompt';
  readonly openCalls: number;
  readonly isCompactedFirst: boolean;
  readonly artifacts:
    | {
        readonly ok: true;
        readonly value: readonly {
          readonly artifact: { readonly path: string; readonly change: 'created' | 'changed' | 'deleted' };
          readonly verdict: 'intact' | 'changed' | 'missing';
        }[];
      }
    | { readonly ok: false; readonly reason: string };
}

const cacheWords: Readonly<Record<PreviewFacts['cache'], string>> = {
  warm: 'the server may still have the rest in its cache',
  cold: 'the last request is older than the 5 minutes of the cache, so all of it is read anew',
  other_model: 'another model has no cache of it, so all of it is read anew',
  other_prompt: 'the system prompt is made anew, so all of it is read anew',
};

/** "12,034 tokens, counted by the server". */
export function tokensText({ tokens, isCounted }: Pick<PreviewFacts, 'tokens' | 'isCounted'>): string {
  return `${grouped(tokens)} tokens, ${isCounted ? 'counted by the server' : 'estimated'}`;
}

/** What is sent, a line each. */
export function sentLines(facts: PreviewFacts): readonly string[] {
  const { cache, newTokens, openCalls } = facts;
  return [
    tokensText(facts),
    `About ${grouped(newTokens)} of them new; ${cacheWords[cache]}`,
    ...(facts.isCompactedFirst ? ['Longer than the model takes: it is compacted first'] : []),
    ...(openCalls === 0
      ? []
      : [
          `${countOf(openCalls, 'call')} ${openCalls === 1 ? 'is' : 'are'} settled first; what comes of that is unknown`,
        ]),
  ];
}

export interface FileLine {
  readonly path: string;
  readonly words: string;
}

/** The files that steps made or changed, what is not intact first. */
export function fileLines({ artifacts }: Pick<PreviewFacts, 'artifacts'>): readonly FileLine[] {
  if (!artifacts.ok) return [{ path: 'Files', words: `unknown: ${artifacts.reason}` }];
  const order = { missing: 0, changed: 1, intact: 2 } as const;
  return [...artifacts.value]
    .sort((a, b) => order[a.verdict] - order[b.verdict])
    .map(({ artifact, verdict }) => ({ path: artifact.path, words: `${verdict}, ${artifact.change} by a step` }));
}
