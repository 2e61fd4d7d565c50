// The settings, read where they are needed and checked: a value that makes no sense counts as the default.
import * as vscode from 'vscode';
import { z } from 'zod';
import { autoResumeModes } from '../core/autoResume.ts';
import { approvalModes } from '../core/events.ts';
import { effortLevels, thinkingModes } from '../core/messages.ts';
import type { Price } from '../core/spending.ts';

const dollars = z.number().min(0);
const priceSchema = z
  .object({ input: dollars, output: dollars, cacheWrite: dollars.optional(), cacheRead: dollars.optional() })
  .transform(({ input, output, cacheWrite = input, cacheRead = input }): Price => ({
    input,
    output,
    cacheWrite5m: cacheWrite,
    cacheWrite1h: cacheWrite,
    cacheRead,
  }));

const shape = {
  provider: z.enum(['auto', 'anthropic', 'offlineDemo']).catch('auto'),
  'anthropic.baseUrl': z.string().trim().catch(''),
  model: z.string().trim().min(1).catch('claude-sonnet-5-5'),
  thinking: z.enum(thinkingModes).catch('adaptive'),
  effort: z.enum(['default', ...effortLevels]).catch('default'),
  /** US dollars for a million tokens, by the name of the model. */
  prices: z.record(z.string(), priceSchema).catch({}),
  maxOutputTokens: z.number().int().min(0).catch(0),
  contextWindow: z.number().int().min(0).catch(0),
  approvalMode: z.enum(approvalModes).catch('ask'),
  'run.timeoutMinutes': z.number().min(0).catch(480),
  'run.retryMinutes': z.number().min(0).max(1_440).catch(10),
  'stream.idleTimeoutSeconds': z.number().min(1).catch(120),
  'stop.runningCommand': z.enum(['end', 'keep', 'ask']).catch('end'),
  'resume.previewAbove': z.number().min(0).catch(0),
  autoResume: z.enum(autoResumeModes).catch('ask'),
  /** By the name of the agent. */
  agents: z
    .record(
      z.string(),
      z.object({ model: z.string().trim().min(1).optional(), thinking: z.enum(thinkingModes).optional() }),
    )
    .catch({}),
  'command.timeoutMinutes': z.number().min(0).catch(0),
} as const;

type Shape = typeof shape;
export type SettingKey = keyof Shape;

/** The value of `ratchet.<key>` now. */
export function setting<K extends SettingKey>(key: K): z.infer<Shape[K]> {
  const value: unknown = vscode.workspace.getConfiguration('ratchet').get(key);
  // The schema was picked by the key, which the compiler cannot see through the record.
  return shape[key].parse(value) as z.infer<Shape[K]>;
}

/** For times where 0 means "no limit". Longer than any timer may wait, and no number of minutes is special otherwise. */
export function limitMs(minutes: number): number {
  return minutes === 0 ? Number.POSITIVE_INFINITY : minutes * 60_000;
}
