/** A type of the specification: its name there, a test, and a value that is not of the type. */
export type FieldKind = Readonly<{
  words: string;
  fits(value: unknown): boolean;
  wrong: unknown;
  /** The value may be absent. Null counts as absent. */
  optional?: boolean;
}>;

const isText = (value: unknown): value is string => typeof value === 'string';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const text: FieldKind = { words: 'string', fits: isText, wrong: {} };
export const number: FieldKind = {
  words: 'number',
  fits: (value) => typeof value === 'number',
  wrong: 'many',
};
export const integer: FieldKind = {
  words: 'integer',
  fits: Number.isInteger,
  wrong: 'many',
};
export const boolean: FieldKind = {
  words: 'boolean',
  fits: (value) => typeof value === 'boolean',
  wrong: 'perhaps',
};
export const list: FieldKind = { words: 'array', fits: Array.isArray, wrong: 'one' };
export const object: FieldKind = {
  words: 'object',
  fits: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  wrong: 'one',
};
export const uuid: FieldKind = {
  words: 'string uuid',
  fits: (value) => isText(value) && UUID.test(value),
  wrong: 'no-uuid',
};
export const dateTime: FieldKind = {
  words: 'string date-time',
  fits: (value) => isText(value) && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value)),
  wrong: 'soon',
};

export const oneOf = (words: string, values: readonly string[]): FieldKind => ({
  words,
  fits: (value) => isText(value) && values.includes(value),
  wrong: 'NO_SUCH_VALUE',
});

/** An array with entries of one kind. With `unique`, each entry appears once. */
export const listOfEach = (words: string, kind: FieldKind, unique = false): FieldKind => ({
  words,
  fits: (value) =>
    Array.isArray(value) &&
    value.every((entry) => kind.fits(entry)) &&
    (!unique || new Set(value).size === value.length),
  wrong: [kind.wrong],
});

export const optional = (kind: FieldKind): FieldKind => ({ ...kind, optional: true });
