import { Temporal } from 'temporal-polyfill';
import { addAmounts, compareAmounts, formatAmount } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { Money } from '../plan/rules.ts';

const DAY_MS = 86_400_000;

/** A currency of which more would be paid on a day than the limit allows. Canonical decimal text. */
export type DayExcess = Readonly<{
  /** The day in UTC, as `2026-11-27`. */
  day: string;
  currency: string;
  limit: string;
  /** What other batches began to pay on that day. */
  granted: string;
  /** The sum of the day with this batch. */
  total: string;
}>;

/** The day in UTC that an instant lies in. Instants in milliseconds since 1970; `endMs` is the first one after it. */
export function dayOf(atMs: number): Readonly<{ day: string; startMs: number; endMs: number }> {
  const startMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  return {
    day: Temporal.Instant.fromEpochMilliseconds(startMs).toString().slice(0, 10),
    startMs,
    endMs: startMs + DAY_MS,
  };
}

/**
 * Names every currency of the batch that would exceed its limit of the day; exactly at the limit is within it. A total
 * that a person has accepted is the limit of that day.
 */
export function excessesOf({
  day,
  limits,
  own,
  granted,
  accepted,
}: Readonly<{
  day: string;
  limits: readonly Money[];
  own: readonly Money[];
  granted: readonly Money[];
  accepted: readonly DayExcess[];
}>): DayExcess[] {
  return own.flatMap(({ currency, amount }) => {
    const limit = amountOf(limits, currency);
    if (limit === undefined) return [];
    const others = amountOf(granted, currency) ?? '0';
    const total = addAmounts(parseSignedAmount(others), parseSignedAmount(amount));
    const told = accepted.find((one) => one.day === day && one.currency === currency)?.total;
    const allowed = [limit, ...(told === undefined ? [] : [told])].map(parseSignedAmount);
    if (allowed.some((most) => compareAmounts(total, most) <= 0)) return [];
    return { day, currency, limit, granted: others, total: formatAmount(total) };
  });
}

const amountOf = (lines: readonly Money[], currency: string): string | undefined =>
  lines.find((line) => line.currency === currency)?.amount;
