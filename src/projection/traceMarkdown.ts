// A trace as a document to read: every record in order, calls with their inputs and results. One event at a time, so that
// a long trace is never held whole. It must never know files, and takes out nothing: what it gets is fit to be shown.
import { unreachable } from '../core/errors.ts';
import type { EventOf, JournalHeader, SessionEvent } from '../core/events.ts';
import type { Usage } from '../core/messages.ts';
import { stepTitle } from '../core/stepTitles.ts';
import { countOf, durationText, grouped, sizeText } from '../core/words.ts';
import { revertFileLines, revertItem } from './revertTexts.ts';
import { importedText, resumedText, retryText, runEndText, thinkingDroppedText } from './runTexts.ts';
import { stateWords } from './sessionView.ts';

export interface ShownOutput {
  readonly text: string;
  /** Of all of it. */
  readonly bytes: number;
  /** `text` is only its beginning. */
  readonly isPart: boolean;
}

export interface TraceMarkdown {
  start(): string;
  /** @param output what the record refers to beside the trace, as much as is to be shown */
  event(event: SessionEvent, output?: ShownOutput): string;
  /** @param lost what could not be read of the trace, in words */
  end(lost: string | undefined): string;
}

export function createTraceMarkdown({ sessionId, folder, createdAt }: JournalHeader): TraceMarkdown {
  const calls = new Map<string, { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }>();
  return {
    start: () =>
      [
        '# Trace of a session',
        '',
        `- Session: ${inline(sessionId)}`,
        `- Folder: ${inline(folder.path)}`,
        `- Made: ${time(createdAt)}`,
        '',
      ].join('\n'),
    event: (event, output) => {
      remember(calls, event);
      const known = 'stepId' in event ? calls.get(event.stepId) : undefined;
      const whose = 'agentId' in event && event.agentId !== undefined ? ` (agent ${inline(event.agentId)})` : '';
      const parts = describe(event, known);
      const shown = output
        ? [`Output, ${sizeText(output.bytes)}${output.isPart ? ', the beginning of it' : ''}:`, fenced(output.text)]
        : [];
      const divider = dividers.has(event.type) ? '---\n\n' : '';
      const [title, ...rest] = [...parts, ...shown];
      return `\n${divider}### ${String(event.seq)}. ${title ?? event.type}${whose}\n\n${[time(event.at), ...rest].join('\n\n')}\n`;
    },
    end: (lost) => (lost === undefined ? '' : `\n---\n\n${lost}\n`),
  };
}

const dividers: ReadonlySet<SessionEvent['type']> = new Set(['run_started', 'session_resumed', 'session_imported']);

function remember(
  calls: Map<string, { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }>,
  event: SessionEvent,
): void {
  if (event.type === 'step_started') calls.set(event.stepId, { tool: event.tool, input: event.input });
  if (event.type !== 'assistant_message_completed') return;
  for (const block of event.content)
    if (block.type === 'tool_use') calls.set(block.id, { tool: block.name, input: block.input });
}

/** The title of a record and what stands under it. */
function describe(
  event: SessionEvent,
  call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } | undefined,
): readonly string[] {
  switch (event.type) {
    case 'title_changed':
      return ['Title', fenced(event.title)];
    case 'approval_mode_changed':
      return [`Approval mode: ${event.mode}`];
    case 'model_chosen':
      return [
        `Model of the next runs: ${inline(event.model)}`,
        ...(event.thinking ? [`Thinking ${event.thinking}`] : []),
      ];
    case 'prompt_set':
      return ['System prompt', fenced(event.system), ...toolList(event.tools)];
    case 'run_started':
      return [`Run by a ${event.cause}`, modelText(event)];
    case 'session_resumed':
      return [`${resumedText(event.mode, event.stepsKept, event.auto)}, ${stateWords[event.priorState]} before`];
    case 'session_imported':
      return [importedText(event)];
    case 'user_message_added':
      return [event.origin === 'user' ? 'You' : 'Ratchet', ...messageParts(event)];
    case 'message_queued':
      return ['You, for the next turn', ...messageParts(event)];
    case 'queued_message_edited':
      return ['Waiting message changed', fenced(event.text)];
    case 'queued_message_removed':
      return ['Waiting message removed'];
    case 'relaunch_prepared':
      return ['What the resumed model is told', fenced(event.prompt), fenced(event.shorter?.text ?? event.context)];
    case 'request_started':
      return [`Request, attempt ${String(event.attempt)}`];
    case 'request_failed':
      return [
        'Request failed',
        event.retryInMs === undefined ? event.error.message : retryText(event.error, event.retryInMs),
        ...optional(event.error.detail),
      ];
    case 'assistant_message_completed':
      return ['Model', ...answerParts(event), `${usageText(event.usage)}, ended by ${inline(event.stopReason)}`];
    case 'assistant_message_cut':
      return ['Model, cut before its end', fenced(event.text)];
    case 'thinking_dropped':
      return ['Thinking left out', thinkingDroppedText];
    case 'history_healed':
      return ['Part of the conversation replaced', fenced(event.reason)];
    case 'results_trimmed':
      return [
        'Old results shortened',
        `${grouped(event.tokensBefore)} tokens before, ${grouped(event.tokensAfter)} after`,
      ];
    case 'compaction_started':
      return [`Compaction (${event.trigger})`];
    case 'compaction_failed':
      return ['Compaction failed', event.error.message, ...optional(event.error.detail)];
    case 'history_compacted':
      return [
        `Conversation compacted, ${countOf(event.steps, 'step')}`,
        `${grouped(event.tokensBefore)} tokens before, ${grouped(event.tokensAfter)} after`,
        fenced(event.summary),
        'Sent in its place:',
        fenced(event.text),
      ];
    case 'approval_requested':
      return [`Permission asked: ${callTitle(call, 'asks')}`, ...optional(event.note), fenced(event.preview)];
    case 'approval_answered':
      return [
        `Permission ${event.decision === 'allow' ? 'given' : 'refused'}: ${callTitle(call, 'asked')}`,
        ...(event.allowedBy === undefined ? [] : [`By rule ${inline(event.allowedBy)}`]),
        ...optional(event.reason),
      ];
    case 'step_started':
      return [
        `Step: ${callTitle(event, 'running')}`,
        fenced(json(event.input), 'json'),
        ...(event.allowedBy === undefined ? [] : [`Allowed by rule ${inline(event.allowedBy)}`]),
      ];
    case 'step_continued':
      return [`Step goes on: ${callTitle(call, 'running')}`];
    case 'step_finished':
      return [`Step ${event.outcome.replace('_', ' ')}: ${callTitle(call, 'ended')}`, ...resultParts(event)];
    case 'task_added':
      return ['Task added', fenced(`[${event.task.status}] ${event.task.title}`)];
    case 'task_updated':
      return [`Task ${inline(event.id)} changed`, ...optional(event.title), ...(event.status ? [event.status] : [])];
    case 'task_deleted':
      return [`Task ${inline(event.id)} dropped`];
    case 'note_added':
      return [`Note (${event.level})`, fenced(event.text)];
    case 'agent_started':
      return [
        `Agent ${inline(event.agent)} starts`,
        modelText(event),
        fenced(event.task),
        'System prompt:',
        fenced(event.system),
        ...toolList(event.tools),
      ];
    case 'agent_resumed':
      return ['Agent goes on', modelText(event)];
    case 'agent_ended':
      return [`Agent ended: ${event.outcome}`, ...optional(event.error?.message)];
    case 'revert_started':
      return [
        event.undoes === undefined ? 'Revert begins' : 'Undo of a revert begins',
        ...optional(event.files.map(({ path }) => path).join('\n')),
      ];
    case 'history_reverted':
    case 'revert_undone':
      return [revertItem(event).text, ...optional(revertFileLines(event).join('\n'))];
    case 'session_forked':
      return [revertItem(event).text];
    case 'run_ended':
      return [`Run ended: ${runEndText(event)}`, ...optional(event.error?.detail)];
    default:
      return unreachable(event);
  }
}

