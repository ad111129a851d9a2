import { isObject } from '../../domain/json/is-object.ts';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { readJsonText } from '../../operations/input/json-text.ts';
import { formOf, labelOf, type OperationCommand } from './operation.ts';
import { readStdin, STDIN } from './read-stdin.ts';

/** The name under which the argument `[json]` stands among the typed values. */
export const PAYLOAD = '[json]';

/** The typed text by field. A field that was not typed is undefined. */
export type Typed = Readonly<Record<string, unknown>>;

type Fields = Record<string, unknown>;

/** Reads the fields of an operation from its flags, or from one JSON payload. Throws FLAG_INVALID. */
export async function readFields(
  operation: OperationCommand,
  typed: Typed,
  context: Context,
): Promise<Fields> {
  const json = jsonOf(operation, typed);
  if (json !== undefined) return readPayload(operation, { json, typed }, context);
  const { fields } = operation;
  return check(fields, typedFields(operation, typed), ([field, ...path]) => [
    labelIn(fields, String(field)),
    ...path,
  ]);
}

const labelIn = ({ shape }: z.ZodObject, field: string): string =>
  labelOf(formOf(shape[field])?.form ?? '');

/** The JSON payload, when one was typed. */
function jsonOf({ payload, payloadIn }: OperationCommand, typed: Typed): string | undefined {
  if (payload !== undefined) return typed[PAYLOAD] as string | undefined;
  const argument = payloadIn === undefined ? undefined : typed[payloadIn];
  if (typeof argument !== 'string') return undefined;
  return argument === STDIN || /^\s*[{[]/.test(argument) ? argument : undefined;
}

async function readPayload(
  operation: OperationCommand,
  { json, typed }: Readonly<{ json: string; typed: Typed }>,
  context: Context,
): Promise<Fields> {
  const { fields, payloadIn, payloadSchema = fields } = operation;
  const isTypedOnly = (field: string) => formOf(fields.shape[field])?.isTypedOnly === true;
  const given = Object.entries(typedFields(operation, typed));
  const [twice] = given.find(([field]) => field !== payloadIn && !isTypedOnly(field)) ?? [];
  if (twice !== undefined) {
    const label = labelIn(fields, twice);
    throw flagInvalid('JSON', `it is the whole payload; give it or ${label}, not both`);
  }
  const known = Object.keys(payloadSchema.shape).filter((field) => !isTypedOnly(field));
  const payload = await readObject({ json, known }, context);
  const typedOnly = Object.fromEntries(given.filter(([field]) => isTypedOnly(field)));
  return check(payloadSchema, { ...payload, ...typedOnly }, inJson);
}

/** Reads a JSON payload of a schema, from its text or with `-` from standard input. Throws FLAG_INVALID. */
export async function readJsonPayload<Schema extends z.ZodObject>(
  schema: Schema,
  json: string,
  context: Context,
): Promise<z.output<Schema>> {
  const payload = await readObject({ json, known: Object.keys(schema.shape) }, context);
  return check(schema, payload, inJson);
}

const inJson = (path: Path): Path => ['JSON', ...path];

async function readObject(
  { json, known }: Readonly<{ json: string; known: readonly string[] }>,
  context: Context,
): Promise<object> {
  const value = readJsonText('JSON', json === STDIN ? await readStdin(context) : json);
  if (!isObject(value) || Array.isArray(value)) {
    throw flagInvalid('JSON', 'it must be an object');
  }
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return value;
  throw flagInvalid('JSON', `it has no field "${unknown}"; known are ${known.join(', ')}`);
}

/** The fields that were typed, with the values that their texts mean. */
function typedFields({ fields }: OperationCommand, typed: Typed): Fields {
  const given = Object.keys(fields.shape).filter((field) => typed[field] !== undefined);
  return Object.fromEntries(
    given.map((field) => {
      const read = formOf(fields.shape[field])?.read;
      const value = typed[field];
      return [field, read !== undefined && typeof value === 'string' ? read(value) : value];
    }),
  );
}

type Path = readonly PropertyKey[];

/** `place` makes the path that the person typed from the path of a field. */
function check<Schema extends z.ZodObject>(
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
