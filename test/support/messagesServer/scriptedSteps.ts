// A ready script for a job of N steps. What comes next is decided from the request alone, so that it goes on rightly after
// a resume, in another process, with another server. It must keep no state between requests.
import { isDeepStrictEqual } from 'node:util';
import { message, text, thinking, toolUse, type Reply, type ReplyBlock } from './reply.ts';
import type { MessagesBody, RequestBlock, RequestMessage, ToolResultBlock } from './requestSchema.ts';
import { blocksOf } from './turns.ts';

export interface ScriptedStep {
  /** Text that a successful result of this step contains, as a whole word: `step 3 done`. */
  readonly marker: string;
  readonly tool: string;
  readonly input: object;
  readonly say?: string;
  readonly think?: string;
}

export interface ScriptedStepsOptions {
  /**
   * Asked about each step that no tool result shows as done; gets all text of the request (system, prompts, resume
   * context, results; not what the assistant said). True: the step counts as done. Without it only tool results count.
   */
  readonly consider?: (textOfWholeRequest: string, step: ScriptedStep) => boolean;
  /** After so many failed results of one step the script gives up; default 5. */
  readonly attempts?: number;
  /** What is said at the end. */
  readonly finalText?: string;
}

/** Whether `marker` stands in `whole` with no letter or digit directly before or after it. */
export function hasMarker(whole: string, marker: string): boolean {
  for (let at = whole.indexOf(marker); at >= 0; at = whole.indexOf(marker, at + 1)) {
    const before = whole.slice(0, at).at(-1) ?? '';
    const after = whole.at(at + marker.length) ?? '';
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

function resultText(block: ToolResultBlock): string {
  if (typeof block.content === 'string') return block.content;
  return (block.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function textOf(block: RequestBlock): readonly string[] {
  if (block.type === 'text') return [block.text];
  return block.type === 'tool_result' ? [resultText(block)] : [];
}

function allText({ messages, system }: MessagesBody): string {
  const prompt = typeof system === 'object' ? system.map((block) => block.text) : [system ?? ''];
  const said = messages
    .filter(({ role }) => role !== 'assistant')
    .flatMap(blocksOf)
    .flatMap(textOf);
  return [...prompt, ...said].join('\n');
}

function resultsOf(messages: readonly RequestMessage[]): readonly ToolResultBlock[] {
  return messages.flatMap(blocksOf).flatMap((block) => (block.type === 'tool_result' ? [block] : []));
}

function failures(step: ScriptedStep, messages: readonly RequestMessage[]): number {
  const calls = messages
    .flatMap(blocksOf)
    .flatMap((block) =>
      block.type === 'tool_use' && block.name === step.tool && isDeepStrictEqual(block.input, { ...step.input })
        ? [block.id]
        : [],
    );
  const failed = resultsOf(messages).filter(({ is_error: isError }) => isError === true);
  return failed.filter(({ tool_use_id: id }) => calls.includes(id)).length;
}

function callOf(step: ScriptedStep): Reply {
  const blocks: ReplyBlock[] = [];
  if (step.think !== undefined) blocks.push(thinking(step.think));
  if (step.say !== undefined) blocks.push(text(step.say));
  return message([...blocks, toolUse(step.tool, step.input)]);
}

/** The first step that the request does not show as done; undefined when all are. */
export function nextStep(
  steps: readonly ScriptedStep[],
  body: MessagesBody,
  options: ScriptedStepsOptions = {},
): ScriptedStep | undefined {
  const done = resultsOf(body.messages)
    .filter(({ is_error: isError }) => isError !== true)
    .map(resultText);
  const isDone = (step: ScriptedStep): boolean => done.some((result) => hasMarker(result, step.marker));
  const { consider } = options;
  const open = steps.filter((step) => !isDone(step));
  if (consider === undefined || open.length === 0) return open[0];
  const whole = allText(body);
  return open.find((step) => !consider(whole, step));
}

/** A script that does one step after the other and then says so. */
export function scriptedSteps(
  steps: readonly ScriptedStep[],
  options: ScriptedStepsOptions = {},
): (request: MessagesBody) => Reply {
  const attempts = options.attempts ?? 5;
  return (body) => {
    const step = nextStep(steps, body, options);
    if (step === undefined) return message([text(options.finalText ?? `All ${steps.length} steps are done.`)]);
    if (failures(step, body.messages) >= attempts) {
      return message([text(`I give up: "${step.marker}" was not reached in ${attempts} attempts.`)]);
    }
    return callOf(step);
  };
}

/** Steps 1 to `count`, each with the marker `step <n> done`. */
export function numberedSteps(
  count: number,
  step: (n: number, marker: string) => Omit<ScriptedStep, 'marker'>,
): readonly ScriptedStep[] {
  return Array.from({ length: count }, (_, index) => {
    const marker = `step ${index + 1} done`;
    return { ...step(index + 1, marker), marker };
  });
}
