import {
  formatAmount,
  parseAmount,
  subtractAmounts,
  sumAmounts,
} from '../../src/domain/money/amount.ts';
import { parseSignedAmount } from '../../src/domain/money/signed-amount.ts';
import type { Evidence, LedgerRow, SeenCreate, ToldBatch } from './evidence.ts';

export type LawName =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'audit';

export type Broken = Readonly<{ law: LawName; why: string }>;

type Law = Readonly<{ says: string; broken(evidence: Evidence): Iterable<string> }>;

/** What must hold at the end of every run. The oracle is the ledger and the request log of the service, never the engine. */
export const LAWS: Readonly<Record<LawName, Law>> = {
  I1: { says: 'no row is paid twice', broken: paidTwice },
  I2: { says: 'every row is in one outcome, and the ledger agrees', broken: misTold },
  I3: { says: 'what left the account is what was paid, and the fees', broken: notConserved },
  I4: {
    says: 'nothing is offered to be paid again that was paid, or may be',
    broken: wronglyOffered,
  },
  I5: { says: 'no two creates of one key could both be accepted', broken: overlapping },
  I6: { says: 'nothing is created before it was approved', broken: unapproved },
  I7: { says: 'no secret and no row is where it must not be', broken: ({ leaks }) => leaks },
  I8: { says: 'everything comes to its end', broken: ({ unsettled }) => unsettled },
  I9: { says: 'creates in doubt were found again', broken: notTried },
  I10: { says: 'every fault of the plan has happened', broken: notFired },
  audit: { says: 'every batch is as it was written down', broken: ({ unproven }) => unproven },
};

export const brokenLaws = (evidence: Evidence): Broken[] =>
  Object.entries(LAWS).flatMap(([law, { broken }]) =>
    [...broken(evidence)].map((why) => ({ law: law as LawName, why })),
  );

/** States of a withdrawal of which nothing will be paid. */
const UNPAID = ['FAILED', 'CANCELED'];

const isUnpaid = ({ state }: LedgerRow): boolean => UNPAID.includes(state);

function* paidTwice({ ledger }: Evidence): Iterable<string> {
  const times = countBy(
    ledger.filter((row) => !isUnpaid(row)),
    ({ depositAddress }) => depositAddress,
  );
  for (const [address, count] of times) {
    if (count > 1) yield `${address} was paid ${count} times`;
  }
}

/** What the ledger may show of a row, by what its report says. */
const STATES_OF_OUTCOME: Readonly<Record<string, readonly string[]>> = {
  PAID: ['COMPLETED'],
  FAILED: ['none', 'FAILED'],
  NOT_SENT: ['none', 'CANCELED'],
  UNKNOWN: ['none', 'COMPLETED', 'FAILED', 'CANCELED', 'IN_PROGRESS'],
};

function* misTold({ batches, ledger }: Evidence): Iterable<string> {
  const byKey = groupBy(ledger, ({ idempotencyKey }) => idempotencyKey);
  const ours = new Set(batches.flatMap(({ keys }) => keys));
  for (const key of byKey.keys()) {
    if (!ours.has(key)) yield `the ledger has a mass payout of the key ${key}, which is nobody's`;
  }
  for (const batch of batches) yield* misToldIn(batch, byKey);
}

function* misToldIn(batch: ToldBatch, byKey: ReadonlyMap<string, LedgerRow[]>): Iterable<string> {
  const { batchId, rows, told, keys } = batch;
  if (told.length !== rows.length) {
    yield `${batchId} tells of ${told.length} rows and its file has ${rows.length}`;
    return;
  }
  const made = groupBy(
    keys.flatMap((key) => byKey.get(key) ?? []),
    ({ depositAddress }) => depositAddress,
  );
  const asked = new Set(rows.map(({ address }) => address));
  for (const address of made.keys()) {
    if (!asked.has(address)) yield `${batchId} paid ${address}, which is not in its file`;
  }
  let unknown = 0;
  for (const [at, row] of rows.entries()) {
    const { outcome = 'none', address } = told[at] ?? {};
    const found = made.get(row.address) ?? [];
    const states = found.length === 0 ? ['none'] : found.map(({ state }) => state);
    if (outcome === 'UNKNOWN') unknown += 1;
    if (address !== row.address || told[at]?.amount !== row.amount) {
      yield `${batchId} tells of ${address} ${told[at]?.amount} where its file has ${row.address} ${row.amount}`;
    }
    if (found.some(({ amount }) => amount !== row.amount)) {
      yield `${batchId} asked for another amount for ${row.address} than ${row.amount}`;
    }
    if (states.length > 1) yield `${batchId} asked ${states.length} times for ${row.address}`;
    if (!states.every((state) => STATES_OF_OUTCOME[outcome]?.includes(state))) {
      yield `${batchId} tells ${row.address} as ${outcome}, and the ledger has ${states.join(', ')}`;
    }
  }
  if (unknown > 0 && batch.dossiers === 0)
    yield `${batchId} has ${unknown} rows UNKNOWN, and no dossier`;
}

