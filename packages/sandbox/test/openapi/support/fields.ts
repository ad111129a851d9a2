import { type Check, checkClosed } from './check.ts';
import { DOCUMENT, type Schema } from './document.ts';

type Visit = (path: string) => void;

const childOf = (schema: Schema, name: string): Schema => schema[name] as Schema;

/** Returns a schema with its path: its name, if it has one. */
function placeOf(schema: Schema, path: string): { schema: Schema; path: string } {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return { schema, path };
  const name = ref.split('/').at(-1) ?? '';
  const named = DOCUMENT.components.schemas[name];
  if (named === undefined) throw new Error(`There is no schema ${name}.`);
  return { schema: named, path: name };
}

/** Every field that an answer of this schema can have, as `MassPayout.errors.withdrawalErrors`. */
export function documentedFields(from: Schema, visit: Visit, at = ''): void {
  const { schema, path } = placeOf(from, at);
  for (const branch of (schema['anyOf'] ?? []) as Schema[]) documentedFields(branch, visit, path);
  if (schema['items'] !== undefined) documentedFields(childOf(schema, 'items'), visit, path);
  for (const [name, field] of Object.entries(schema['properties'] ?? {})) {
    visit(`${path}.${name}`);
    documentedFields(field as Schema, visit, `${path}.${name}`);
  }
}

/** Every documented field that an answer has. */
export function sentFields(from: Schema, value: unknown, visit: Visit, at = ''): void {
  const { schema, path } = placeOf(from, at);
  const branches = (schema['anyOf'] ?? []) as Schema[];
  const fitting = branches.filter((branch) => fits(checkClosed, branch, value));
  for (const branch of fitting) sentFields(branch, value, visit, path);
  if (Array.isArray(value)) {
    for (const item of value) sentFields(childOf(schema, 'items'), item, visit, path);
  } else if (typeof value === 'object' && value !== null) {
    const fields = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
    for (const [name, field] of Object.entries(value)) {
      const documented = fields[name];
      if (documented === undefined) continue;
      visit(`${path}.${name}`);
      sentFields(documented, field, visit, `${path}.${name}`);
    }
  }
}

const fits = (check: Check, schema: Schema, value: unknown): boolean =>
  check(schema, value).length === 0;
