// Reads from a request how far the demo's script has come: which of its calls were made, and what became of each. The
// conversation is all there is to go by, so that a stopped or reloaded demo goes on where it was. Pure.
import { z } from 'zod';
import { demoSteps } from './demoJob.ts';

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
});
type Block = z.infer<typeof blockSchema>;

export const demoRequestSchema = z.looseObject({
  model: z.string(),
  system: z.array(z.looseObject({ text: z.string() })).default([]),
  messages: z.array(
    z.looseObject({
      role: z.enum(['user', 'assistant', 'system']),
      content: z.union([z.string().transform((text): Block[] => [{ type: 'text', text }]), z.array(blockSchema)]),
    }),
  ),
});
export type DemoRequest = z.infer<typeof demoRequestSchema>;

/** `gone`: it had succeeded, but the file that it left is not there any more. */
export type CallOutcome = 'succeeded' | 'failed' | 'denied' | 'not_started' | 'unfinished' | 'gone';

export interface CallRecord {
  readonly attempts: number;
  readonly outcome: CallOutcome;
  /** What the tool answered last. */
  readonly text: string;
}

export interface DemoProgress {
  /** 1 for the first time the script is played in this conversation. */
  readonly play: number;
  /** The script has said its last words for this play. */
  readonly ended: boolean;
  readonly calls: ReadonlyMap<string, CallRecord>;
  /** What came after the script's last turn, besides tool results. */
  readonly said: 'nothing' | 'resumed' | 'typed';
}

const idPattern = /^toolu_demo_(\d+)_([a-z0-9-]+)_\d+_\d+$/;

/** An id that is not in the conversation yet, and from which the call can be told again. */
export function demoCallId(request: DemoRequest, progress: DemoProgress, key: string): string {
  const attempt = (progress.calls.get(key)?.attempts ?? 0) + 1;
  return `toolu_demo_${String(progress.play)}_${key}_${String(attempt)}_${String(request.messages.length)}`;
}

/** Walks through the conversation once, from its beginning. */
export function readProgress(request: DemoRequest): DemoProgress {
  let play = 1;
  let ended = false;
  let said: DemoProgress['said'] = 'nothing';
  const calls = new Map<string, CallRecord>();

  const asked = (block: Block): boolean => {
    const key = keyOf(block.id, play);
    if (key === undefined) return false;
    const attempts = (calls.get(key)?.attempts ?? 0) + 1;
    calls.set(key, { attempts, outcome: 'unfinished', text: '' });
    return true;
  };
  const answered = (block: Block): void => {
    const key = keyOf(block.tool_use_id, play);
    const call = key === undefined ? undefined : calls.get(key);
    if (key === undefined || !call) return;
    const text = textOf(block.content);
    calls.set(key, { ...call, outcome: block.is_error === true ? failedOutcome(text) : 'succeeded', text });
  };
  const heard = (text: string): void => {
    if (isResumeContext(text)) {
      said = 'resumed';
      markGone(calls, text);
    } else if (ended && /^\s*again\W*$/i.test(text)) {
      play += 1;
      ended = false;
      said = 'nothing';
      calls.clear();
    } else if (said === 'nothing' && text.trim() !== 'Continue.') {
      said = 'typed';
    }
  };

  for (const message of request.messages) {
    if (message.role === 'assistant') {
      const own = message.content.filter((block) => block.type === 'tool_use').filter(asked);
      // Words without a call are the script's last ones, once it has begun.
      ended = own.length === 0 && calls.size > 0;
      said = 'nothing';
      continue;
    }
    for (const block of message.content) {
      if (block.type === 'tool_result') answered(block);
      else if (block.type === 'text') heard(block.text ?? '');
    }
  }
  return { play, ended, calls, said };
}

function keyOf(id: string | undefined, play: number): string | undefined {
  const match = idPattern.exec(id ?? '');
  return match?.[1] === String(play) ? match[2] : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = z.array(blockSchema).safeParse(content);
  return blocks.success ? blocks.data.map((block) => block.text ?? '').join('\n') : '';
}

/** Goes by the words of the answer, since that is all a model gets too. */
function failedOutcome(text: string): CallOutcome {
  const said = text.split('\n', 1)[0] ?? '';
  if (/^exit code/i.test(said)) return 'failed';
  if (/\b(denied|declined|not approved|did not allow)\b/i.test(said)) return 'denied';
  if (/\b(not started|never started|not run|before it took effect|before the)\b/i.test(said)) return 'not_started';
  if (/\b(interrupted|unknown|stopped|cut|cancell?ed|time limit|timed out|killed by)\b/i.test(said))
    return 'unfinished';
  return 'failed';
}

function isResumeContext(text: string): boolean {
  return text.includes('<resume_context>') || /^## Artifacts of this session$/m.test(text);
}

function markGone(calls: Map<string, CallRecord>, context: string): void {
  const lines = new Set(context.split('\n').map((line) => line.replace(/ \(.*$/, '')));
  for (const { key, leaves } of demoSteps.flatMap((step) => step.calls)) {
    const call = calls.get(key);
    if (leaves === undefined || call?.outcome !== 'succeeded' || !lines.has(`${leaves}: missing`)) continue;
    calls.set(key, { ...call, outcome: 'gone' });
  }
}
