import { isCurrency } from '../currencies/currency-info.ts';
import {
  addAmounts,
  type Amount,
  canonicalAmount,
  compareAmounts,
  formatAmount,
  parseAmount,
  subtractAmounts,
  ZERO,
} from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { Share } from '../report/totals.ts';
import type { Hold } from './hold.ts';

/** How much of a batch was settled, and how much of that is not paid. */
export type Losses = Readonly<{
  settledRows: number;
  lostRows: number;
  /** Canonical decimal text by currency. */
  lost: ReadonlyMap<string, string>;
}>;

/** FAILED and UNKNOWN rows; a row that was not sent is no loss. */
export function lossesOf(shares: readonly Share[]): Losses {
  const settled = shares.filter(({ outcome }) => outcome === 'PAID' || isLoss(outcome));
  const lost = new Map<string, string>();
  let lostRows = 0;
  for (const { currency, outcome, rows, amount } of settled) {
    if (!isLoss(outcome) || rows === 0) continue;
    lostRows += rows;
    const before = parseSignedAmount(lost.get(currency) ?? '0');
    lost.set(currency, formatAmount(addAmounts(before, parseSignedAmount(amount))));
  }
  return { settledRows: settled.reduce((sum, { rows }) => sum + rows, 0), lostRows, lost };
}

const isLoss = (outcome: Share['outcome']): boolean =>
  outcome === 'FAILED' || outcome === 'UNKNOWN';

/**
 * Why failures stop a batch, in a sentence; undefined while they do not. `accepted` are the losses that a person has
 * accepted already: only later ones count.
 */
export function stopLossReason(
  rules: readonly string[],
  losses: Losses,
  accepted: Losses | undefined,
): string | undefined {
  const lostRows = losses.lostRows - (accepted?.lostRows ?? 0);
  const settledRows = losses.settledRows - (accepted?.settledRows ?? 0);
  if (lostRows <= 0) return undefined;
  const since = accepted === undefined ? '' : ' since somebody said to go on';
  for (const rule of rules) {
    if (rule.endsWith('%')) {
      if (!isAboveShare(rule.slice(0, -1), lostRows, settledRows)) continue;
      return `${lostRows} of ${settledRows} settled rows failed${since}, which is more than ${rule}`;
    }
    const [limit = '', currency = ''] = rule.split(':');
    const sum = subtractAmounts(amountIn(losses, currency), amountIn(accepted, currency));
    if (compareAmounts(sum, parseAmount(limit)) <= 0) continue;
    return `${formatAmount(sum)} ${currency} failed${since}, which is more than ${limit}`;
  }
  return undefined;
}

/** Rows of one currency that are sent together. */
export type Parcel = Readonly<{ rows: number; currency: string; amount: string }>;

/** How a batch stands before its next chunk. */
export type Risk = Readonly<{
  losses: Losses;
  /** As in {@link stopLossReason}. */
  accepted: Losses | undefined;
  /** Parcels that were sent, or may have been, and are not at their end. */
  underWay: readonly Parcel[];
  /** Rows of the whole batch. */
  batchRows: number;
}>;

/**
 * Whether the next chunk may be sent: failures would stay within the limit even if everything that is under way failed.
 * A share is here one of all rows of the batch. A chunk above the limit by itself is sent alone; once failures are
 * above the limit, none is.
 */
export const hasRoom = (rules: readonly string[], risk: Risk, next: Parcel): boolean =>
  rules.every((rule) =>
    rule.endsWith('%') ? hasRoomInShare(rule, risk, next) : hasRoomInSum(rule, risk, next),
  );

function hasRoomInShare(rule: string, risk: Risk, next: Parcel): boolean {
  const { losses, accepted, underWay, batchRows } = risk;
  const lostRows = losses.lostRows - (accepted?.lostRows ?? 0);
  const isAbove = (rows: number): boolean => isAboveShare(rule.slice(0, -1), rows, batchRows);
  if (isAbove(lostRows)) return false;
  const openRows = underWay.reduce((sum, { rows }) => sum + rows, 0);
  return openRows === 0 || !isAbove(lostRows + openRows + next.rows);
}

function hasRoomInSum(rule: string, risk: Risk, next: Parcel): boolean {
  const [limit = '', currency = ''] = rule.split(':');
  if (next.currency !== currency) return true;
  const lost = subtractAmounts(amountIn(risk.losses, currency), amountIn(risk.accepted, currency));
  const isAbove = (sum: Amount): boolean => compareAmounts(sum, parseAmount(limit)) > 0;
  if (isAbove(lost)) return false;
  const open = risk.underWay.filter((parcel) => parcel.currency === currency);
  const sum = [...open, next].reduce(
    (all, { amount }) => addAmounts(all, parseSignedAmount(amount)),
    lost,
  );
  return open.length === 0 || !isAbove(sum);
}

/** Whether part / whole is above the percentage, exactly. */
function isAboveShare(percentText: string, part: number, whole: number): boolean {
  const { units, scale } = parseSignedAmount(percentText);
  return BigInt(part) * 100n * 10n ** BigInt(scale) > BigInt(whole) * units;
}

const amountIn = (losses: Losses | undefined, currency: string): Amount =>
  losses?.lost.has(currency) ? parseSignedAmount(losses.lost.get(currency) ?? '0') : ZERO;

/** Up to 100: no share is larger. */
export const PERCENT = /^(?:100(?:\.0{1,4})?|(?:0|[1-9]\d?)(?:\.\d{1,4})?)%$/;

/** Checks one rule, `5%` or `1000:USDT_TRC20`, and writes it canonically; undefined when it is neither. */
export function readStopLossRule(text: string): string | undefined {
  const [amount = '', ...rest] = text.endsWith('%') ? [text.slice(0, -1)] : text.split(':');
  const [currency] = rest;
  if (rest.length > 1 || (currency !== undefined && !isCurrency(currency))) return undefined;
  if (currency === undefined && !PERCENT.test(text)) return undefined;
  const read = canonicalAmount(amount);
  if (read === undefined) return undefined;
  return currency === undefined ? `${read}%` : `${read}:${currency}`;
}

/** Losses as a hold carries them. */
export const factsOfLosses = ({ settledRows, lostRows, lost }: Losses): Hold['facts'] => ({
  settledRows: String(settledRows),
  lostRows: String(lostRows),
  ...Object.fromEntries([...lost].map(([currency, amount]) => [`lost:${currency}`, amount])),
});

export const lossesOfFacts = (facts: Hold['facts']): Losses => ({
  settledRows: Number(facts['settledRows'] ?? '0'),
  lostRows: Number(facts['lostRows'] ?? '0'),
  lost: new Map(
    Object.entries(facts)
      .filter(([name]) => name.startsWith('lost:'))
      .map(([name, amount]) => [name.slice('lost:'.length), amount]),
  ),
});
