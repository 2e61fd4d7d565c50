// Ids of tool calls as the Messages API takes them. New ones are checked when an answer is recorded; those of older traces,
// and of traces from elsewhere, are sent under another name. Pure; the same conversation always gives the same names.

const longestCallId = 64;

/** Whether any server takes the id of a call as it is. */
export function isCallId(id: string): boolean {
  return id.length <= longestCallId && isSendable(id);
}

/** What the API itself asks for. */
function isSendable(id: string): boolean {
  return /^[a-zA-Z0-9_-]+$/.test(id);
}

/**
 * Names for the calls of one request: the id itself where it may be sent, else one made from it. Which name a call gets
 * depends on the calls before it only, so that a longer conversation begins with the bytes of the shorter.
 */
export function createCallNames(): (id: string) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const base = isSendable(id) ? id : id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, longestCallId) || 'call';
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}_${String(n)}`;
    names.set(id, name);
    taken.add(name);
    return name;
  };
}
