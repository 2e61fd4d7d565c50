// The words of a resume's preview: how much is sent, what that costs, what of the finished work is still there. Pure.
import { costText, type PriceOf } from '../core/spending.ts';
import { noUsage } from '../core/messages.ts';
import { ellipsis } from '../core/wellFormed.ts';
import { countOf, grouped } from '../core/words.ts';

type Verdict = 'intact' | 'changed' | 'missing' | 'unknown';

export interface PreviewFacts {
  readonly request: { readonly model: string };
  readonly tokens: number;
  readonly isCounted: boolean;
  readonly newTokens: number;
  readonly cache: 'warm' | 'cold' | 'other_model' | 'other_prompt';
  readonly isCompactedFirst: boolean;
  readonly steps: readonly {
    readonly title: string;
    readonly verdict: Verdict;
    readonly files: readonly { readonly path: string; readonly verdict: Verdict }[];
  }[];
  readonly problem?: string;
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
export function sentLines(facts: PreviewFacts, priceOf: PriceOf): readonly string[] {
  const { cache, newTokens } = facts;
  return [
    tokensText(facts),
    `About ${grouped(newTokens)} of them new; ${cacheWords[cache]}`,
    costLine(facts, priceOf),
    ...(facts.isCompactedFirst ? ['Longer than the model takes: it is compacted first'] : []),
  ];
}

/** Of the first request alone: what the model answers, and what follows, is not known ahead. */
function costLine({ request: { model }, tokens, newTokens, cache }: PreviewFacts, priceOf: PriceOf): string {
  const anew = { ...noUsage, cacheWriteTokens: tokens };
  const cached = { ...noUsage, cacheReadTokens: tokens - newTokens, cacheWriteTokens: newTokens };
  const most = costText(new Map([[model, anew]]), priceOf);
  const least = costText(new Map([[model, cached]]), priceOf);
  if (most === undefined || least === undefined) return `The price of ${model} is not known`;
  const cost = cache === 'warm' && least !== most ? `${least} from the cache, ${most} without it` : most;
  return `Costs ${cost}, and what the answer costs`;
}

export interface StepLine {
  readonly title: string;
  readonly words: string;
  /** Which of its files are not as the step left them. */
  readonly files?: string;
}

const order: Readonly<Record<Verdict, number>> = { missing: 0, changed: 1, unknown: 2, intact: 3 };
const longestTitle = 80;
const mostPaths = 3;

/** The steps that made files and those that are open; what is not intact first. */
export function stepLines({ steps }: Pick<PreviewFacts, 'steps'>): readonly StepLine[] {
  return [...steps]
    .sort((a, b) => order[a.verdict] - order[b.verdict])
    .map(({ title, verdict, files }) => {
      const off = files.filter((file) => file.verdict !== 'intact');
      const paths = off.slice(0, mostPaths).map((file) => `${file.path} ${file.verdict}`);
      const more = off.length > mostPaths ? [`and ${String(off.length - mostPaths)} more`] : [];
      return {
        title: ellipsis(title, longestTitle),
        words: files.length === 0 ? 'cut: settled before anything is sent' : wordsOf(verdict, files.length),
        ...(off.length > 0 && { files: [...paths, ...more].join(', ') }),
      };
    });
}

function wordsOf(verdict: Verdict, files: number): string {
  return verdict === 'intact' ? `${countOf(files, 'file')} intact` : verdict;
}
