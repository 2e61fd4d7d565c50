// The record of a step's end, as it follows from what its tool says.
import type { NewEvent } from '../core/events.ts';
import type { ToolResult } from './ports.ts';

/** The end of a step with what it changed, to be written in one piece. */
export function stepEnd(stepId: string, result: ToolResult, durationMs?: number): readonly NewEvent[] {
  const { events = [], outcome, content, ...rest } = result;
  return [
    ...events,
    {
      type: 'step_finished',
      stepId,
      outcome,
      content: content === '' ? '(no output)' : content,
      isError: outcome !== 'succeeded',
      ...(durationMs !== undefined && { durationMs }),
      ...(rest.exitCode !== undefined && { exitCode: rest.exitCode }),
      ...(rest.artifacts && { artifacts: [...rest.artifacts] }),
      ...(rest.artifactsPartial && { artifactsPartial: true }),
      ...(rest.lines && { lines: { ...rest.lines } }),
      ...(rest.output && { output: { ...rest.output } }),
      ...(rest.seen && { seen: [...rest.seen] }),
      ...(rest.note !== undefined && { note: rest.note }),
    },
  ];
}
