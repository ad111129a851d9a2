import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import { bitOfKey } from './bloom-filter.ts';
import { NO_SLOT, type Recipients } from './recipients.ts';

/** Rows of another batch, sorted by their relation to this batch, as positions of fingerprints. */
export type SortedPastRows = Readonly<{
  /** Rows that may repeat a row of the batch. */
  repeats: Int32Array;
  repeatCount: number;
  /** Rows whose recipient the batch does not pay. */
  others: Int32Array;
  otherCount: number;
}>;

/**
 * Rows of one currency in another batch. `sent`: they were sent, so their recipients are not new.
 */
type PastRows = Readonly<{ prints: Int32Array; space: PrintSpace; sent: boolean }>;

/**
 * Sorts rows, and records the largest amount of each recipient. The result is valid until the next
 * call.
 */
export type PastRowSorter = (past: PastRows) => SortedPastRows;

/**
 * Makes a sorter. Every row that was ever paid passes here, so the code is written for speed.
 * The first loop drops nearly all other recipients without a branch, in the processor's cache. The
 * second loop does all work on a recipient with one access to its slot (bench/findings).
 */
export function createPastRowSorter(recipients: Recipients): PastRowSorter {
  const { seeds, keys } = recipients;
  let [candidates, lows, repeats, others] = [0, 0, 0, 0].map(() => new Int32Array(0)) as Lists;

  function makeRoom(rows: number): void {
    if (candidates.length > rows) return;
    // One extra element, because the loops write one position ahead.
    [candidates, lows, repeats, others] = [0, 0, 0, 0].map(() => new Int32Array(rows + 1)) as Lists;
  }

  function sift(prints: Int32Array, seed: number): number {
    const { words, mask } = keys;
    let passed = 0;
    for (let at = 0; at < prints.length; at += PRINT_WORDS) {
      const low = (prints[at + PART.address] ?? 0) ^ seed;
      candidates[passed] = at;
      lows[passed] = low;
      passed += bitOfKey(words, mask, low);
    }
    return passed;
  }

  /** Keeps the rows of recipients. Returns their number, and the number of possible repeats. */
  function selectRows(
    { prints, space, sent }: PastRows,
    passed: number,
  ): readonly [number, number] {
    const { high } = space.currencySeed;
    recipients.fetch(lows, passed);
    let [recipientCount, repeatCount] = [0, 0];
    for (let i = 0; i < passed; i++) {
      const at = candidates[i] ?? 0;
      const slot = recipients.slotOf(lows[i] ?? 0, (prints[at + PART.address + 1] ?? 0) ^ high);
      if (slot === NO_SLOT) continue;
      candidates[recipientCount] = at;
      recipientCount += 1;
      if (sent) recipients.pay(slot, prints[at + PART.magnitude] ?? 0);
      repeats[repeatCount] = at;
      repeatCount += recipients.mayHaveRow(slot, prints[at + PART.row] ?? 0);
    }
    return [recipientCount, repeatCount];
  }

  function fillOthers(prints: Int32Array, recipientCount: number): number {
    candidates[recipientCount] = prints.length;
    let [count, next] = [0, 0];
    for (let at = 0; at < prints.length; at += PRINT_WORDS) {
      const isOfRecipient = candidates[next] === at ? 1 : 0;
      others[count] = at;
      count += 1 - isOfRecipient;
      next += isOfRecipient;
    }
    return count;
  }

  return (past) => {
    const { prints, space } = past;
    makeRoom(prints.length / PRINT_WORDS);
    const seed = space.currencySeed.low;
    const passed = seeds.has(seed) ? sift(prints, seed) : 0;
    const [recipientCount, repeatCount] = selectRows(past, passed);
    return { repeats, repeatCount, others, otherCount: fillOthers(prints, recipientCount) };
  };
}

type List = Int32Array<ArrayBuffer>;
type Lists = [List, List, List, List];
