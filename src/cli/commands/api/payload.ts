import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readJsonText } from '../../../operations/input/json-text.ts';
import { readStdin, STDIN } from './read-stdin.ts';

/** What was typed for each field of a payload: the flag or argument, and its value. */
export type Typed = Readonly<Record<string, readonly [flag: string, value: unknown]>>;

/** A payload as it was given: field by field, or whole, as JSON or `-` for standard input. */
export type Given = Readonly<{ json: string | undefined; typed: Typed }>;

type Input = Pick<Context, 'terminal' | 'interrupted' | 'say'>;

/** Reads a payload in the form that the schema tells. Throws FLAG_INVALID. */
export async function readPayload<Schema extends z.ZodObject>(
  schema: Schema,
  { json, typed }: Given,
  input: Input,
): Promise<z.output<Schema>> {
  const given = Object.entries(typed).filter(([, [, value]]) => value !== undefined);
  if (json === undefined) {
    const fields = Object.fromEntries(given.map(([field, [, value]]) => [field, value]));
    return check(schema, fields, ([field, ...path]) => [typed[String(field)]?.[0] ?? '', ...path]);
  }
  const [first] = given;
  if (first !== undefined) {
    throw flagInvalid('JSON', `it is the whole payload; give it or ${first[1][0]}, not both`);
  }
  const value = readJsonText('JSON', json === STDIN ? await readStdin(input) : json);
  refuseUnknownFields(value, Object.keys(schema.shape));
  return check(schema, value, (path) => ['JSON', ...path]);
}

/** An argument that is either a whole payload or the one thing that the call is about. */
export function payloadOr(argument: string | undefined): Readonly<{ json?: string; it?: string }> {
  if (argument === undefined) return {};
  return argument === STDIN || /^\s*[{[]/.test(argument) ? { json: argument } : { it: argument };
}

type Path = readonly PropertyKey[];

/** `place` says what the caller knows a field by. */
function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: (path: Path) => Path,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const [flag = 'JSON', ...path] = place(issue?.path ?? []);
  throw flagInvalid(String(flag), `${path.join('.')} ${issue?.message ?? ''}`.trim());
}

function refuseUnknownFields(value: unknown, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw flagInvalid('JSON', 'it must be an object');
  }
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  throw flagInvalid('JSON', `it has no field "${unknown}"; known are ${known.join(', ')}`);
}