function* notConserved({ balances, ledger }: Evidence): Iterable<string> {
  for (const { currency, opening, balance, tiesOut } of balances) {
    const kept = ledger.filter((row) => row.currency === currency && !isUnpaid(row));
    const gone = sumAmounts(
      kept.flatMap(({ amount, fee }) => [parseAmount(amount), parseSignedAmount(fee)]),
    );
    const left = subtractAmounts(parseSignedAmount(opening), parseSignedAmount(balance));
    if (!tiesOut) yield `the entries of the ledger in ${currency} do not sum up to its balance`;
    if (formatAmount(left) !== formatAmount(gone)) {
      yield `${formatAmount(left)} ${currency} left the account, and ${formatAmount(gone)} were paid`;
    }
  }
}

function* wronglyOffered({ batches, ledger }: Evidence): Iterable<string> {
  const paid = new Set(
    ledger.filter((row) => !isUnpaid(row)).map(({ depositAddress }) => depositAddress),
  );
  for (const { batchId, resendable } of batches) {
    for (const address of resendable) {
      if (paid.has(address)) yield `${batchId} offers ${address} to be paid again, and it was paid`;
    }
  }
}

/** What the service decided to refuse, it will not accept later. */
const isRefused = ({ status }: SeenCreate): boolean =>
  status !== null && status >= 400 && status < 500;

/** The service saw them in this order; an earlier one that was neither decided nor too old could still be accepted. */
function* overlapping({ creates, timestampWindowMs }: Evidence): Iterable<string> {
  for (const [key, ofKey] of groupBy(creates, ({ idempotencyKey }) => idempotencyKey)) {
    const inOrder = [...ofKey].sort((a, b) => a.timestampMs - b.timestampMs);
    for (const [at, later] of inOrder.entries()) {
      const earlier = inOrder[at - 1];
      if (earlier === undefined || earlier.timestampMs === later.timestampMs) continue;
      if (isOpenAt(earlier, later, timestampWindowMs)) {
        yield `a create of ${key} was signed while the one before could still be accepted`;
      }
    }
  }
}

const isOpenAt = (earlier: SeenCreate, later: SeenCreate, windowMs: number): boolean =>
  !isRefused(earlier) && later.timestampMs <= earlier.timestampMs + windowMs;

function* unapproved({ batches, creates }: Evidence): Iterable<string> {
  const firstOfKey = new Map<string, number>();
  for (const { idempotencyKey, atMs } of creates) {
    firstOfKey.set(idempotencyKey, Math.min(atMs, firstOfKey.get(idempotencyKey) ?? atMs));
  }
  for (const { batchId, keys, approvedAtMs = Number.POSITIVE_INFINITY } of batches) {
    const begun = keys.flatMap((key) => firstOfKey.get(key) ?? []);
    if (begun.some((atMs) => atMs < approvedAtMs))
      yield `${batchId} was sent before it was approved`;
  }
}

function* notTried({ recovered }: Evidence): Iterable<string> {
  if (recovered === 0) yield 'no create was ever in doubt, so that the run proves nothing';
}

function* notFired({ faults }: Evidence): Iterable<string> {
  for (const [name, times] of Object.entries(faults)) {
    if (times === 0) yield `"${name}" never happened`;
  }
}

function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

const countBy = <Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, number> =>
  new Map([...groupBy(items, keyOf)].map(([key, group]) => [key, group.length]));
