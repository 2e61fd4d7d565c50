// What is known of the models ahead of asking: how much they take and which forms of a request. Pure. A model that is
// not known gets values that are safe with any server.

import { effortLevels, type Effort } from '../core/messages.ts';
import type { ListedModel } from './listModels.ts';

export interface ModelLimits {
  /** Tokens of input and output together. */
  readonly contextWindow: number;
  /** What is asked for as `max_tokens`; at most what the model may write. */
  readonly maxOutputTokens: number;
  /** Whether `thinking: { type: 'adaptive' }` is taken. */
  readonly supportsAdaptiveThinking: boolean;
  /** Levels of `output_config.effort` that are taken; empty where none is, or nothing is known. */
  readonly efforts: readonly Effort[];
}

/** Offered for choice, the preferred one first. Any other name may be typed. */
export const knownModels = [
  'claude-sonnet-5-5',
  'claude-opus-5-5',
  'claude-haiku-5-5',
  'claude-fable-5-2',
  'claude-mythos-5-2',
  'claude-fable-5-1',
  'claude-mythos-5-1',
  'claude-sonnet-5',
  'claude-opus-5',
  'claude-fable-5',
  'claude-mythos-5',
  'claude-opus-4-8',
  'claude-opus-4-7',
  'claude-opus-4-6',
  'claude-sonnet-4-6',
  'claude-haiku-4-5',
] as const;

const unknownLimits: ModelLimits = {
  contextWindow: 200_000,
  maxOutputTokens: 32_000,
  supportsAdaptiveThinking: false,
  efforts: [],
};
const sinceFourSix: ModelLimits = {
  contextWindow: 1_000_000,
  maxOutputTokens: 64_000,
  supportsAdaptiveThinking: true,
  efforts: effortLevels.filter((level) => level !== 'xhigh'),
};

/** The limits of a model by its name, such as `claude-opus-4-8`, with or without a date at its end. */
export function modelLimits(model: string): ModelLimits {
  const version = claudeVersion(model);
  if (!version || !isAtLeast(version, 4, 6)) return unknownLimits;
  const known = knownModels.some((name) => model === name || model.startsWith(`${name}-`));
  const efforts = isAtLeast(version, 4, 7) ? effortLevels : sinceFourSix.efforts;
  return known ? { ...sinceFourSix, efforts } : { ...unknownLimits, supportsAdaptiveThinking: true, efforts };
}

/** The same, with what the server says of the model where it says something. */
export function limitsOf(model: string, listed: ListedModel | undefined): ModelLimits {
  const known = modelLimits(model);
  const { contextWindow = known.contextWindow, maxOutputTokens = known.maxOutputTokens } = listed ?? {};
  return {
    contextWindow,
    // More than this in one answer is seldom wanted, and what is asked for is taken out of the window.
    maxOutputTokens: Math.min(known.maxOutputTokens, maxOutputTokens, Math.max(1, Math.floor(contextWindow / 2))),
    supportsAdaptiveThinking: listed?.adaptiveThinking ?? known.supportsAdaptiveThinking,
    efforts: listed?.efforts ?? known.efforts,
  };
}

/** The effort to send: the wanted one, else the next lower one that the model takes; undefined for none. */
export function fittingEffort(wanted: Effort | 'default', { efforts }: ModelLimits): Effort | undefined {
  if (wanted === 'default') return undefined;
  const upTo = effortLevels.slice(0, effortLevels.indexOf(wanted) + 1);
  return upTo.findLast((level) => efforts.includes(level));
}

/**
 * Tokens of window and answer for a run.
 * @param chosen what the settings say; 0 for the model's own
 * @param listed what the server says of the model
 */
export function windowAndOutput(
  model: string,
  chosen: { readonly contextWindow: number; readonly maxOutputTokens: number },
  listed?: ListedModel,
): { readonly contextWindow: number; readonly maxTokens: number } {
  const limits = limitsOf(model, listed);
  const wanted = chosen.maxOutputTokens === 0 ? limits.maxOutputTokens : chosen.maxOutputTokens;
  if (chosen.contextWindow === 0) return { contextWindow: limits.contextWindow, maxTokens: wanted };
  // An answer as long as the window would leave no room for a question.
  return {
    contextWindow: chosen.contextWindow,
    maxTokens: Math.min(wanted, Math.max(1, Math.floor(chosen.contextWindow / 4))),
  };
}

/** Assumed where the editor does not say how much a model takes. */
const unknownEditorWindow = 64_000;
const longestEditorAnswer = 16_000;

/**
 * Window and answer of a model of the editor, which says only how much it takes. How long an answer may be is not sent:
 * it is room that is kept free, since tokens are estimated.
 * @param maxInputTokens as the editor says; undefined or 0 when it does not
 * @param chosen the window of the settings; 0 for the model's own
 */
export function editorModelLimits(
  maxInputTokens: number | undefined,
  chosen: number,
): { readonly contextWindow: number; readonly maxTokens: number } {
  const own = maxInputTokens === undefined || maxInputTokens <= 0 ? unknownEditorWindow : maxInputTokens;
  const contextWindow = chosen === 0 ? own : Math.min(chosen, own);
  return { contextWindow, maxTokens: Math.min(longestEditorAnswer, Math.max(1, Math.floor(contextWindow / 8))) };
}

/**
 * Whether the model takes `role: "system"` inside `messages`. True only where that is certain, which is for Claude Opus
 * from 4.8 on: a model that does not take it refuses the whole request.
 */
export function takesSystemMessages(model: string): boolean {
  const version = claudeVersion(model);
  return version?.family === 'opus' && isAtLeast(version, 4, 8);
}

/** The newest known model of a family, such as `sonnet`; undefined for anything that is no family's name. */
export function modelOfFamily(family: string): string | undefined {
  return /^[a-z]+$/.test(family) ? knownModels.find((name) => name.startsWith(`claude-${family}-`)) : undefined;
}

interface ClaudeVersion {
  readonly family: string;
  readonly major: number;
  readonly minor: number;
}

function claudeVersion(model: string): ClaudeVersion | undefined {
  // A part of more than two digits is a date, not a minor version.
  const match = /^claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (!match) return undefined;
  return { family: match[1] ?? '', major: Number(match[2]), minor: Number(match[3] ?? 0) };
}

function isAtLeast(version: ClaudeVersion, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}
