// The form of the tables beside it: for each program whose arguments a rule may leave open, command lines that the rule
// must not cover, by what they would do, and those that it has to go on covering to be of use. One line each.

export interface ProgramTable {
  /** The words that the rule fixes. */
  readonly rule: string;
  readonly runsCode?: string;
  readonly writesOutside?: string;
  readonly readsOutside?: string;
  readonly network?: string;
  /** Neither, but more than a rule that says "safe" may allow: it waits for ever, or changes what is to be checked. */
  readonly other?: string;
  readonly useful: string;
}

export const attackKinds = ['runsCode', 'writesOutside', 'readsOutside', 'network', 'other'] as const;

export function linesOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
