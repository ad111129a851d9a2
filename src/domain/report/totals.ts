import {
  addAmounts,
  compareAmounts,
  formatAmount,
  subtractAmounts,
  sumAmounts,
} from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import { BursarError } from '../errors/bursar-error.ts';
import { withCommas } from '../text/counted.ts';
import { moneyText } from '../text/money-text.ts';
import type { ShownOutcome } from '../settling/outcome.ts';

/** How many rows have which outcome. */
export type RowCounts = Readonly<{
  total: number;
  paid: number;
  failed: number;
  unknown: number;
  notSent: number;
  inFlight: number;
  /** Rows of chunks that have not left yet; missing without any, as when a batch has ended. */
  notSentYet?: number;
}>;

/** The sum of the file in one currency, and its fee, as canonical decimal text. */
export type RequestedAmount = Readonly<{
  currency: string;
  requested: string;
  /** The sum of the fees that mass payouts state, without those of which nothing was paid. */
  fee: string;
  /** Some rows behind the fee were not paid, so that less may have been charged. */
  feeIncludesUnpaid?: true;
}>;

/** Sums of one currency by outcome, as canonical decimal text. */
export type CurrencyAmounts = RequestedAmount &
  Readonly<{
    paid: string;
    failed: string;
    unknown: string;
    notSent: string;
    inFlight: string;
    notSentYet?: string;
  }>;

export type Totals = Readonly<{ rows: RowCounts; amounts: readonly CurrencyAmounts[] }>;

/**
 * A number of rows of one currency with one outcome. `amount` is their sum, canonical decimal text.
 */
export type Share = Readonly<{
  currency: string;
  outcome: ShownOutcome;
  rows: number;
  amount: string;
}>;

type Field = 'paid' | 'failed' | 'unknown' | 'notSent' | 'inFlight' | 'notSentYet';

const FIELD_OF: Readonly<Record<ShownOutcome, Field>> = {
  PAID: 'paid',
  FAILED: 'failed',
  UNKNOWN: 'unknown',
  NOT_SENT: 'notSent',
  IN_FLIGHT: 'inFlight',
  NOT_SENT_YET: 'notSentYet',
};

const FIELDS: readonly Field[] = Object.values(FIELD_OF);

/** The rows and amounts of the file: the left side of the tie-out. */
export type Requested = Readonly<{
  rows: number;
  amounts: readonly RequestedAmount[];
}>;

/**
 * Adds shares up and compares them with the file. Throws TIE_OUT_BROKEN with the difference, unless paid + failed +
 * unknown + notSent + inFlight + notSentYet equals the file, in rows and in every currency's amount. No share may be
 * below zero or have an amount without rows: it would hide an excess of another one.
 */
export function tieOut(batchId: string, requested: Requested, shares: readonly Share[]): Totals {
  const counts = countRows(shares);
  const counted = FIELDS.reduce((sum, field) => sum + counts[field], 0);
  const broken = (difference: string): never => {
    throw new BursarError('TIE_OUT_BROKEN', { batchId, difference });
  };
  if (counted !== requested.rows)
    broken(`${withCommas(counted)} rows instead of ${withCommas(requested.rows)}`);
  const impossible = shares.find(isImpossible);
  if (impossible !== undefined) {
    const { currency, outcome, rows: count, amount } = impossible;
    broken(`${withCommas(count)} rows of ${moneyText(amount, currency)} as ${outcome}`);
  }
  const known = new Set(requested.amounts.map((a) => a.currency));
  if (known.size !== requested.amounts.length) broken('a currency that stands there twice');
  const stray = shares.find((share) => !known.has(share.currency) && share.amount !== '0');
  if (stray !== undefined)
    broken(`${moneyText(stray.amount, stray.currency)} that the file does not ask for`);
  const amounts = requested.amounts.map((line) => {
    const sums = sumByField(shares.filter((share) => share.currency === line.currency));
    const total = sumAmounts(FIELDS.map((field) => parseSignedAmount(sums[field])));
    const asked = parseSignedAmount(line.requested);
    if (compareAmounts(total, asked) !== 0) {
      broken(moneyText(formatAmount(subtractAmounts(total, asked)), line.currency));
    }
    return { ...line, ...told(sums, '0') };
  });
  return { rows: { total: requested.rows, ...told(counts, 0) }, amounts };
}

/** Rows that have not left yet are named while there are some. */
function told<Value>({ notSentYet, ...others }: Record<Field, Value>, none: Value) {
  return notSentYet === none ? others : { ...others, notSentYet };
}

function isImpossible({ rows, amount }: Share): boolean {
  if (!Number.isSafeInteger(rows) || rows < 0) return true;
  const { units } = parseSignedAmount(amount);
  return units < 0n || (rows === 0 && units !== 0n);
}

function countRows(shares: readonly Share[]): Record<Field, number> {
  const counts = { paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0, notSentYet: 0 };
  for (const share of shares) counts[FIELD_OF[share.outcome]] += share.rows;
  return counts;
}

function sumByField(shares: readonly Share[]): Record<Field, string> {
  const sum = (field: Field): string =>
    formatAmount(
      shares
        .filter((share) => FIELD_OF[share.outcome] === field)
        .map((share) => parseSignedAmount(share.amount))
        .reduce(addAmounts, { units: 0n, scale: 0 }),
    );
  return {
    paid: sum('paid'),
    failed: sum('failed'),
    unknown: sum('unknown'),
    notSent: sum('notSent'),
    inFlight: sum('inFlight'),
    notSentYet: sum('notSentYet'),
  };
}
