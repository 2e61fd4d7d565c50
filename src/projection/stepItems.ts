// The items that steps are on screen: from their calls, questions and results. Knows nothing of the items around them.
import type { EventOf, StepOutcome } from '../core/events.ts';
import { stepTitle, type TitlePhase } from '../core/stepTitles.ts';
import { headOf } from '../core/wellFormed.ts';
import type { StepItem, StepStatus, TranscriptItem } from '../protocol/view.ts';
import { alwaysView } from './approvalView.ts';
import { outsideAnswers, outsideVerb, sandboxView } from './sandboxTexts.ts';

/** What a step's result may take in the panel, in UTF-16 units; the rest is a click away. */
const resultLimit = 8_000;

/** What the model asked for. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}
const unknownCall: Call = { tool: 'unknown', input: {} };

/** Makes the items of one conversation's steps; remembers the calls that they are of. */
export class StepItems {
  readonly #calls = new Map<string, Call>();
  readonly #previews = new Map<string, string>();
  readonly #taskTitles: ReadonlyMap<string, string>;
  readonly #agentFields: (id: string) => Partial<StepItem>;

  /**
   * @param taskTitles titles of the tasks by id, as they are at any time
   * @param agentFields what an item says of the agent that its step runs
   */
  constructor(taskTitles: ReadonlyMap<string, string>, agentFields: (id: string) => Partial<StepItem>) {
    this.#taskTitles = taskTitles;
    this.#agentFields = agentFields;
  }

  noteCall(id: string, call: Call): void {
    this.#calls.set(id, call);
  }

  callOf(id: string): Call {
    return this.#calls.get(id) ?? unknownCall;
  }

  /** @param before the item of the step until now: it may have run in the sandbox */
  waiting(event: EventOf<'approval_requested'>, before?: TranscriptItem): StepItem {
    this.#previews.set(event.stepId, event.preview);
    const always = alwaysView(event.asked);
    const call = this.#calls.get(event.stepId) ?? { tool: event.tool, input: {} };
    return this.#step(event.stepId, call, 'waiting', event.at, {
      preview: { language: previewLanguage(event.tool), text: event.preview },
      ...(event.note !== undefined && { note: event.note }),
      ...(event.why !== undefined && { why: event.why }),
      ...(always && { always }),
      ...(event.outside && { verb: outsideVerb, answers: outsideAnswers }),
      ...(before?.kind === 'step' && before.sandbox && { sandbox: before.sandbox }),
    });
  }

  started({ stepId, at, allowedBy, intent }: EventOf<'step_started'>, call: Call): StepItem {
    return this.#step(stepId, call, 'running', at, {
      startedAt: at,
      ...(allowedBy !== undefined && { allowedBy }),
      ...sandboxView(intent),
    });
  }

  /** @param cut the item that it was when it was cut; `isAgent`: it runs an agent */
  continued(event: EventOf<'step_continued'>, cut: TranscriptItem | undefined, isAgent: boolean): StepItem {
    const before = cut?.kind === 'step' ? cut : undefined;
    return this.#step(event.stepId, this.callOf(event.stepId), 'running', cut?.at ?? event.at, {
      ...(before?.startedAt !== undefined && { startedAt: before.startedAt }),
      ...(before?.allowedBy !== undefined && { allowedBy: before.allowedBy }),
      ...(before?.sandbox && { sandbox: before.sandbox }),
      // An agent did nothing while nobody watched; a command inside may have.
      ...(!isAgent && { note: 'kept running while nobody watched' }),
    });
  }

  /** @param before the item of the step until now */
  finished(event: EventOf<'step_finished'>, call: Call, before: TranscriptItem | undefined): StepItem {
    const started = before?.kind === 'step' ? before : undefined;
    const status = stepStatus(event.outcome);
    const text = headOf(event.content, resultLimit);
    return this.#step(event.stepId, call, status, started?.at ?? event.at, {
      ...(started?.startedAt !== undefined && { startedAt: started.startedAt }),
      ...(started?.allowedBy !== undefined && { allowedBy: started.allowedBy }),
      ...(started?.sandbox && { sandbox: started.sandbox }),
      ...(event.durationMs !== undefined && { durationMs: event.durationMs }),
      ...(event.exitCode !== undefined && status !== 'stopped' && { exitCode: event.exitCode }),
      ...(event.lines && { lines: event.lines }),
      // What was stopped or denied by the user is no error, and says so by its status.
      ...(event.outcome === 'failed' && { problem: firstLine(event.content) }),
      ...(event.note !== undefined && { note: event.note }),
      result: { text, truncated: text.length < event.content.length },
      ...(madeItsFile(call.tool, event.artifacts) && { verb: 'Created' }),
      ...(event.output && { hasFullOutput: true }),
      ...(event.artifacts &&
        event.artifacts.length > 0 && { artifacts: event.artifacts.map(({ path, change }) => ({ path, change })) }),
    });
  }

  /** The item of a step that nobody goes on with. */
  cut(item: StepItem): StepItem {
    // What is asked, and what would be done first, is over with the question.
    const { preview: _preview, always: _always, why: _why, answers: _answers, note, ...rest } = item;
    const kept = item.status === 'running' && note !== undefined ? { note } : {};
    const call = this.callOf(item.id);
    const phase = item.status === 'waiting' ? 'asked' : 'cut';
    const { verb } = stepTitle(call.tool, call.input, phase, this.#taskTitles);
    return { ...rest, ...kept, ...this.#agentFields(item.id), status: 'cut', verb };
  }

  #step(id: string, call: Call, status: StepStatus, at: number, more: Partial<StepItem>): StepItem {
    const { verb, subject, path } = stepTitle(call.tool, call.input, titlePhase(status), this.#taskTitles);
    return {
      kind: 'step',
      id,
      at,
      status,
      verb,
      subject,
      ...(path !== undefined && { path }),
      input: inputText(call.tool, call.input, this.#previews.get(id)),
      ...this.#agentFields(id),
      ...more,
    };
  }
}

function titlePhase(status: StepStatus): TitlePhase {
  switch (status) {
    case 'waiting':
      return 'asks';
    case 'running':
      return 'running';
    case 'cut':
      return 'cut';
    case 'denied':
    case 'not_started':
      return 'asked';
    case 'succeeded':
    case 'failed':
    case 'stopped':
      return 'ended';
  }
}

/** A write or an edit that made its file says so. */
function madeItsFile(tool: string | undefined, artifacts: EventOf<'step_finished'>['artifacts']): boolean {
  return (tool === 'write' || tool === 'edit') && artifacts?.length === 1 && artifacts[0]?.change === 'created';
}

function stepStatus(outcome: StepOutcome): StepStatus {
  return outcome === 'cancelled' || outcome === 'timed_out' ? 'stopped' : outcome;
}

function previewLanguage(tool: string): 'shell' | 'diff' | 'json' {
  if (tool === 'run_command') return 'shell';
  return tool === 'write' || tool === 'edit' ? 'diff' : 'json';
}

function inputText(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  preview: string | undefined,
): StepItem['input'] {
  if (tool === 'run_command' && typeof input.command === 'string') return { language: 'shell', text: input.command };
  if (preview !== undefined && previewLanguage(tool) === 'diff')
    return { language: 'diff', text: headOf(preview, resultLimit) };
  return { language: 'json', text: headOf(JSON.stringify(input, undefined, 2), resultLimit) };
}

function firstLine(text: string): string {
  return headOf(text.trimStart().split('\n', 1)[0] ?? '', 300);
}
