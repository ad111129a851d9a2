import { textOf, sumOf, unitsOf } from '../../sim/money.ts';
import type { Evidence, FileRow, LedgerRow, SeenCreate, ToldBatch, ToldRow } from './evidence.ts';

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
  | 'audit'
  | 'alive';

export type Broken = Readonly<{ law: LawName; why: string }>;

type Law = Readonly<{ says: string; broken(evidence: Evidence): Iterable<string> }>;

/** What must hold at the end of every run. The oracle is the ledger and the request log of the service, never the engine. */
export const LAWS: Readonly<Record<LawName, Law>> = {
  I1: { says: 'no row is paid twice', broken: paidTwice },
  I2: { says: 'every row is in one outcome, and the ledger agrees', broken: misTold },
  I3: { says: 'what left the account is what is told as paid, and the fees', broken: notConserved },
  I4: {
    says: 'nothing is offered to be paid again that was paid, or may be',
    broken: wronglyOffered,
  },
  I5: { says: 'no two creates of one key could both be accepted', broken: overlapping },
  I6: { says: 'nothing is created before it was approved', broken: unapproved },
  I7: { says: 'no secret and no row is where it must not be', broken: ({ leaks }) => leaks },
  I8: { says: 'everything comes to its end', broken: ({ unsettled }) => unsettled },
  I9: { says: 'creates in doubt were found again, and most rows were paid', broken: notTried },
  I10: { says: 'every fault of the plan has happened', broken: notFired },
  audit: { says: 'every batch is as it was written down', broken: ({ unproven }) => unproven },
  alive: { says: 'no process ended unless it was killed', broken: ({ crashes }) => crashes },
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

/**
 * What the ledger may show of a row, by what its report says. Every row gets there, but for some of resends, and of each it can be
 * learnt what became of it: here the service refuses no create for good, and nobody cancels a batch or gives a chunk up.
 */
const STATE_OF_OUTCOME: Readonly<Record<string, string>> = { PAID: 'COMPLETED', FAILED: 'FAILED' };

function* misTold({ batches, ledger }: Evidence): Iterable<string> {
  const byKey = groupBy(ledger, ({ idempotencyKey }) => idempotencyKey);
  const ours = new Set(batches.flatMap(({ keys }) => keys));
  for (const key of byKey.keys()) {
    if (!ours.has(key)) yield `the ledger has a mass payout of the key ${key}, which is nobody's`;
  }
  for (const batch of batches) yield* misToldIn(batch, byKey);
}

type ByKey = ReadonlyMap<string, readonly LedgerRow[]>;

function* misToldIn(batch: ToldBatch, byKey: ByKey): Iterable<string> {
  const { batchId, rows, told } = batch;
  if (told.length !== rows.length) {
    yield `${batchId} tells of ${told.length} rows and its file has ${rows.length}`;
    return;
  }
  const made = madeFor(batch, byKey);
  const asked = new Set(rows.map(({ address }) => address));
  for (const address of made.keys()) {
    if (!asked.has(address)) yield `${batchId} paid ${address}, which is not in its file`;
  }
  const investigated = new Set(batch.investigated);
  for (const [at, row] of rows.entries()) {
    const said = told[at] as ToldRow;
    const { address } = row;
    const found = made.get(address) ?? [];
    if (paymentText(said) !== paymentText(row)) {
      yield `${batchId} tells of ${paymentText(said)} where its file has ${paymentText(row)}`;
    }
    for (const { amount, currency } of found) {
      const sent = paymentText({ address, amount, currency });
      if (sent !== paymentText(row)) yield `${batchId} asked for ${sent}, not ${paymentText(row)}`;
    }
    const states = found.map(({ state }) => state).join(', ') || 'none';
    if (states !== (isGivenUp(batch, said) ? 'none' : STATE_OF_OUTCOME[said.outcome])) {
      yield `${batchId} tells ${address} as ${said.outcome}, and the ledger has ${states}`;
    }
    if (said.outcome === 'UNKNOWN' && !investigated.has(address)) {
      yield `${batchId} tells ${address} as UNKNOWN, and does not ask anybody to find out about it`;
    }
  }
}

/** While nobody answers whether they are still unpaid, a resend that has begun sends no more of its rows, and offers them anew. */
const isGivenUp = ({ isResend, resendable }: ToldBatch, { address, outcome }: ToldRow): boolean =>
  isResend && outcome === 'NOT_SENT' && resendable.includes(address);

const paymentText = ({ address, amount, currency }: FileRow): string =>
  `${amount} ${currency} for ${address}`;

/** What the service made of the creates of a batch, by address. */
const madeFor = ({ keys }: ToldBatch, byKey: ByKey): ReadonlyMap<string, readonly LedgerRow[]> =>
  groupBy(
    keys.flatMap((key) => byKey.get(key) ?? []),
    ({ depositAddress }) => depositAddress,
  );

/**
 * The balance is held against what the reports tell as PAID, so that a payment that nobody tells of shows here, were it in the
 * ledger ten times. Only of UNKNOWN rows, and of the fees, does the ledger say what they came to.
 */
function* notConserved({ balances, batches, ledger }: Evidence): Iterable<string> {
  const byKey = groupBy(ledger, ({ idempotencyKey }) => idempotencyKey);
  const told = batches.flatMap((batch) => explainedBy(batch, byKey));
  for (const { currency, opening, balance, tiesOut } of balances) {
    const ofCurrency = (row: Readonly<{ currency: string }>): boolean => row.currency === currency;
    const amounts = told.filter(ofCurrency).map(({ amount }) => amount);
    const fees = ledger.filter((row) => ofCurrency(row) && !isUnpaid(row)).map(({ fee }) => fee);
    const explained = sumOf([...amounts, ...fees]);
    const left = unitsOf(opening) - unitsOf(balance);
    if (!tiesOut) yield `the entries of the ledger in ${currency} do not sum up to its balance`;
    if (left !== explained) {
      yield `${textOf(left)} ${currency} left the account, and the reports explain ${textOf(explained)}`;
    }
  }
}

type Money = Readonly<{ amount: string; currency: string }>;

function explainedBy(batch: ToldBatch, byKey: ByKey): readonly Money[] {
  const made = madeFor(batch, byKey);
  return batch.told.flatMap((row): readonly Money[] => {
    if (row.outcome === 'PAID') return [row];
    if (row.outcome !== 'UNKNOWN') return [];
    return (made.get(row.address) ?? []).filter((one) => !isUnpaid(one));
  });
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
      if (earlier === undefined) continue;
      if (earlier.timestampMs === later.timestampMs) yield `a create of ${key} arrived twice`;
      else if (isOpenAt(earlier, later, timestampWindowMs)) {
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

function* notTried({ recovered, batches }: Evidence): Iterable<string> {
  if (recovered === 0) yield 'no create was ever in doubt, so that the run proves nothing';
  const asked = batches.flatMap(({ rows }) => rows).length;
  const told = batches.flatMap((batch) => batch.told);
  const paid = told.filter(({ outcome }) => outcome === 'PAID').length;
  if (2 * paid < asked) yield `only ${paid} of ${asked} rows were paid: the run proves little`;
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
