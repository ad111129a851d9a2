import { EVENT_TYPES } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { nearest } from '../../../domain/text/nearest.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { optionalFlag } from '../../operation-table/operation.ts';

/** A value that is read from a typed text. The problem completes a sentence that starts with the text in quotes. */
const typed = <Value>(
  read: (text: string) => Value | undefined,
  problem: string | ((text: string) => string),
) =>
  z.string().transform((text, context): Value => {
    const value = read(text);
    if (value !== undefined) return value;
    const shown = typeof problem === 'string' ? problem : problem(text);
    context.addIssue({ code: 'custom', message: `"${text}" ${shown}` });
    return z.NEVER;
  });

const matching =
  <Value>(form: RegExp, convert: (text: string) => Value) =>
  (text: string): Value | undefined =>
    form.test(text) ? convert(text) : undefined;

const wordOf =
  <Choice extends string>(choices: readonly Choice[]) =>
  (word: string): Choice | undefined =>
    choices.find((choice) => choice === word.trim().toUpperCase());

export const text = z.string();

const fromOne = matching(/^[1-9]\d{0,8}$/, Number);

export const fromOneUp = typed(fromOne, 'is not a whole number from 1 up');

export const fromZeroUp = typed(matching(/^\d{1,10}$/, Number), 'is not a whole number from 0 up');

export const probability = typed(
  matching(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, Number),
  'is not a number from 0 to 1',
);

/** Amounts stay text, so that none is ever a JavaScript number. */
export const PLAIN_DECIMAL = /^\d{1,40}(\.\d{1,40})?$/;

export const decimal = typed(
  matching(PLAIN_DECIMAL, String),
  'is not a plain decimal such as 12.5',
);

/** One of some words, in any case. */
export const oneOf = <Choice extends string>(choices: readonly Choice[]) =>
  typed(wordOf(choices), `is none of ${choices.join(', ')}`);

/** The number of people who confirm; null gives the account back to the settings. */
export const people = typed(
  (word) => (word === 'reset' ? null : matching(/^\d{1,9}$/, Number)(word)),
  'is neither a whole number from 0 up nor reset',
);

/** Positions with commas. */
export const positions = typed((list) => {
  const numbers = list.split(',').map((position) => fromOne(position.trim()));
  return numbers.every((number) => number !== undefined) ? numbers : undefined;
}, 'is not a list of whole numbers from 1 up');

/** The name of a type of event, in any case. An unknown one is refused with the nearest that there is. */
export const eventType = typed(wordOf(EVENT_TYPES), (name) => {
  const meant = nearest(name.trim().toUpperCase(), EVENT_TYPES);
  const hint =
    meant === undefined ? '"bursar sandbox trigger" lists them' : `did you mean ${meant}?`;
  return `is no type of event (${hint})`;
});

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const DURATION = /^([+-]?)(\d{1,9})(ms|s|m|h|d)$/;

/** How far a clock is off, in milliseconds; null gives the clock back to the settings. Or the word `advance`. */
export const clockChange = typed(
  readClockChange,
  'is none of 0, reset, advance, and offsets such as 5m or -90s',
);

/** A time that passes, in milliseconds. */
export const duration = typed(
  (word) => (/^\d/.test(word) ? readOffsetMs(word) : undefined),
  'is not a duration such as 90s, 5m, 30h or 2d',
);

function readClockChange(change: string): number | null | 'advance' | undefined {
  if (change === 'reset') return null;
  return change === 'advance' ? change : readOffsetMs(change);
}

function readOffsetMs(offset: string): number | undefined {
  if (offset === '0') return 0;
  const [, sign, count, unit = ''] = DURATION.exec(offset) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined) return undefined;
  return sign === '-' ? -Number(count) * unitMs : Number(count) * unitMs;
}

/** How many of the last items of a long list are printed. */
const tail = typed(
  (word) => (word === 'all' ? Number.POSITIVE_INFINITY : fromOne(word)),
  'is neither a whole number from 1 up nor all',
);

export const tailFields = {
  tail: optionalFlag('--tail <number>', 'the latest so many (50 by default), or all', tail),
};

/** The command goes on after its list, until Ctrl-C. */
export const followFlag = (help: string) => optionalFlag('-f, --follow', help, z.boolean());

export const onlyAccount = {
  account: optionalFlag('--account <account>', 'only this account', text),
};

/** The account of a change, which is needed where the sandbox has several. */
export const oneAccount = {
  account: optionalFlag('--account <account>', 'where there are several: which one', text),
};

/** Reads arguments of the form `name=value`; the value may hold further `=`. Throws FLAG_INVALID. */
export function readPairs(flag: string, words: readonly string[]): Record<string, string> {
  const pairs = new Map<string, string>();
  for (const word of words) {
    const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined) {
      throw flagInvalid(flag, `"${word}" has not the form name=value`);
    }
    if (pairs.has(name)) throw flagInvalid(flag, `${name} stands there twice`);
    pairs.set(name, value);
  }
  return Object.fromEntries(pairs);
}
