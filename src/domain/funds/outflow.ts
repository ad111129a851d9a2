import type { ChunkState } from '../batch/chunk-state.ts';
import { addAmounts, type Amount, compareAmounts, formatAmount, ZERO } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { Money } from '../plan/rules.ts';

/** The facts of a chunk that show how much money its creates may have taken. Amounts are canonical decimal text. */
export type ChunkFlow = Readonly<{
  batchId: string;
  /** null: one row, which people sent again after its batch had ended. */
  chunk: number | null;
  currency: string;
  state: ChunkState;
  /** Whether a create of it was ever written down, or a mass payout found for it. */
  isOrdered: boolean;
  final: boolean;
  total: string;
  /** As its mass payout states it; null: it states none. */
  fee: string | null;
  /** Sum of its rows that are PAID. */
  paid: string;
  /** Sum of its rows that may have been paid: UNKNOWN and IN_FLIGHT. */
  open: string;
  /** How many rows `total`, `paid` and `open` are the sums of. */
  rows: Readonly<{ total: number; paid: number; open: number }>;
}>;

/** Fees of a batch by currency, as the service quoted them; null: it quoted none. */
export type QuotedFees = ReadonlyMap<string, readonly Money[] | null>;

/**
 * How much left an account in one currency: at least `sure`, at most `most`. `most` is null when it has no bound, because the
 * service names no fees.
 */
export type Outflow = Readonly<{ sure: Amount; most: Amount | null }>;

export type Outflows = ReadonlyMap<string, Outflow>;

/**
 * Which money counts as possibly gone. `settled`: rows that were not paid count as returned. `ordered`: every ordered
 * row counts, so that a return that the service has not booked yet raises no alarm. `opening`: as `settled`, but a
 * chunk whose rows were all paid has certainly taken its fee too, so that no further amount is expected.
 */
export type FlowMode = 'settled' | 'ordered' | 'opening';

/**
 * The chunks of a second read, for a balance that was read after a first one. A chunk that ended between the two reads
 * counts as not ended. Example: another batch is sent, fails and is returned while the balance is read. At that moment
 * its money was away, and both reads alone would show that it was not.
 */
export function asNotEndedSince(
  before: readonly ChunkFlow[],
  after: readonly ChunkFlow[],
): ChunkFlow[] {
  const ended = new Set(before.filter(({ final }) => final).map(nameOf));
  return after.map((flow) => ({ ...flow, final: flow.final && ended.has(nameOf(flow)) }));
}

const nameOf = ({ batchId, chunk }: ChunkFlow): string => JSON.stringify([batchId, chunk]);

/** States of a chunk that no mass payout will ever be accepted for. */
const NEVER_TAKEN: readonly ChunkState[] = ['PLANNED', 'REJECTED', 'NOT_SENT'];

/** What these chunks took, by currency. */
export function outflowsOf(
  chunks: readonly ChunkFlow[],
  quotes: QuotedFees,
  mode: FlowMode,
): Outflows {
  const flows = new Map<string, Outflow>();
  const isQuoteCounted = new Set<string>();
  for (const chunk of chunks) {
    const { currency, batchId } = chunk;
    const known = flows.get(currency) ?? { sure: ZERO, most: ZERO };
    const amount = mostOf(chunk, mode);
    let fee: Amount | null = ZERO;
    if (amount.units > 0n && chunk.fee !== null) fee = parseSignedAmount(chunk.fee);
    if (amount.units > 0n && chunk.fee === null) {
      // The quote is for the whole batch, so it counts once.
      const name = JSON.stringify([batchId, currency]);
      if (!isQuoteCounted.has(name)) fee = quotedFee(quotes.get(batchId) ?? null, currency);
      isQuoteCounted.add(name);
    }
    flows.set(currency, {
      sure: addAmounts(known.sure, sureOf(chunk, mode)),
      most: known.most === null || fee === null ? null : plus(known.most, amount, fee),
    });
  }
  return flows;
}

function sureOf({ final, total, paid, fee }: ChunkFlow, mode: FlowMode): Amount {
  const amount = parseSignedAmount(paid);
  const isWhole = final && compareAmounts(amount, parseSignedAmount(total)) === 0;
  return mode === 'opening' && isWhole && fee !== null
    ? addAmounts(amount, parseSignedAmount(fee))
    : amount;
}

function mostOf({ state, isOrdered, final, total, paid, open }: ChunkFlow, mode: FlowMode): Amount {
  if (!isOrdered || NEVER_TAKEN.includes(state)) return ZERO;
  if (mode === 'ordered' || state !== 'CREATED' || !final) return parseSignedAmount(total);
  return addAmounts(parseSignedAmount(paid), parseSignedAmount(open));
}

function quotedFee(quotes: readonly Money[] | null, currency: string): Amount | null {
  const quote = quotes?.find((one) => one.currency === currency);
  return quote === undefined ? null : parseSignedAmount(quote.amount);
}

const plus = (...amounts: readonly Amount[]): Amount => amounts.reduce(addAmounts, ZERO);

/**
 * The money that had left at some moment between two reads: a balance that is read between them includes some creates
 * of that time and not others.
 */
export function between(one: Outflows, other: Outflows): Outflows {
  const flows = new Map<string, Outflow>();
  for (const currency of new Set([...one.keys(), ...other.keys()])) {
    const [a, b] = [one.get(currency) ?? NOTHING, other.get(currency) ?? NOTHING];
    flows.set(currency, {
      sure: compareAmounts(a.sure, b.sure) <= 0 ? a.sure : b.sure,
      most: a.most === null || b.most === null ? null : larger(a.most, b.most),
    });
  }
  return flows;
}

const larger = (a: Amount, b: Amount): Amount => (compareAmounts(a, b) >= 0 ? a : b);

export const NOTHING: Outflow = { sure: ZERO, most: ZERO };

/** An outflow as it is kept in the store. */
export type WrittenOutflow = Readonly<{ currency: string; sure: string; most: string | null }>;

export const writeOutflows = (flows: Outflows): WrittenOutflow[] =>
  [...flows].map(([currency, { sure, most }]) => ({
    currency,
    sure: formatAmount(sure),
    most: most === null ? null : formatAmount(most),
  }));

export const readOutflows = (written: readonly WrittenOutflow[]): Outflows =>
  new Map(
    written.map(({ currency, sure, most }) => [
      currency,
      {
        sure: parseSignedAmount(sure),
        most: most === null ? null : parseSignedAmount(most),
      },
    ]),
  );
