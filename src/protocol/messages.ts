// What travels between the host and the panel. The host is authoritative: it sends one snapshot after `ready`, then
// numbered changes; a panel that misses a number asks for a new snapshot. Beats say again and again where the host is,
// and `seen` where the panel is, so that any message may be lost. Messages to the host are checked by schema.
import { z } from 'zod';
import { approvalModes, resumeModes } from '../core/events.ts';
import type { MessageImage } from '../core/images.ts';
import { thinkingModes } from '../core/messages.ts';
import { composerRequestSchemas, type ComposerAnswer } from './composer.ts';
import { draftRequestSchemas, type DraftAnswer } from './drafts.ts';
import { hostCommands, type PanelView, type RevertPlanView, type SessionView, type TranscriptItem } from './view.ts';

export type Change =
  /** Replaces everything but the transcript items. */
  | { readonly kind: 'panel'; readonly panel: PanelView }
  /** Replaces the header, tasks and banner of the session that is open. */
  | { readonly kind: 'session'; readonly session: SessionView }
  /** Replaces the item with this id, or adds it at the end: of the transcript, or of an opened card's own items. */
  | { readonly kind: 'itemPut'; readonly item: TranscriptItem; readonly cardId?: string }
  | { readonly kind: 'itemRemoved'; readonly id: string }
  /** More text at the end of a streaming assistant or thinking item. */
  | { readonly kind: 'textAppended'; readonly id: string; readonly text: string }
  /** The last lines of a running step's output; replaces the ones before. */
  | { readonly kind: 'liveOutput'; readonly id: string; readonly lines: readonly string[] };

/** Milliseconds from one beat to the next. A panel that hears nothing for several of them has lost its host. */
export const beatMs = 2_000;

export type HostMessage =
  | ComposerAnswer
  | DraftAnswer
  | {
      readonly type: 'snapshot';
      readonly revision: number;
      readonly panel: PanelView;
      /** The newest items of the transcript, oldest first. */
      readonly items: readonly TranscriptItem[];
      /** How many older ones there are. */
      readonly earlier: number;
      readonly live: readonly { readonly id: string; readonly lines: readonly string[] }[];
    }
  /** `revision` is one more than that of the message before. */
  | { readonly type: 'changes'; readonly revision: number; readonly changes: readonly Change[] }
  /** Every {@link beatMs}: the last number that was given. `behindMs`: how long what is new has waited for the panel. */
  | { readonly type: 'beat'; readonly revision: number; readonly behindMs?: number }
  | {
      readonly type: 'earlierItems';
      readonly sessionId: string;
      readonly items: readonly TranscriptItem[];
      readonly earlier: number;
    }
  /** The items inside of an agent's card: the newest ones, or those before an item that the panel has. */
  | {
      readonly type: 'agentItems';
      readonly sessionId: string;
      readonly stepId: string;
      readonly beforeId?: string;
      readonly items: readonly TranscriptItem[];
      readonly earlier: number;
    }
  /** What a revert would do, to be confirmed. */
  | { readonly type: 'revertPlan'; readonly sessionId: string; readonly plan: RevertPlanView }
  /** Puts the text into the input, with the reason: it could not be sent, or it was taken back. */
  | {
      readonly type: 'sendRefused';
      /** Of the message that the panel sent; absent for one that was taken back. */
      readonly id?: string;
      readonly text: string;
      /** Absent where the panel still has what it sent. */
      readonly images?: readonly MessageImage[];
      readonly reason: string;
    }
  | { readonly type: 'focusInput' };

export const panelMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('snapshotWanted') }),
  /** The panel has taken in everything up to this number. Answers snapshots, changes and beats. */
  z.object({ type: z.literal('seen'), revision: z.number() }),
  /** Presses a button of a notice, by its place; without one, takes the notice away. */
  z.object({ type: z.literal('answerNotice'), id: z.string(), action: z.number().int().min(0).optional() }),
  ...composerRequestSchemas,
  ...draftRequestSchemas,
  z.object({ type: z.literal('stop') }),
  z.object({
    type: z.literal('resume'),
    mode: z.enum(resumeModes),
    model: z.string().optional(),
    thinking: z.enum(thinkingModes).optional(),
    /** At once, even when the server asked for a wait that is not over. */
    now: z.literal(true).optional(),
    /** What would be sent is shown first. */
    preview: z.literal(true).optional(),
  }),
  /** Makes a request again now that waits for its time. */
  z.object({ type: z.literal('retryNow') }),
  /** For a message that waits; answered by `sendRefused` with its text when it waits no more. */
  z.object({ type: z.literal('editQueued'), messageId: z.string(), text: z.string() }),
  z.object({ type: z.literal('removeQueued'), messageId: z.string() }),
  z.object({ type: z.literal('endCommand'), key: z.string() }),
  z.object({
    type: z.literal('approve'),
    stepId: z.string(),
    decision: z.enum(['allow', 'deny']),
    reason: z.string().optional(),
    /** With `allow`: the choice of rules that is kept with it. */
    always: z.string().optional(),
  }),
  z.object({ type: z.literal('setApprovalMode'), mode: z.enum(approvalModes) }),
  z.object({ type: z.literal('openSession'), sessionId: z.string() }),
  /** Goes back to the list of sessions. */
  z.object({ type: z.literal('closeSession') }),
  z.object({ type: z.literal('rename'), title: z.string() }),
  z.object({ type: z.literal('selectFolder'), uri: z.string() }),
  /** Takes over the sessions of a folder that is gone, as they were offered. */
  z.object({ type: z.literal('adopt'), folder: z.string(), from: z.string() }),
  /** Answered by `earlierItems`: the page of items before the oldest one that the panel has. */
  z.object({ type: z.literal('loadEarlier'), beforeId: z.string() }),
  /** Answered by `agentItems`; until `closeAgent` or the next snapshot what changes inside of the card is sent too. */
  z.object({ type: z.literal('openAgent'), stepId: z.string(), beforeId: z.string().optional() }),
  z.object({ type: z.literal('closeAgent'), stepId: z.string() }),
  /** Answered by `revertPlan`: what going back to before this message of the user would do. */
  z.object({ type: z.literal('planRevert'), messageId: z.string() }),
  /** Goes back as planned; answered by `sendRefused` with the message. */
  z.object({ type: z.literal('revert'), messageId: z.string(), lastSeq: z.number() }),
  /** Goes on with a revert that was cut. */
  z.object({ type: z.literal('finishRevert') }),
  z.object({ type: z.literal('undoRevert') }),
  /** Opens a new session with what stands before this message. */
  z.object({ type: z.literal('fork'), messageId: z.string() }),
  z.object({ type: z.literal('openFile'), path: z.string() }),
  /** `since`: the first of several steps whose changes to the file are shown together. */
  z.object({ type: z.literal('openDiff'), stepId: z.string(), path: z.string(), since: z.string().optional() }),
  z.object({ type: z.literal('openOutput'), stepId: z.string() }),
  z.object({ type: z.literal('openLink'), href: z.string() }),
  z.object({ type: z.literal('command'), command: z.enum(hostCommands) }),
  /** An error inside the panel, for the log. */
  z.object({ type: z.literal('panelError'), message: z.string(), stack: z.string().optional() }),
]);
export type PanelMessage = z.infer<typeof panelMessageSchema>;
