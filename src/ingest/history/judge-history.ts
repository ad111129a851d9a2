import { setImmediate } from 'node:timers/promises';
import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { PastBatch } from '../../store/history.ts';
import type { PastSegment } from '../../store/past-segment.ts';
import type { FindingBook } from '../finding-book.ts';
import { createPrintSpaces, type PrintSpaces } from '../print-spaces.ts';
import { addressAt } from './address.ts';
import { aboveHabit } from './habits.ts';
import { createLookAlikes, type LookAlikes } from './look-alikes.ts';
import { createMarks, type Marks } from './marks.ts';
import { isOverlap, type Overlap } from './overlaps.ts';
import { ownAddressPrints } from './own-addresses.ts';
import type { OwnPrints } from './own-prints.ts';
import { createPayees, NO_SLOT, type Payees } from './payees.ts';
import { createRepeats, type Repeats } from './repeats.ts';
import { createSieve, SAME_ENDS, SAME_PAYEE, type Sieve } from './sieve.ts';

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
const SEGMENTS_PER_TURN = 64;

/** Everything that is kept about the rows while other batches pass by. */
type Judging = Readonly<{
  own: OwnPrints;
  spaceOf: PrintSpaces;
  payees: Payees;
  repeats: Repeats;
  lookAlikes: LookAlikes;
  sieve: Sieve;
  repeated: Marks;
  alike: Marks;
  /** The account's own addresses among the payees, by slot. */
  ownSlots: Map<number, string>;
}>;

/**
 * Holds the rows of a batch against other batches and the account's own addresses. Notes what concerns single rows in
 * `findings`; returns the batches that share a large part of the rows. Keeps the prints of the batch and about 60 bytes a
 * row beside them, and one page of another batch at a time.
 */
export async function judgeHistory(
  own: OwnPrints,
  history: History,
  findings: FindingBook,
): Promise<Overlap[]> {
  const judging = start(own, history);
  judgeOwnAddresses(judging, history.ownAddresses);
  const overlaps: Overlap[] = [];
  for (const batch of history.others) overlaps.push(...(await judgeBatch(judging, batch, history)));
  judging.lookAlikes.close();
  noteRows(judging, findings);
  return overlaps;
}

function start(own: OwnPrints, { others }: History): Judging {
  const payees = createPayees(own);
  const alike = createMarks(own.count);
  const lookAlikes = createLookAlikes({
    own,
    payees,
    others: others.reduce((sum, { rows }) => sum + rows, 0),
    found: (payee, seen) => alike.mark(payee, seen),
  });
  return {
    own,
    spaceOf: createPrintSpaces(),
    payees,
    lookAlikes,
    alike,
    sieve: createSieve(own, lookAlikes.keys),
    repeats: createRepeats(own),
    repeated: createMarks(own.count),
    ownSlots: new Map(),
  };
}

function judgeOwnAddresses(judging: Judging, addresses: readonly string[]): void {
  const { own, payees, lookAlikes, ownSlots } = judging;
  for (const space of own.spaces) {
    const slotAt = payees.finder(space);
    const { prints } = ownAddressPrints(space.currency, addresses);
    for (let at = 0; at < prints.length; at += PRINT_WORDS) {
      const address = addresses[prints[at + PART.number] ?? 0] ?? '';
      const slot = slotAt(prints, at);
      if (slot !== NO_SLOT) ownSlots.set(slot, address);
      const seen = { source: ownAddressText(address), row: 0 };
      lookAlikes.take(addressAt(prints, at, space), seen);
    }
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
    judgeSegment(judging, segment, { source, isNear });
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

/** `isNear`: whether the other batch pays within the days that count as one payment made twice. */
function judgeSegment(
  { spaceOf, payees, repeats, lookAlikes, sieve }: Judging,
  segment: PastSegment,
  { source, isNear }: Readonly<{ source: string; isNear: boolean }>,
): void {
  const { prints, sent } = segment;
  const space = spaceOf(segment.currency);
  const flags = sieve.sift(prints, space);
  const slotAt = payees.finder(space);
  for (let i = 0, at = 0; i < flags.length; i++, at += PRINT_WORDS) {
    const flag = flags[i] ?? 0;
    if (flag === 0) continue;
    const slot = (flag & SAME_PAYEE) === 0 ? NO_SLOT : slotAt(prints, at);
    if (slot === NO_SLOT) {
      if ((flag & SAME_ENDS) === 0) continue;
      lookAlikes.take(addressAt(prints, at, space), { source, row: prints[at + PART.number] ?? 0 });
    } else {
      // What was sent makes a payee known; a row that waits, perhaps for ever, does not.
      if (sent) payees.pay(slot, prints[at + PART.magnitude] ?? 0);
      if (isNear && payees.mayHaveRow(slot, prints[at + PART.row] ?? 0)) repeats.take(prints, at);
    }
  }
}

function noteRows(judging: Judging, findings: FindingBook): void {
  const { own, payees, repeated, alike, ownSlots } = judging;
  for (let index = 0; index < own.count; index++) {
    const row = numberOf(own, index);
    const slot = payees.slots[index] ?? 0;
    const largest = payees.largest(slot);
    const copy = repeated.textOf(index);
    if (copy !== undefined) findings.note('DUPLICATE_IN_HISTORY', { row, detail: `also ${copy}` });
    const mine = ownSlots.get(slot);
    if (mine !== undefined) findings.note('OWN_ADDRESS', { row, detail: ownAddressText(mine) });
    if (largest > 0) {
      const detail = aboveHabit(own.words[index * PRINT_WORDS + PART.magnitude] ?? 0, largest);
      if (detail !== undefined) findings.note('AMOUNT_ABOVE_HABIT', { row, detail });
    } else {
      // Whoever was paid before is the one that was meant; the other one of two that look alike is not.
      const twin = alike.textOf(payees.ofRows[index] ?? 0);
      if (twin !== undefined) findings.note('LOOK_ALIKE_ADDRESS', { row, detail: `like ${twin}` });
      findings.note('FIRST_TIME_PAYEE', { row, detail: '' });
    }
  }
}

const ownAddressText = (address: string): string => `the account's own ${address}`;

const numberOf = ({ words }: OwnPrints, index: number): number =>
  words[index * PRINT_WORDS + PART.number] ?? 0;
