import { z } from 'zod';
import { DoubledName, isJsonObject, memberOf } from '../json/json-value.ts';
import { Unreadable } from '../response/unreadable.ts';

/** A part of an answer that the client could not read. All other parts of the record are read. */
export type UnreadablePart = {
  /**
   * Names of documented fields and positions from 0, such as `errors.withdrawalErrors.3.withdrawalId`. Empty on the last entry of a
   * long list, which may be about any part.
   */
  readonly path: string;
  /** The problem in the client's words, such as `is not text`. It never holds text of the service. */
  readonly problem: string;
};

/**
 * The parts of a record that the client could not read, in the order of the record; empty when it read all. At most 100
 * (`UNREADABLE_PARTS_MAX`), and after these one entry with an empty `path`, whose `problem` has the number of the others.
 */
export type UnreadableParts = readonly UnreadablePart[];

/** Largest number of unreadable parts that a record lists. More show nothing new, and a hostile answer has a million. */
export const UNREADABLE_PARTS_MAX = 100;

/** Collects the unreadable parts of one record. */
export class PartList {
  readonly #parts: UnreadablePart[] = [];
  #more = 0;

  add(path: string, problem: string): void {
    if (this.#parts.length < UNREADABLE_PARTS_MAX) this.#parts.push({ path, problem });
    else this.#more += 1;
  }

  /** The parts that were added so far. */
  list(): UnreadableParts {
    if (this.#more === 0) return [...this.#parts];
    return [...this.#parts, { path: '', problem: `${this.#more} more parts cannot be read` }];
  }
}

/** An object of the answer. `path`: its place in the record, empty for the record itself. */
export type AnswerPart = Readonly<{ json: unknown; path: string; parts: PartList }>;

/** The schema of each field of a record. A description of the schema completes "is not ...". */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** The fields of a shape, each perhaps absent. */
export type FieldsOf<S extends Shape> = { readonly [Name in keyof S]?: z.output<S[Name]> };

/** Reads one value. Returns undefined for an absent value, and for an unreadable one, which it adds to the parts. */
export function readValue<Schema extends z.ZodType>(
  schema: Schema,
  { json, path, parts }: AnswerPart,
): z.output<Schema> | undefined {
  if (json === undefined) return undefined;
  const { success, data } = schema.safeParse(json);
  if (success) return data;
  parts.add(path, problemOf(json, schema.description ?? 'of the documented type'));
  return undefined;
}

/** Reads the fields that are present and have their type, and adds the others to the parts. */
export function readFields<S extends Shape>(shape: S, source: AnswerPart): FieldsOf<S> {
  const { json } = source;
  if (!isJsonObject(json)) return {};
  const fields = Object.entries(shape).flatMap(([name, schema]) => {
    const value = readValue(schema, inner(source, name));
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields) as FieldsOf<S>;
}

/** Reads one entry of a list. Undefined leaves it out, once its reader has added it to the parts. */
export type EntryReader<Entry> = (source: AnswerPart) => Entry | undefined;

/**
 * Reads each entry of a list that can be read. An absent list has none, and neither has an empty text or an empty object in
 * its place: there is nothing in it that could be hidden.
 */
export function readEntries<Entry>(source: AnswerPart, readEntry: EntryReader<Entry>): Entry[] {
  const { json, path, parts } = source;
  if (Array.isArray(json)) {
    return json.flatMap((entry: unknown, position) => {
      const read = readEntry({ json: entry, path: joined(path, String(position)), parts });
      return read === undefined ? [] : [read];
    });
  }
  if (json !== undefined && !isEmpty(json)) parts.add(path, problemOf(json, 'a list'));
  return [];
}

/**
 * Reads an entry by one schema. An entry with a field that is missing, or has another type, is left out and added to the parts under
 * the path of that field.
 */
export function readWhole<Schema extends z.ZodType>(
  schema: Schema,
  source: AnswerPart,
): z.output<Schema> | undefined {
  const { json, path, parts } = source;
  if (!isJsonObject(json)) {
    parts.add(path, problemOf(json, 'a record'));
    return undefined;
  }
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const place = (error.issues[0]?.path ?? []).map(String);
  parts.add([path, ...place].join('.'), 'is missing or has another type');
  return undefined;
}

/** A member of an object of the answer. */
export const inner = ({ json, path, parts }: AnswerPart, name: string): AnswerPart => ({
  json: isJsonObject(json) ? memberOf(json, name) : undefined,
  path: joined(path, name),
  parts,
});

/** Whether a value holds nothing: `[]`, `{}` or `""`. */
export const isEmpty = (json: unknown): boolean =>
  json === '' ||
  (Array.isArray(json) && json.length === 0) ||
  (isJsonObject(json) && Object.keys(json).length === 0);

/** What is wrong with a value that should be `expected`. */
export function problemOf(json: unknown, expected: string): string {
  if (json === undefined) return 'is missing';
  return json instanceof DoubledName ? 'comes twice with different values' : `is not ${expected}`;
}

/** The record itself as a source. Throws `Unreadable` when it is no JSON object. */
export function recordSource(json: unknown): AnswerPart {
  if (!isJsonObject(json)) throw new Unreadable('it is no record');
  return { json, path: '', parts: new PartList() };
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
