// Finds the part of a conversation that a refusal by the server names, so that it can be left out of what is sent and
// nothing else. Pure; it must never know what is done about it.
import type { BuiltMessages, PartSource } from './requestBuilder.ts';
import type { RequestMessage } from './messages.ts';
import { headOf } from './wellFormed.ts';

/** Parts that one run leaves out at most: more than that is no damaged part, but something else. */
export const healsInOneRun = 5;

export interface NamedParts {
  readonly parts: readonly Pick<PartSource, 'seq' | 'block'>[];
  /** What the server said of them, without the path. */
  readonly reason: string;
}

const path = /messages[.[](\d+)\]?(?:\.content[.[](\d+)\]?)?[\w.[\]]*/;
/** Complaints about which calls are there and which are answered, not about what stands in them. */
const aboutPairs =
  /without|unexpected|corresponding|single result|must be unique|immediately after|tool_use_id|\.tool_use\.id/;
const longestReason = 200;

/**
 * The parts of the records that the server's words name ("messages.12.content.0: …", "messages.3: …").
 * Undefined when they name none, or one that no record has.
 */
export function namedParts(said: string, built: BuiltMessages): NamedParts | undefined {
  const found = path.exec(said);
  if (!found) return undefined;
  const at = Number(found[1]);
  const message = built.messages[at];
  const sources = built.sources[at];
  if (!message || !sources) return undefined;
  const block = found[2] === undefined ? undefined : Number(found[2]);
  const inPairs = aboutPairs.test(said);
  const named = sources.filter(
    (_source, index) => (block === undefined || index === block) && isMeant(message, index, said, block, inPairs),
  );
  const parts = named.flatMap((source) => {
    if (!source) return [];
    const { seq, block: place } = inPairs ? (source.call ?? source) : source;
    return [{ seq, block: place }];
  });
  if (parts.length === 0) return undefined;
  const words = said
    .slice(found.index + found[0].length)
    .replace(/^\s*:\s*/, '')
    .trim();
  return { parts, reason: headOf(words === '' ? said : words, longestReason) };
}

/** A message that is named as a whole for its calls means those whose ids are given, or else all of them. */
function isMeant(
  message: RequestMessage,
  index: number,
  said: string,
  block: number | undefined,
  inPairs: boolean,
): boolean {
  if (block !== undefined || !inPairs) return true;
  const ids = message.content.map((one) =>
    one.type === 'tool_use' ? one.id : one.type === 'tool_result' ? one.tool_use_id : undefined,
  );
  const given = ids.filter((id) => id !== undefined && said.includes(id));
  const id = ids[index];
  return id !== undefined && (given.length === 0 || given.includes(id));
}
