// Checking what the model sent as a tool's input, with words that help it to send it right.
import { z } from 'zod';
import { ToolInputError } from '../runner/ports.ts';

/**
 * The input as the schema types it; fields that the schema does not name are dropped.
 * @throws ToolInputError naming each field that is wrong
 */
export function parseToolInput<T extends z.ZodType>(
  tool: string,
  schema: T,
  input: Readonly<Record<string, unknown>>,
): z.infer<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => {
    const at = issue.path.map(String).join('.');
    return at === '' ? issue.message : `${at}: ${issue.message}`;
  });
  throw new ToolInputError(`${tool}: the input is not valid. ${issues.join('; ')}`);
}

/** A text that has something in it and no NUL, which no path and no command can hold. */
export const nonEmptyText = z
  .string()
  .min(1, 'must not be empty')
  .refine((text) => !text.includes('\0'), 'must not contain NUL characters');
