// Tells, without making a copy, that a value is already what a schema would make of it. A trace has tens of thousands of
// records, nearly all of them whole: for these a parse costs several times what reading them does. It must never be the
// one to refuse: where it says no, the schema itself decides.
import type { z } from 'zod';

/** True only where a parse succeeds and its result equals the value. */
export type QuickCheck = (value: unknown) => boolean;

/**
 * Parses by a schema where a record is small and read once, at a moment when compiling the schema would cost more than
 * the record. undefined for what the schema refuses.
 */
export function quickParser<T extends z.ZodType>(schema: T): (value: unknown) => z.output<T> | undefined {
  let isWhole: QuickCheck | undefined;
  return (value) => {
    isWhole ??= quickCheckOf(schema);
    return isWhole(value) ? (value as z.output<T>) : schema.safeParse(value).data;
  };
}

const never: QuickCheck = () => false;

/** Made from the schema's own definition. What is not known here (a refinement, a transform) is never taken quickly. */
export function quickCheckOf(schema: z.core.$ZodType): QuickCheck {
  // The union of all kinds, for which the library has a type but no guard.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'number') return numberCheck(def.checks);
  if (def.type === 'string') return stringCheck(def.checks);
  if (def.type === 'custom') return (value) => def.fn(value) === true;
  if (def.checks !== undefined && def.checks.length > 0) return never;
  switch (def.type) {
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'literal':
      return oneOf(def.values);
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'nullable': {
      const inner = quickCheckOf(def.innerType);
      return (value) => value === null || inner(value);
    }
    case 'array': {
      const element = quickCheckOf(def.element);
      return (value) => Array.isArray(value) && value.every(element);
    }
    case 'object':
      return def.catchall ? never : objectCheck(def.shape);
    case 'union':
      return 'discriminator' in def && typeof def.discriminator === 'string'
        ? discriminatedCheck(def.discriminator, def.options)
        : never;
    default:
      return never;
  }
}

function oneOf(values: readonly unknown[]): QuickCheck {
  const known = new Set(values);
  return (value) => known.has(value);
}

/** Of texts that may have a least length. */
function stringCheck(checks: readonly z.core.$ZodCheck[] = []): QuickCheck {
  let least = 0;
  for (const check of checks) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    if (def.check !== 'min_length') return never;
    least = Math.max(least, def.minimum);
  }
  return (value) => typeof value === 'string' && value.length >= least;
}

/** Of whole numbers from a least one on, and of numbers of any size. */
function numberCheck(checks: readonly z.core.$ZodCheck[] = []): QuickCheck {
  if (checks.length === 0) return (value) => Number.isFinite(value);
  let least = -Infinity;
  let isWhole = false;
  for (const check of checks) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    if (def.check === 'number_format' && def.format === 'safeint') isWhole = true;
    else if (def.check === 'greater_than' && typeof def.value === 'number' && Number.isInteger(def.value))
      least = Math.max(least, def.inclusive ? def.value : def.value + 1);
    else return never;
  }
  return isWhole ? (value) => Number.isSafeInteger(value) && Number(value) >= least : never;
}

function objectCheck(shape: Readonly<Record<string, z.core.$ZodType>>): QuickCheck {
  const checks = new Map<string, QuickCheck>();
  const required = new Set<string>();
  for (const [key, schema] of Object.entries(shape)) {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    checks.set(key, quickCheckOf(def.type === 'optional' ? def.innerType : schema));
    if (def.type !== 'optional') required.add(key);
  }
  return (value) => {
    if (!isObject(value)) return false;
    let missing = required.size;
    for (const key in value) {
      // A parse leaves out what the schema does not name.
      if (checks.get(key)?.(value[key]) !== true) return false;
      if (required.has(key)) missing -= 1;
    }
    return missing === 0;
  };
}

/** A union whose options are told apart by the literal under one key. */
function discriminatedCheck(key: string, options: readonly z.core.$ZodType[]): QuickCheck {
  const checks = new Map<unknown, QuickCheck>();
  for (const option of options) {
    const { def } = (option as z.core.$ZodTypes)._zod;
    const tag = def.type === 'object' ? (def.shape[key] as z.core.$ZodTypes | undefined)?._zod.def : undefined;
    if (tag?.type !== 'literal') return never;
    const check = quickCheckOf(option);
    for (const value of tag.values) checks.set(value, check);
  }
  return (value) => isObject(value) && checks.get(value[key])?.(value) === true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
