// Checks the tools of a request: names, schemas, the choice. What was called in the history is not looked at: tools may
// have gone since.
import type { CountTokensBody } from './requestSchema.ts';
import { invalid, type ValidationError } from './validationRules.ts';

const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;

function checkChoice(body: CountTokensBody): ValidationError | undefined {
  const { tool_choice: choice, tools = [] } = body;
  if (choice === undefined) return undefined;
  if (tools.length === 0) return invalid('tool_choice: tool_choice may only be specified while providing tools');
  if (choice.type !== 'tool' || tools.some(({ name }) => name === choice.name)) return undefined;
  return invalid(`Tool '${choice.name}' not found in provided tools`);
}

/** Checks names, schemas and choice of the tools. */
export function checkTools(body: CountTokensBody): ValidationError | undefined {
  const names = new Set<string>();
  for (const [at, { name, input_schema: schema }] of (body.tools ?? []).entries()) {
    if (names.has(name)) return invalid('tools: Tool names must be unique.');
    names.add(name);
    if ('oneOf' in schema || 'anyOf' in schema || 'allOf' in schema) {
      return invalid(
        `tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
      );
    }
    if (Object.keys(schema.properties ?? {}).some((key) => !propertyName.test(key))) {
      return invalid(
        `tools.${at}.custom.input_schema.properties: Property keys should match pattern '${propertyName.source}'`,
      );
    }
  }
  return checkChoice(body);
}
