// Where the sessions of the features are killed: at each place of each of them, and once more soon after. Part of the plan.
import type { CrashCase, Kill, KillMoment } from './crashCase.ts';
import { featureNames, features, type FeatureName } from './features/all.ts';

interface FeaturePlace {
  readonly name: FeatureName;
  readonly point: string;
  readonly passes: number;
}

export const featurePlaces: readonly FeaturePlace[] = featureNames.flatMap((name) =>
  features[name].places.map(([point, passes]) => ({ name, point, passes })),
);

/** The case that kills at a place first. */
export function featureCase(number: number, { name, point, passes }: FeaturePlace, random: () => number): CrashCase {
  const below = (limit: number): number => Math.floor(random() * limit);
  const who = (): Kill['who'] => (['host', 'host', 'supervisors', 'everything'] as const)[below(4)] ?? 'host';
  const { places } = features[name];
  const other = places[below(places.length)];
  const again: KillMoment =
    other && below(3) > 0
      ? { kind: 'point', point: other[0], pass: 1 + below(Math.min(2, other[1])) }
      : { kind: 'time', ms: below(800) };
  // What a fork or an import is made of was never written by its session: there is nothing of it that may be torn.
  const mayTear = name !== 'revert' && name !== 'transfer';
  const tear = (): number | undefined => (mayTear && below(6) === 0 ? random() : undefined);
  return {
    number,
    model: below(2) === 0 ? 'claude-opus-4-8' : 'claude-sonnet-5-5',
    mode: below(2) === 0 ? 'resume' : 'retry',
    form: name,
    kills: [
      { at: { kind: 'point', point, pass: 1 + below(passes) }, who: who(), tear: tear() },
      { at: again, who: who(), tear: tear() },
    ],
  };
}
