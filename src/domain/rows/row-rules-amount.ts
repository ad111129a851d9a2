import { type CurrencyInfo, DECIMALS_UNKNOWN_MAX } from '../currencies/currency-info.ts';
import { isBursarError } from '../errors/bursar-error.ts';
import {
  type Amount,
  FRACTION_DIGITS_MAX,
  formatAmount,
  isPositive,
  parseAmount,
} from '../money/amount.ts';
import { type Problem, problem } from './row-rules-problem.ts';
import { plainTextProblem, tooLong } from './row-rules-text.ts';

/** An amount that can be paid, and its canonical text. */
export type PayableAmount = Readonly<{ ok: true; amount: Amount; text: string }>;

/**
 * Reads an amount cell: a plain decimal above zero, with no more decimals than the currency has. Zeros at the end of the
 * fraction do not count. `currency` is as in the file; `info` is missing when it is none.
 */
export function checkAmount(
  text: string,
  currency: string,
  info: CurrencyInfo | undefined,
): PayableAmount | Problem {
  const amount = readAmount(text);
  if (amount === undefined) return unreadable(text);
  if (!isPositive(amount)) return problem('AMOUNT_NOT_POSITIVE', { text });
  const decimals = decimalsOf(info);
  return amount.scale > decimals
    ? problem('AMOUNT_TOO_PRECISE', { text, currency, decimals })
    : { ok: true, amount, text: canonicalText(text, amount) };
}

/** A text that was read is canonical but for zeros at the end of its fraction. */
const canonicalText = (text: string, amount: Amount): string =>
  text.endsWith('0') && text.includes('.') ? formatAmount(amount) : text;

const unreadable = (text: string): Problem =>
  tooLong('amount', text) ??
  plainTextProblem('amount', text) ??
  problem(isBelowZero(text) ? 'AMOUNT_NOT_POSITIVE' : 'AMOUNT_NOT_DECIMAL', { text });

const isBelowZero = (text: string): boolean =>
  text.startsWith('-') && readAmount(text.slice(1)) !== undefined;

function readAmount(text: string): Amount | undefined {
  try {
    return parseAmount(text);
  } catch (error) {
    if (isBursarError(error)) return undefined;
    throw error;
  }
}

/** Without a valid currency, its decimals are not the fault of the row. */
const decimalsOf = (info: CurrencyInfo | undefined): number =>
  info === undefined ? FRACTION_DIGITS_MAX : (info.decimals ?? DECIMALS_UNKNOWN_MAX);
