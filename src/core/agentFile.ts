// Reads an agent's file: flat front matter between two lines of `---`, then the system prompt. Not YAML on purpose: such
// files say `description: Use it when: …` in plain text, which YAML refuses. Pure; knows no folder.
import type { AgentDefinition } from './agentRoster.ts';

export type ParsedAgentFile =
  | {
      readonly kind: 'agent';
      readonly agent: AgentDefinition;
      /** What of the file was not taken, in words for people. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Names as other agents' files call the tools, by the names that they have here. */
const foreignToolNames: Readonly<Record<string, string>> = {
  ls: 'glob',
  multiedit: 'edit',
  bash: 'run_command',
  todowrite: 'tasks',
};
/** Said by files that are made for more than one product. An agent never delegates, so these are no loss. */
const neverForAgents: ReadonlySet<string> = new Set(['task', 'agent', 'delegate']);

/**
 * @param text the content of the file
 * @param toolNames the tools that there are
 */
export function parseAgentFile(text: string, toolNames: readonly string[]): ParsedAgentFile {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return invalid('It must begin with a line that says --- and the fields after it.');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) return invalid('The line with --- that ends the fields is missing.');
  const fields = readFields(lines.slice(1, end));
  if (fields.kind === 'invalid') return fields;
  return agentOf(
    fields.values,
    lines
      .slice(end + 1)
      .join('\n')
      .trim(),
    toolNames,
  );
}

type Value = string | readonly string[];

function agentOf(
  values: ReadonlyMap<string, Value>,
  instructions: string,
  toolNames: readonly string[],
): ParsedAgentFile {
  const name = textOf(values.get('name'));
  if (name === '') return invalid('The field "name" is missing.');
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name))
    return invalid(`The name "${name}" may have letters, digits, - and _ only, at most 64 of them.`);
  const description = textOf(values.get('description')).replace(/\s+/g, ' ').trim();
  if (description === '') return invalid('The field "description" is missing: it says when to use the agent.');
  if (instructions === '') return invalid('There is no text after the fields: it is what the agent is told.');
  const asked = values.get('tools');
  const warnings: string[] = [];
  const tools = asked === undefined ? undefined : toolsOf(asked, toolNames, warnings);
  if (tools?.length === 0)
    return invalid(
      `None of its tools are there. There are: ${toolNames.join(', ')}. Leave "tools" out for all of them.`,
    );
  const model = textOf(values.get('model')).trim();
  return {
    kind: 'agent',
    agent: {
      name,
      description,
      instructions,
      ...(tools && { tools }),
      ...(model !== '' && model !== 'inherit' && { model }),
    },
    warnings,
  };
}

function toolsOf(asked: Value, toolNames: readonly string[], warnings: string[]): readonly string[] {
  const names = (typeof asked === 'string' ? asked.split(',') : asked).map((name) => name.trim());
  const taken = new Set<string>();
  const unknown: string[] = [];
  for (const name of names.filter((each) => each !== '')) {
    const lower = name.toLowerCase();
    if (neverForAgents.has(lower)) continue;
    const own = Object.hasOwn(foreignToolNames, lower) ? foreignToolNames[lower] : lower;
    if (own !== undefined && toolNames.includes(own)) taken.add(own);
    else unknown.push(name);
  }
  if (unknown.length > 0)
    warnings.push(
      `There ${unknown.length === 1 ? 'is no tool' : 'are no tools'} ${unknown.join(', ')}; it goes without.`,
    );
  return [...taken];
}

type Fields =
  | { readonly kind: 'fields'; readonly values: ReadonlyMap<string, Value> }
  | Extract<ParsedAgentFile, { kind: 'invalid' }>;

function readFields(lines: readonly string[]): Fields {
  const values = new Map<string, Value>();
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    at += 1;
    if (line.trim() === '' || line.startsWith('#')) continue;
    const match = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*)|)$/.exec(line);
    if (!match) return invalid(`Line ${String(at + 1)} is not "field: value": ${line.trim().slice(0, 60)}`);
    const [, key = '', rest = ''] = match;
    if (values.has(key)) return invalid(`The field "${key}" is there twice.`);
    const below: string[] = [];
    // What is indented, or a list item, belongs to the field above it.
    while (at < lines.length && /^(\s|-(\s|$)|\]|$)/.test(lines[at] ?? '')) below.push(lines[at++] ?? '');
    const value = valueOf(rest.trim(), below);
    if (value === undefined) return invalid(`The value of "${key}" has a quote or bracket that is not closed.`);
    values.set(key, value);
  }
  return { kind: 'fields', values };
}

function valueOf(first: string, below: readonly string[]): Value | undefined {
  const more = below.map((line) => line.trim()).filter((line) => line !== '');
  if (/^[|>][+-]?$/.test(first)) return more.join(first.startsWith('|') ? '\n' : ' ');
  if (first === '' && more.length > 0 && more.every((line) => /^-(\s|$)/.test(line)))
    return allOf(more.map((line) => unquoted(line.slice(1).trim())));
  if (first.startsWith('[')) {
    const list = [first, ...more].join(' ');
    if (!list.endsWith(']')) return undefined;
    return allOf(
      list
        .slice(1, -1)
        .split(',')
        .map((item) => unquoted(item.trim())),
    );
  }
  return unquoted([first, ...more].join(' ').trim());
}

function allOf(items: readonly (string | undefined)[]): readonly string[] | undefined {
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** Undefined when a quote is opened and not closed. */
function unquoted(text: string): string | undefined {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  if (text.length < 2 || !text.endsWith(quote)) return undefined;
  const inner = text.slice(1, -1);
  return quote === "'"
    ? inner.replaceAll("''", "'")
    : inner.replace(/\\(["\\nt])/g, (_all, escaped: string) => ({ n: '\n', t: '\t' })[escaped] ?? escaped);
}

function textOf(value: Value | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : value.join(', ');
}

function invalid(reason: string): { readonly kind: 'invalid'; readonly reason: string } {
  return { kind: 'invalid', reason };
}
