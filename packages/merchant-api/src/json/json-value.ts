import { LosslessNumber } from 'lossless-json';

const MARK = Symbol('a name that comes twice');

/**
 * Stands in place of the value of a name that comes twice in one object, with different values. No reader of a field accepts it, so
 * the client never chooses one of the values.
 */
export class DoubledName {
  /** Differs from every JSON value: the parser compares the values of equal names member by member. */
  readonly mark = MARK;
}

/** Whether a value is a number of the parsed text. An object of the text never is, whatever its members are. */
export const isJsonNumber = (value: unknown): value is LosslessNumber =>
  value instanceof LosslessNumber;

/** Whether a value is an object of the parsed text. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !isJsonNumber(value) &&
  !(value instanceof DoubledName);

/** The value of an object's own member; undefined without one. */
export const memberOf = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
