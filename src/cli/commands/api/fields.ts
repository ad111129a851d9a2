import { SORT_ORDERS } from '@bursar/merchant-api';
import { z } from 'zod';
import { isCurrency } from '../../../domain/currencies/currency-info.ts';
import { isBursarError } from '../../../domain/errors/bursar-error.ts';
import { isPositive, parseAmount } from '../../../domain/money/amount.ts';
import { readNames } from '../../../operations/input/names.ts';
import { optionalFlag } from '../../operation-table/operation.ts';

/*
 * Fields of payloads, by their form alone; the client holds them against the rules of the service. Each message goes on
 * with a sentence that starts with the name of the field.
 */

/** The message for a field that is not there, and for one of another type. */
const orNeeded =
  (otherwise: string) =>
  ({ input }: Readonly<{ input?: unknown }>): string =>
    input === undefined ? 'is needed' : otherwise;

export const text = z.string({ error: orNeeded('must be text') });

const texts = z.array(text, { error: orNeeded('must be a list of texts') });

/** Names of the service with commas; in a payload a list. */
export const namesFlag = (form: string, help: string) =>
  optionalFlag({ form, read: readNames }, help, texts);

/** A page number or size: never an amount. */
export const count = z.int({ error: orNeeded('must be a whole number from 1 up') }).min(1, {
  error: 'must be a whole number from 1 up',
});

export const currency = text.refine(isCurrency, { error: 'must be such as USDT_TRC20' });

/** Text, so that no amount is ever a JavaScript number. */
export const amount = z
  .string({ error: orNeeded('must be text, such as "12.5"') })
  .refine(isPositiveAmount, { error: 'must be a plain decimal above zero, such as "12.5"' });

/** A date and time with its zone: without one it means different moments to different people. */
export const instant = z.iso.datetime({
  offset: true,
  error: orNeeded('must be an instant such as 2026-10-01T00:00:00+02:00'),
});

/** An id in the form of a UUID, of any version. */
export const uuid = z.guid({ error: orNeeded('must be a UUID') });

function isPositiveAmount(given: string): boolean {
  try {
    return isPositive(parseAmount(given));
  } catch (error) {
    if (isBursarError(error)) return false;
    throw error;
  }
}

/** Digits are a number; the schema refuses any other text. */
const readNumber = (typed: string): unknown =>
  /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : typed;

const numberFlag = (form: string, help: string) =>
  optionalFlag({ form, read: readNumber }, help, count);

const readOrder = (typed: string): string => typed.trim().toUpperCase();

const sortOrder = z.enum(SORT_ORDERS, { error: `must be one of ${SORT_ORDERS.join(', ')}` });

/** The fields by which every list is paged. */
export const pageFields = {
  pageNumber: numberFlag('--page <number>', 'which page (1 by default)'),
  pageSize: numberFlag('--size <number>', 'how many on a page (10 by default)'),
  sort: optionalFlag(
    { form: '--sort <order>', read: readOrder },
    'ASC (the default) or DESC',
    sortOrder,
  ),
  properties: optionalFlag('--by <property>', 'what they are sorted by', text),
};

export const walkField = {
  all: optionalFlag({ form: '--all', isTypedOnly: true }, 'walk every page', z.boolean()),
};
