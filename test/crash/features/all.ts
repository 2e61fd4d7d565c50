// The features that have crash cases of their own, beside the job that goes through steps, agents and resumes.
import { approvals } from './approvals.ts';
import { compaction } from './compaction.ts';
import type { Feature } from './feature.ts';
import { queue } from './queue.ts';
import { revert } from './revert.ts';
import { stops } from './stops.ts';
import { thinking } from './thinking.ts';
import { transfer } from './transfer.ts';
import { waits } from './waits.ts';
import { wishes } from './wishes.ts';

export const featureNames = [
  'approvals',
  'queue',
  'compaction',
  'thinking',
  'waits',
  'wishes',
  'stops',
  'revert',
  'transfer',
] as const;
export type FeatureName = (typeof featureNames)[number];

export const features: Readonly<Record<FeatureName, Feature>> = {
  approvals,
  queue,
  compaction,
  thinking,
  waits,
  wishes,
  stops,
  revert,
  transfer,
};
