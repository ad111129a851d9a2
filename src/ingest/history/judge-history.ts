import { setImmediate } from 'node:timers/promises';
import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { PastBatch } from '../../store/history.ts';
import type { PastSegment } from '../../store/past-segment.ts';
import type { FindingBook } from '../finding-book.ts';
import { createHabits, type Habits } from './habits.ts';
import { createLookAlikes, type LookAlikes } from './look-alikes.ts';
import { createMarks, type Marks } from './marks.ts';
import { isOverlap, type Overlap } from './overlaps.ts';
import { ownAddressAt, ownAddressPrints } from './own-addresses.ts';
import type { OwnPrints } from './own-prints.ts';
import { createPayees, type Payees } from './payees.ts';
import { createRepeats, type Repeats } from './repeats.ts';

/** What the rows of a batch are held against. */
export type History = Readonly<{
  /** Other batches of the account; of those that repeat a row the first is named. */
  others: readonly PastBatch[];
  /** Addresses that are the account's own, as people write them. */
  ownAddresses: readonly string[];
  /** When the batch is to pay, milliseconds since 1970. */
  payAtMs: number;
  /** How many days before or after that a payment of the same may be this one made twice. */
  historyDays: number;
  signal?: AbortSignal | undefined;
}>;

const DAY_MS = 86_400_000;

/** Segments that are judged before others of this process get a turn: some milliseconds. */
const SEGMENTS_PER_TURN = 16;

/** Everything that is kept about the rows while other batches pass by. */
type Judging = Readonly<{
  own: OwnPrints;
  payees: Payees;
  habits: Habits;
  repeats: Repeats;
  lookAlikes: LookAlikes;
  repeated: Marks;
  alike: Marks;
  ownAddress: Marks;
}>;

/**
 * Holds the rows of a batch against other batches and the account's own addresses. Notes what concerns single rows in
 * `findings`; returns the batches that share a large part of the rows. Keeps the prints of the batch and about 70 bytes a
 * row beside them, and one page of another batch at a time.
 */
export async function judgeHistory(
  own: OwnPrints,
  history: History,
  findings: FindingBook,
): Promise<Overlap[]> {
  const judging = start(own, history);
  judgePairs(judging);
  judgeOwnAddresses(judging, history.ownAddresses);
  const overlaps: Overlap[] = [];
  for (const batch of history.others) overlaps.push(...(await judgeBatch(judging, batch, history)));
  noteRows(judging, findings);
  return overlaps;
}

function start(own: OwnPrints, { others }: History): Judging {
  const payees = createPayees(own);
  const otherRows = others.reduce((sum, { rows }) => sum + rows, 0);
  return {
    own,
    payees,
    habits: createHabits(own.count),
    repeats: createRepeats(own),
    lookAlikes: createLookAlikes(own, payees, otherRows),
    repeated: createMarks(own.count),
    alike: createMarks(own.count),
    ownAddress: createMarks(own.count),
  };
}

function judgePairs({ own, lookAlikes, alike }: Judging): void {
  lookAlikes.eachPair((payee, other) =>
    alike.mark(payee, { source: 'this file', row: numberOf(own, other) }),
  );
}

function judgeOwnAddresses(judging: Judging, addresses: readonly string[]): void {
  const { own, payees, lookAlikes, alike, ownAddress } = judging;
  for (const { currency } of own.spaces) {
    const segment = ownAddressPrints(currency, addresses);
    payees.eachIn(segment, (payee, at) =>
      ownAddress.mark(payee, { source: ownAddressAt(segment, at, addresses), row: 0 }),
    );
    lookAlikes.eachIn(segment, (payee, at) => {
      const source = `the account's own ${ownAddressAt(segment, at, addresses)}`;
      alike.mark(payee, { source, row: 0 });
    });
  }
}

async function judgeBatch(
  judging: Judging,
  batch: PastBatch,
  { payAtMs, historyDays, signal }: History,
): Promise<Overlap[]> {
  const { own, repeats, repeated } = judging;
  const source = `batch ${batch.batchId} of ${new Date(batch.payAtMs).toISOString().slice(0, 10)}`;
  const isNear = Math.abs(batch.payAtMs - payAtMs) <= historyDays * DAY_MS;
  let [rows, segments] = [0, 0];
  for await (const segment of batch.segments()) {
    if (isNear) repeats.take(segment.prints);
    judgeSegment(judging, segment, source);
    rows += segment.prints.length / PRINT_WORDS;
    segments += 1;
    if (segments % SEGMENTS_PER_TURN !== 0) continue;
    await setImmediate();
    signal?.throwIfAborted();
  }
  const shared = repeats.count();
  const overlap = { source, shared, isSame: shared === own.count && shared === rows };
  const isLarge = isOverlap(overlap, own.count);
  repeats.close(({ index, row }) => {
    if (!isLarge) repeated.mark(index, { source, row });
  });
  return isLarge ? [overlap] : [];
}

/** What was sent makes a payee known; a row that waits, perhaps for ever, does not. */
function judgeSegment(
  { payees, habits, lookAlikes, alike }: Judging,
  segment: PastSegment,
  source: string,
): void {
  const { prints, sent } = segment;
  if (sent) {
    payees.eachIn(segment, (payee, at) => habits.take(payee, prints[at + PART.magnitude] ?? 0));
  }
  lookAlikes.eachIn(segment, (payee, at) =>
    alike.mark(payee, { source, row: prints[at + PART.number] ?? 0 }),
  );
}

function noteRows(judging: Judging, findings: FindingBook): void {
  const { own, payees, habits, repeated, alike, ownAddress } = judging;
  for (let index = 0; index < own.count; index++) {
    const row = numberOf(own, index);
    const payee = payees.payeeOf(index);
    const copy = repeated.textOf(index);
    if (copy !== undefined) findings.note('DUPLICATE_IN_HISTORY', { row, detail: `also ${copy}` });
    const mine = ownAddress.textOf(payee);
    if (mine !== undefined) findings.note('OWN_ADDRESS', { row, detail: mine });
    if (habits.isKnown(payee)) {
      const magnitude = own.words[index * PRINT_WORDS + PART.magnitude] ?? 0;
      const detail = habits.exceededBy(payee, magnitude);
      if (detail !== undefined) findings.note('AMOUNT_ABOVE_HABIT', { row, detail });
    } else {
      // Whoever was paid before is the one that was meant; the other one of two that look alike is not.
      const twin = alike.textOf(payee);
      if (twin !== undefined) findings.note('LOOK_ALIKE_ADDRESS', { row, detail: `like ${twin}` });
      findings.note('FIRST_TIME_PAYEE', { row, detail: '' });
    }
  }
}

const numberOf = ({ words }: OwnPrints, index: number): number =>
  words[index * PRINT_WORDS + PART.number] ?? 0;
