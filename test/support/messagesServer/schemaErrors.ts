// Says a schema violation in the words of the Messages API: "messages.0.content.1.tool_use.id: Field required".
// It must know nothing of the schemas themselves.
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

function child(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(child, body);
}

/** The path with the kind of each list element put in, as the API does: `tools.0.custom.name`. */
function pathInWords(body: unknown, path: readonly PropertyKey[]): string {
  const words: string[] = [];
  let value = body;
  path.forEach((key, at) => {
    value = child(value, key);
    words.push(String(key));
    const tagged = typeof key === 'number' || key === 'source' || key === 'thinking' || key === 'tool_choice';
    if (!tagged || at === path.length - 1) return;
    const tag = child(value, 'type') ?? (path[0] === 'tools' && at === 1 ? 'custom' : undefined);
    if (typeof tag === 'string' && path[at + 1] !== 'type') words.push(tag);
  });
  return words.join('.');
}

function quoted(values: readonly unknown[]): string {
  const words = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'Input should be a valid string',
  number: 'Input should be a valid integer',
  int: 'Input should be a valid integer',
  boolean: 'Input should be a valid boolean',
  array: 'Input should be a valid list',
  object: 'Input should be a valid dictionary',
  record: 'Input should be a valid dictionary',
};

function complaint(issue: Issue, value: unknown): string {
  if (value === undefined) return 'Field required';
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? `Input should be a valid ${issue.expected}`;
    case 'invalid_value':
      return `Input should be ${quoted(issue.values)}`;
    case 'too_small':
      if (issue.origin === 'string') return `String should have at least ${issue.minimum} character`;
      return `Input should be greater than or equal to ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `String should have at most ${issue.maximum} characters`;
      return `Input should be less than or equal to ${issue.maximum}`;
    case 'invalid_format':
      return `String should match pattern '${(issue.pattern ?? '').replace(/^\/|\/[a-z]*$/g, '')}'`;
    case 'invalid_union':
      return typeof value === 'object' && !Array.isArray(value)
        ? `Input tag '${String(child(value, 'type'))}' found using 'type' does not match any of the expected tags`
        : 'Input should be a valid dictionary or object to extract fields from';
    default:
      return issue.message;
  }
}

// Of the branches of a union the one that got furthest is the one that was meant.
function meant(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const depth = (candidate: Issue): number => candidate.path.length;
  const first = issue.errors.flatMap((branch) => branch.slice(0, 1)).sort((a, b) => depth(b) - depth(a))[0];
  if (first === undefined) return issue;
  return meant({ ...first, path: [...issue.path, ...first.path] });
}

/** The message of the API for the first of `issues`, which were found in `body`. */
export function schemaErrorMessage(body: unknown, issues: readonly Issue[]): string {
  const issue = issues[0];
  if (issue === undefined) throw new Error('no schema violation to say');
  const found = meant(issue);
  if (found.code === 'unrecognized_keys') {
    return `${pathInWords(body, [...found.path, found.keys[0] ?? ''])}: Extra inputs are not permitted`;
  }
  if (found.path.length === 0) return complaint(found, body ?? null);
  // A union by tag complains about the tag; the element is meant, unless the tag is what is missing.
  const tagged = found.code === 'invalid_union' && found.path.at(-1) === 'type';
  const path = tagged && valueAt(body, found.path) !== undefined ? found.path.slice(0, -1) : found.path;
  return `${pathInWords(body, path)}: ${complaint(found, valueAt(body, path))}`;
}
