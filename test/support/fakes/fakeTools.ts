// Tools that do nothing to the world but say what they did, in the order they did it.
import {
  ToolInputError,
  type Recovery,
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolResult,
} from '../../../src/runner/ports.ts';
import type { StepIntent } from '../../../src/core/events.ts';
import type { Step } from '../../../src/core/sessionState.ts';

export interface FakeToolOptions {
  readonly name: string;
  readonly effect?: ToolEffect;
  /** Why its calls are asked about though edits are accepted. */
  readonly why?: string;
  readonly intent?: StepIntent | ((input: Readonly<Record<string, unknown>>) => StepIntent);
  readonly run?: (input: Readonly<Record<string, unknown>>, context: ToolContext) => ToolResult | Promise<ToolResult>;
  /** Throws to refuse the input. */
  readonly check?: (input: Readonly<Record<string, unknown>>, planned: number) => void;
  readonly recover?: (step: Step, context: ToolContext) => Recovery | Promise<Recovery>;
  readonly expect?: Tool['expect'];
}

export interface FakeTool extends Tool {
  /** The inputs of the calls that took effect. */
  readonly effects: readonly Readonly<Record<string, unknown>>[];
  /** Settles when the n-th call (from 1) has begun. */
  started(n: number): Promise<void>;
}

export function succeeded(content: string): ToolResult {
  return { outcome: 'succeeded', content };
}

export function createFakeTool(options: FakeToolOptions, onEffect: (name: string) => void = () => undefined): FakeTool {
  const {
    name,
    effect = 'read',
    why,
    intent,
    run = () => succeeded(`${name} did it`),
    check,
    recover,
    expect,
  } = options;
  const effects: Readonly<Record<string, unknown>>[] = [];
  const waiting: { readonly n: number; readonly resolve: () => void }[] = [];
  let planned = 0;
  return {
    definition: { name, description: `The tool ${name}.`, input_schema: { type: 'object', properties: {} } },
    effect,
    ...(expect && { expect }),
    effects,
    started: (n) => (effects.length >= n ? Promise.resolve() : new Promise((resolve) => waiting.push({ n, resolve }))),
    plan: (input, context) => {
      planned += 1;
      check?.(input, planned);
      return Promise.resolve({
        ...(intent && { intent: typeof intent === 'function' ? intent(input) : intent }),
        ...(why !== undefined && { why }),
        preview: `${name} ${JSON.stringify(input)}`,
        execute: async () => {
          onEffect(name);
          effects.push(input);
          for (const { n, resolve } of waiting) if (n === effects.length) resolve();
          return run(input, context);
        },
      });
    },
    recover: async (step, context) => (recover ? recover(step, context) : { kind: 'rerun' }),
  };
}

/** For `run`: goes on until the run is stopped, as a command does. */
export function untilStopped(_input: Readonly<Record<string, unknown>>, { signal }: ToolContext): Promise<ToolResult> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** For `check`: refuses every input. */
export function refuseInput(message: string): () => never {
  return () => {
    throw new ToolInputError(message);
  };
}
