import { z } from 'zod';
import { BursarError } from '../domain/errors/bursar-error.ts';

/** The parts of a request that make an input. */
export type RequestParts = Readonly<{
  params: Readonly<Record<string, string>>;
  /** A name that comes several times has a list. */
  query: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON of the body; undefined: there is none. */
  body: unknown;
}>;

/** Reads the input of an operation. @throws REQUEST_INVALID; REQUEST_UNUSABLE where only rules that no schema can have are broken */
export type ReadInput = (parts: RequestParts) => unknown;

type FieldType = Readonly<{ type?: string; anyOf?: readonly FieldType[] }>;

type FieldTypes = Readonly<Record<string, FieldType>>;

/** The reader of an input. Fields of the path and the query are texts, and become values of the field's type. */
export function inputReader(schema: z.ZodType): ReadInput {
  const fields = fieldsOf(schema);
  const valuesOf = (texts: RequestParts['query']): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(texts).map(([field, text]) => [field, valueOf(text, typeOf(fields[field]))]),
    );
  return ({ params, query, body }) => {
    const given = {
      ...(body === undefined ? valuesOf(query) : fieldsIn(body)),
      ...valuesOf(params),
    };
    const read = schema.safeParse(given);
    if (read.success) return read.data;
    const problems = read.error.issues
      .map(({ path, message }) => `${path.length === 0 ? 'the input' : path.join('.')}: ${message}`)
      .join('; ');
    const isAsDescribed = read.error.issues.every(({ code }) => code === 'custom');
    throw new BursarError(isAsDescribed ? 'REQUEST_UNUSABLE' : 'REQUEST_INVALID', { problems });
  };
}

/** The types of fields by name. Members of a union have the same fields where they have a path. */
function fieldsOf(schema: z.ZodType): FieldTypes {
  const { properties, oneOf, anyOf } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as Readonly<
    { properties?: FieldTypes } & Partial<Record<'oneOf' | 'anyOf', { properties: FieldTypes }[]>>
  >;
  return properties ?? Object.assign({}, ...(oneOf ?? anyOf ?? []).map((one) => one.properties));
}

/** The type of a field. One that may be null has its type beside it. */
const typeOf = ({ type, anyOf = [] }: FieldType = {}): string | undefined =>
  type ?? anyOf.find((one) => one.type !== 'null')?.type;

/** A text that is no value of the type stays as it is, and the schema refuses it. */
function valueOf(text: string | readonly string[], type: string | undefined): unknown {
  if (type === 'array') return typeof text === 'string' ? [text] : text;
  if (typeof text !== 'string') return text;
  if ((type === 'integer' || type === 'number') && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function fieldsIn(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  throw new BursarError('REQUEST_INVALID', { problems: 'the body: must be a JSON object' });
}
