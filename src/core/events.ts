// The closed list of what can happen in a session: the records of the journal, their schemas and types.
// Format 1 is described in docs/journal.md. Events are facts in the past tense; nothing here decides.
import { z } from 'zod';
import { askedSchema } from './approval/rules.ts';
import { sandboxSides } from './confinement.ts';
import { attachmentSchema } from './attachments.ts';
import { connectionSchema } from './connection.ts';
import { imageSchema } from './images.ts';
import {
  artifactSchema,
  executable,
  leftFileSchema,
  listedFileSchema,
  outputRefSchema,
  revertFileSchema,
  seenFileSchema,
} from './recordedFiles.ts';
import { quickCheckOf, type QuickCheck } from './quickCheck.ts';
import {
  assistantBlockSchema,
  effortLevels,
  jsonObjectSchema,
  thinkingModes,
  toolDefinitionSchema,
  usageSchema,
} from './messages.ts';

export const journalFormat = 1;

export const folderIdentitySchema = z.object({ uri: z.string(), name: z.string(), path: z.string() });
/** The workspace folder a session belongs to, as it was when the session was made. `path` is its file system path. */
export type FolderIdentity = Readonly<z.infer<typeof folderIdentitySchema>>;

const originSchema = z.object({
  kind: z.literal('imported'),
  /** The last record that was made elsewhere: what counts of it and of those before is what `foreignRecord` leaves. */
  uptoSeq: z.number().int().nonnegative(),
});
/** Where the first records of a session come from, when it is not from here. It stays for good, also with a fork. */
export type SessionOrigin = Readonly<z.infer<typeof originSchema>>;

export const journalHeaderSchema = z.object({
  ratchet: z.literal('journal'),
  format: z.number().int().positive(),
  sessionId: z.string().min(1),
  folder: folderIdentitySchema,
  createdAt: z.number(),
  origin: originSchema.optional(),
});
export type JournalHeader = Readonly<z.infer<typeof journalHeaderSchema>>;

export const resumeModes = ['resume', 'retry'] as const;
export type ResumeMode = (typeof resumeModes)[number];

export const sessionStates = ['created', 'running', 'done', 'failed', 'cancelled', 'timed_out', 'interrupted'] as const;
export type SessionStateName = (typeof sessionStates)[number];

export const runOutcomes = ['done', 'failed', 'cancelled', 'timed_out'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export const approvalModes = ['ask', 'acceptEdits', 'sandbox', 'allowAll'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** Why an answer broke off for good: by the user, the time limit, the end of the window, or the server and the network. */
export const cutReasons = ['stopped', 'time_limit', 'closed', 'failed'] as const;
export type CutReason = (typeof cutReasons)[number];

/** `window_full`: the model or the server said that the conversation does not fit. */
export const compactionTriggers = ['threshold', 'user', 'window_full'] as const;
export type CompactionTrigger = (typeof compactionTriggers)[number];

export const taskStatuses = ['pending', 'in_progress', 'completed'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
const taskSchema = z.object({ id: z.string(), title: z.string(), status: z.enum(taskStatuses) });
export type Task = Readonly<z.infer<typeof taskSchema>>;

/** `cut` = the run ended in the middle and the outcome is not known; `not_started` = it provably never ran. */
export const stepOutcomes = ['succeeded', 'failed', 'denied', 'cancelled', 'timed_out', 'not_started', 'cut'] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

export const stepIntentSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    path: z.string(),
    /** Hash of the file before the step, null when there was none. */
    beforeSha256: z.string().nullable(),
    /** Hash that the file has when the step is done. */
    afterSha256: z.string(),
    /** Hash of what is on disk while `beforeSha256` is that of unsaved changes, which the step saves first. */
    diskSha256: z.string().nullable().optional(),
    /** Of the file before; a write or an edit leaves it as it is. */
    executable,
  }),
  z.object({
    kind: z.literal('job'),
    key: z.string(),
    command: z.string(),
    /** Confined by the operating system, or not although it could be. Absent where there is no sandbox in play. */
    sandbox: z.enum(sandboxSides).optional(),
  }),
]);
/** What a step is about to do to the world, recorded before it does it, so that a cut step can be judged. */
export type StepIntent = Readonly<z.infer<typeof stepIntentSchema>>;

const runErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  detail: z.string().optional(),
  /** From when on the server takes requests again, in milliseconds since 1970: the run ended to wait for that. */
  retryAt: z.number().optional(),
  /** For how many milliseconds a request was tried before; then `retryAt` is a time of ours and no word of the server. */
  triedMs: z.number().optional(),
});
/** Why a run ended. `message` says what happened and what to do, in the user's words. */
export type RunError = Readonly<z.infer<typeof runErrorSchema>>;