function modelText({ model, thinking, effort }: Pick<EventOf<'run_started'>, 'model' | 'thinking' | 'effort'>): string {
  return `Model ${inline(model)}, thinking ${thinking}${effort === undefined ? '' : `, effort ${effort}`}`;
}

function messageParts({ text, images = [], attachments = [], ...more }: MessageLike): readonly string[] {
  return [
    fenced(text),
    ...images.map((image) => `Image ${image.mediaType}, ${String(image.width)} × ${String(image.height)}`),
    ...attachments.flatMap(({ label, text: attached }) => [`Attached: ${inline(label)}`, fenced(attached)]),
    ...optional(more.surroundings),
  ];
}
type MessageLike = Pick<EventOf<'message_queued'>, 'text' | 'images' | 'attachments'> & {
  readonly surroundings?: string | undefined;
};

function answerParts({ content }: EventOf<'assistant_message_completed'>): readonly string[] {
  return content.flatMap((block): readonly string[] => {
    switch (block.type) {
      case 'text':
        return [fenced(block.text)];
      case 'thinking':
        return ['Thinking:', fenced(block.thinking)];
      case 'redacted_thinking':
        return ['Thinking that only the model can read'];
      case 'tool_use':
        return [
          `Call ${inline(block.id)}: ${callTitle({ tool: block.name, input: block.input }, 'asks')}`,
          fenced(json(block.input), 'json'),
        ];
    }
  });
}

function resultParts(event: EventOf<'step_finished'>): readonly string[] {
  const facts = [
    ...(event.exitCode === undefined ? [] : [`exit ${String(event.exitCode)}`]),
    ...(event.durationMs === undefined ? [] : [durationText(event.durationMs)]),
    ...(event.lines ? [`+${String(event.lines.added)} −${String(event.lines.removed)}`] : []),
    ...(event.note === undefined ? [] : [event.note]),
  ];
  const artifacts = (event.artifacts ?? []).map(
    ({ path, change, size, sha256 }) => `- ${change} ${inline(path)}, ${sizeText(size)}, ${sha256 ?? 'no hash'}`,
  );
  return [
    ...(facts.length > 0 ? [facts.join(' · ')] : []),
    fenced(event.content),
    ...(artifacts.length > 0 ? [artifacts.join('\n')] : []),
  ];
}

function callTitle(
  call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } | undefined,
  phase: 'asks' | 'asked' | 'running' | 'ended',
): string {
  if (!call) return 'a call that is not in the trace';
  const { verb, subject } = stepTitle(call.tool, call.input, phase);
  return `${verb} ${inline(subject)}`;
}

function toolList(tools: readonly { readonly name: string }[]): readonly string[] {
  return tools.length === 0 ? [] : [`Tools: ${tools.map(({ name }) => inline(name)).join(', ')}`];
}

function usageText({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Usage): string {
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  return `${grouped(input)} tokens in (${grouped(cacheReadTokens)} from cache), ${grouped(outputTokens)} out`;
}

function optional(text: string | undefined): readonly string[] {
  return text === undefined || text.trim() === '' ? [] : [fenced(text)];
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** ISO 8601 in UTC: the same wherever it is read. */
function time(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}

/** A fence that nothing in the text can close. */
function fenced(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/~+/g)].map(([run]) => run.length));
  const fence = '~'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Code in a line, whatever backticks it has. */
function inline(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest > 0 ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}
