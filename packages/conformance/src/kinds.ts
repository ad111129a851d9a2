/** A type of the specification, in its words, with a test for it and a value that is none. */
export type Kind = Readonly<{
  words: string;
  fits(value: unknown): boolean;
  wrong: unknown;
  /** It may be absent; null counts as absent. */
  optional?: boolean;
}>;

const isText = (value: unknown): value is string => typeof value === 'string';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const text: Kind = { words: 'string', fits: isText, wrong: {} };
export const number: Kind = {
  words: 'number',
  fits: (value) => typeof value === 'number',
  wrong: 'many',
};
export const integer: Kind = {
  words: 'integer',
  fits: Number.isInteger,
  wrong: 'many',
};
export const boolean: Kind = {
  words: 'boolean',
  fits: (value) => typeof value === 'boolean',
  wrong: 'perhaps',
};
export const list: Kind = { words: 'array', fits: Array.isArray, wrong: 'one' };
export const object: Kind = {
  words: 'object',
  fits: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  wrong: 'one',
};
export const uuid: Kind = {
  words: 'string uuid',
  fits: (value) => isText(value) && UUID.test(value),
  wrong: 'no-uuid',
};
export const dateTime: Kind = {
  words: 'string date-time',
  fits: (value) => isText(value) && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value)),
  wrong: 'soon',
};

export const oneOf = (words: string, values: readonly string[]): Kind => ({
  words,
  fits: (value) => isText(value) && values.includes(value),
  wrong: 'NO_SUCH_VALUE',
});

/** An array whose every entry is of a kind, each once where `unique`. */
export const listOfEach = (words: string, kind: Kind, unique = false): Kind => ({
  words,
  fits: (value) =>
    Array.isArray(value) &&
    value.every((entry) => kind.fits(entry)) &&
    (!unique || new Set(value).size === value.length),
  wrong: [kind.wrong],
});

export const optional = (kind: Kind): Kind => ({ ...kind, optional: true });