/** Whose event it is: absent for the session's own conversation. */
const ofAgent = { agentId: z.string().optional() };

const stepResultShape = {
  stepId: z.string(),
  outcome: z.enum(stepOutcomes),
  /** What the model is told. */
  content: z.string(),
  isError: z.boolean(),
  durationMs: z.number().optional(),
  exitCode: z.number().nullable().optional(),
  artifacts: z.array(artifactSchema).optional(),
  /** There were more changed files than are recorded, or not all of the folder could be looked at. */
  artifactsPartial: z.literal(true).optional(),
  /** Lines added and removed by an edit. */
  lines: z.object({ added: z.number(), removed: z.number() }).optional(),
  output: outputRefSchema.optional(),
  /** Files whose content the model was shown, wholly or in part. */
  seen: z.array(seenFileSchema).optional(),
  /** What the panel says beside the step, such as "finished while the window was closed". */
  note: z.string().optional(),
  ...ofAgent,
};

const revertEndShape = { revertId: z.string(), restored: z.array(z.string()), left: z.array(leftFileSchema) };

const requestSettingsShape = {
  model: z.string(),
  thinking: z.enum(thinkingModes),
  maxTokens: z.number(),
  /** Absent where it was left to the model. */
  effort: z.enum(effortLevels).optional(),
  /** Who answers, never with a credential; absent in traces of versions before. */
  connection: connectionSchema.optional(),
};

/** `cut`: given up in the middle, since a message came instead of a resume. */
export const agentOutcomes = ['done', 'failed', 'cut'] as const;
export type AgentOutcome = (typeof agentOutcomes)[number];
/** What goes along with the words of a user. */
const extrasShape = {
  /** What the mentions in the text stood for when it was sent. Each is a block of its own after the text. */
  attachments: z.array(attachmentSchema).optional(),
  /** Sent before the text. */
  images: z.array(imageSchema).optional(),
};

const bodies = {
  title_changed: { title: z.string(), by: z.enum(['user', 'first_message']) },
  approval_mode_changed: { mode: z.enum(approvalModes) },
  /** For the runs that follow, instead of the setting. A resume may still name another one for itself. */
  model_chosen: { model: z.string(), thinking: z.enum(thinkingModes).optional() },
  /** System prompt and tools of the requests that follow; written when they differ from the last ones. */
  prompt_set: { system: z.string(), tools: z.array(toolDefinitionSchema), ...ofAgent },
  run_started: {
    runId: z.string(),
    cause: z.enum(['message', 'resume', 'retry']),
    ...requestSettingsShape,
  },
  user_message_added: {
    messageId: z.string(),
    text: z.string(),
    /** `ratchet` where the extension itself asks the model to go on after a cut answer. */
    origin: z.enum(['user', 'ratchet']),
    /** State of the repository and the open editors then, in short; absent when it was the same as the last one. */
    surroundings: z.string().optional(),
    ...ofAgent,
    ...extrasShape,
  },
  /** Sent by the user while a run went on; delivered by a `user_message_added` with the same id. */
  message_queued: { messageId: z.string(), text: z.string(), ...extrasShape },
  queued_message_edited: { messageId: z.string(), text: z.string() },
  queued_message_removed: { messageId: z.string() },
  session_resumed: {
    runId: z.string(),
    mode: z.enum(resumeModes),
    priorState: z.enum(sessionStates),
    stepsKept: z.number(),
    /** Nobody asked for it: the setting ratchet.autoResume did. */
    auto: z.literal(true).optional(),
  },
  /** The relaunch text, made once per resume and sent unchanged from then on. */
  relaunch_prepared: {
    runId: z.string(),
    prompt: z.string(),
    /** Whole: it says everything without any other. */
    context: z.string(),
    placement: z.enum(['system', 'user']),
    /** What has changed since the context of the record `since`: sent instead of the whole while that one is sent too. */
    shorter: z.object({ since: z.number().int().positive(), text: z.string() }).optional(),
    /** The files that the context lists, exactly: for the next one to be told from. */
    listed: z.array(listedFileSchema).optional(),
    ...ofAgent,
  },
  request_started: { requestId: z.string(), runId: z.string(), attempt: z.number(), ...ofAgent },
  request_failed: {
    requestId: z.string(),
    error: runErrorSchema,
    /** Milliseconds until the next attempt; absent when there is none. */
    retryInMs: z.number().optional(),
    /** When that is, in milliseconds since 1970. */
    retryAt: z.number().optional(),
    /** Of the same kind: the server said that it takes nothing before. */
    notBefore: z.number().optional(),
    nextAttempt: z.number().optional(),
    /** How many there are at most in a row. */
    attempts: z.number().optional(),
    ...ofAgent,
  },
  assistant_message_completed: {
    messageId: z.string(),
    requestId: z.string(),
    model: z.string(),
    content: z.array(assistantBlockSchema),
    stopReason: z.string(),
    usage: usageSchema,
    ...ofAgent,
  },
  /** The model refused its recorded thinking: what is in the trace until here is left out of all later requests. */
  thinking_dropped: { requestId: z.string(), ...ofAgent },
  /** The server refused this part of the conversation: a placeholder with the reason is sent in its place from here on. */
  history_healed: {
    requestId: z.string(),
    /** `seq` of the record whose part it is. */
    partSeq: z.number().int().positive(),
    /** Place among the blocks that the record is sent as; 0 for the result of a step. */
    partBlock: z.number().int().nonnegative(),
    reason: z.string(),
    ...ofAgent,
  },
  /** Results up to `uptoSeq` are sent with so many characters of each at most. */
  results_trimmed: {
    uptoSeq: z.number().int().nonnegative(),
    keep: z.number().int().nonnegative(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    ...ofAgent,
  },
  /** A summary of the conversation is asked for. Without an end it was cut, and is asked for again when it is needed. */
  compaction_started: {
    compactionId: z.string(),
    trigger: z.enum(compactionTriggers),
    tokensBefore: z.number(),
    /** Who is asked for the summary, outside of a run, which says it itself. */
    connection: connectionSchema.optional(),
    ...ofAgent,
  },
  compaction_failed: { compactionId: z.string(), error: runErrorSchema, ...ofAgent },
  /** What stands up to `uptoSeq` is sent as `text` from here on; what comes after it is sent as ever. */
  history_compacted: {
    compactionId: z.string(),
    /** `ratchet`: the model gave no summary, so it is a list of what was done. */
    by: z.enum(['model', 'ratchet']),
    uptoSeq: z.number().int().nonnegative(),
    summary: z.string(),
    /** The summary with the user's words, tasks and artifacts of that moment: made once and sent unchanged. */
    text: z.string(),
    /** Steps that it stands for. */
    steps: z.number(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    usage: usageSchema.optional(),
    ...ofAgent,
  },
  /** What had been streamed of an answer that never completed. Shown; sent as the model's own words where `why` says so. */
  assistant_message_cut: {
    messageId: z.string(),
    requestId: z.string(),
    text: z.string(),
    /** What cut it. Absent in traces of versions before, which never sent it: what they sent stays as it was. */
    why: z.enum(cutReasons).optional(),
    ...ofAgent,
  },
  approval_requested: {
    stepId: z.string(),
    runId: z.string(),
    tool: z.string(),
    preview: z.string(),
    /** What the step does first, such as saving unsaved changes. */
    note: z.string().optional(),
    /** Why it is asked although edits are not: the file runs or instructs by itself. */
    why: z.string().optional(),
    /** What an approval rule could speak of; absent where there can be none. */
    asked: askedSchema.optional(),
    /** It failed in the sandbox, or the model says that it would: it is asked to be run outside. */
    outside: z.literal(true).optional(),
    ...ofAgent,
  },
  approval_answered: {
    stepId: z.string(),
    decision: z.enum(['allow', 'deny']),
    reason: z.string().optional(),
    /** The approval rules that answered in the user's place. */
    allowedBy: z.string().optional(),
    /** The mode answered: the command is run in the sandbox. */
    confined: z.literal(true).optional(),
  },
  step_started: {
    stepId: z.string(),
    runId: z.string(),
    tool: z.string(),
    input: jsonObjectSchema,
    intent: stepIntentSchema.optional(),
    /** The approval rules that allowed it, where the mode would have asked. */
    allowedBy: z.string().optional(),
    ...ofAgent,
  },
  /** A resumed run waits for a step that kept running outside, or goes on inside a delegation. */
  step_continued: { stepId: z.string(), runId: z.string(), ...ofAgent },
  step_finished: stepResultShape,
  task_added: { task: taskSchema },
  task_updated: { id: z.string(), title: z.string().optional(), status: z.enum(taskStatuses).optional() },
  task_deleted: { id: z.string() },
  /** The records before this one were made elsewhere and came in a file: what they allowed is not allowed here. */
  session_imported: {
    from: z.object({ sessionId: z.string(), folderPath: z.string(), createdAt: z.number() }),
    /** How many came, and how many lines of the file could not be read. */
    records: z.number().int().nonnegative(),
    unreadable: z.number().int().nonnegative(),
    /** Records that were left out, since they allow, answer, choose or start something. */
    leftOut: z.number().int().nonnegative().optional(),
  },
  note_added: { level: z.enum(['info', 'warning', 'error']), text: z.string(), ...ofAgent },
  /** A delegation begins: an agent with a conversation of its own. One record, so that it is there whole or not at all. */
  agent_started: {
    agentId: z.string(),
    runId: z.string(),
    /** The call that asked for it. */
    stepId: z.string(),
    agent: z.string(),
    label: z.string().optional(),
    /** The first words of its conversation. */
    task: z.string(),
    ...requestSettingsShape,
    system: z.string(),
    tools: z.array(toolDefinitionSchema),
  },
  /** A resumed run goes on inside of a delegation that was cut. */
  agent_resumed: { agentId: z.string(), runId: z.string(), ...requestSettingsShape },
  /** In one write with the end of its step. */
  agent_ended: { agentId: z.string(), outcome: z.enum(agentOutcomes), error: runErrorSchema.optional() },
  /** A revert, or the undo of one, is about to change these files. Without an end it was cut, and is finished first. */
  revert_started: {
    revertId: z.string(),
    /** Records after this one are cut. */
    toSeq: z.number().int().nonnegative(),
    /** The user's message that the session goes back to before. */
    messageId: z.string(),
    /** The revert that is undone. */
    undoes: z.string().optional(),
    files: z.array(revertFileSchema),
    left: z.array(leftFileSchema),
  },
  /** What stands after `toSeq` counts no more, but for what was spent. */
  history_reverted: {
    ...revertEndShape,
    toSeq: z.number().int().nonnegative(),
    /** The beginning of the message. */
    text: z.string(),
  },
  /** What the revert `undoes` cut counts again. */
  revert_undone: { ...revertEndShape, undoes: z.string() },
  /** The records before this one are those of another session, up to `atSeq` of it. */
  session_forked: {
    from: z.string(),
    atSeq: z.number().int().nonnegative(),
    title: z.string(),
    /** Who has answered that session, where it was not the demo alone: the records that came along may not show it. */
    answeredBy: z.enum(['model', 'elsewhere']).optional(),
  },
  run_ended: { runId: z.string(), outcome: z.enum(runOutcomes), error: runErrorSchema.optional() },
} as const;

type Bodies = typeof bodies;
export type EventType = keyof Bodies;

const stamp = { seq: z.number().int().positive(), at: z.number() };

type NewEventOf<T extends EventType> = Readonly<{ type: T } & z.infer<z.ZodObject<Bodies[T]>>>;
/** An event that has not been written yet. */
export type NewEvent = { [T in EventType]: NewEventOf<T> }[EventType];
/** A written event: `seq` is consecutive from 1 in a journal, `at` is in milliseconds since 1970. */
export type SessionEvent = { [T in EventType]: Readonly<{ seq: number; at: number }> & NewEventOf<T> }[EventType];
export type EventOf<T extends EventType> = Extract<SessionEvent, { type: T }>;

interface RecordSchema {
  readonly schema: z.ZodType;
  /** Made when the first record of the type comes. */
  quickCheck?: QuickCheck;
}

const schemas = new Map<string, RecordSchema>(
  Object.entries(bodies).map(([type, body]) => [
    type,
    { schema: z.object({ ...stamp, type: z.literal(type), ...body }) },
  ]),
);

const envelopeSchema = z.looseObject({ ...stamp, type: z.string() });

/** The type that a record says it has, if it says one: enough to pick its schema, which then checks everything. */
function typeOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  return typeof value.type === 'string' ? value.type : undefined;
}

export type ParsedEvent =
  | { readonly kind: 'event'; readonly event: SessionEvent }
  | { readonly kind: 'unknown_type'; readonly seq: number; readonly type: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Checks one parsed journal line. Never throws; an event type of a later version is named, not refused. */
export function parseEvent(value: unknown): ParsedEvent {
  // A trace has tens of thousands of records: each is checked by one schema, not by two.
  const record = schemas.get(typeOf(value) ?? '');
  if (!record) {
    const envelope = envelopeSchema.safeParse(value);
    if (!envelope.success) return { kind: 'invalid', reason: z.prettifyError(envelope.error) };
    return { kind: 'unknown_type', seq: envelope.data.seq, type: envelope.data.type };
  }
  record.quickCheck ??= quickCheckOf(record.schema);
  // As below: the type picked the check.
  if (record.quickCheck(value)) return { kind: 'event', event: value as SessionEvent };
  const parsed = record.schema.safeParse(value);
  if (!parsed.success) return { kind: 'invalid', reason: z.prettifyError(parsed.error) };
  // The schema was picked by the type, which the compiler cannot see through the map.
  return { kind: 'event', event: parsed.data as SessionEvent };
}
