import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import { bitOfKey } from './bit-filter.ts';
import { NO_SLOT, type Payees } from './payees.ts';

/** Fingerprints of another batch by their kind: where each begins, in the order of the fingerprints. */
export type Sorted = Readonly<{
  /** Those that may repeat a row of the batch. */
  repeats: Int32Array;
  repeatCount: number;
  /** Those of recipients that the batch does not pay. */
  strangers: Int32Array;
  strangerCount: number;
}>;

/** Fingerprints of one currency. `sent`: they were sent, and so make their recipients known. */
type Past = Readonly<{ prints: Int32Array; space: PrintSpace; sent: boolean }>;

/**
 * Sorts fingerprints, and records the earlier amounts of the batch's recipients; its result is valid until the next
 * call.
 */
export type PastSorter = (past: Past) => Sorted;

/**
 * Every row that was ever paid passes here, and chance decides which are of the batch. So the first test, which sorts
 * out nearly all foreign recipients, is without a branch and reads words that stay close to the processor. All work on
 * a recipient is done at the one read of its slot.
 */
export function createPastSorter(payees: Payees): PastSorter {
  const { seeds, keys } = payees;
  let [known, lows, repeats, strangers] = [0, 0, 0, 0].map(() => new Int32Array(0)) as Lists;

  function makeRoom(rows: number): void {
    if (known.length > rows) return;
    // One more, for the place that is written next.
    [known, lows, repeats, strangers] = [0, 0, 0, 0].map(() => new Int32Array(rows + 1)) as Lists;
  }

  function sift(prints: Int32Array, seed: number): number {
    const { words, mask } = keys;
    let passed = 0;
    for (let at = 0; at < prints.length; at += PRINT_WORDS) {
      const low = (prints[at + PART.address] ?? 0) ^ seed;
      known[passed] = at;
      lows[passed] = low;
      passed += bitOfKey(words, mask, low);
    }
    return passed;
  }

  /**
   * Keeps those of a recipient among the passed ones; returns how many these are, and how many of them may be repeats.
   */
  function look({ prints, space, sent }: Past, passed: number): readonly [number, number] {
    const { high } = space.currencySeed;
    payees.fetch(lows, passed);
    let [knownCount, repeatCount] = [0, 0];
    for (let i = 0; i < passed; i++) {
      const at = known[i] ?? 0;
      const slot = payees.slotOf(lows[i] ?? 0, (prints[at + PART.address + 1] ?? 0) ^ high);
      if (slot === NO_SLOT) continue;
      known[knownCount] = at;
      knownCount += 1;
      if (sent) payees.pay(slot, prints[at + PART.magnitude] ?? 0);
      repeats[repeatCount] = at;
      repeatCount += payees.mayHaveRow(slot, prints[at + PART.row] ?? 0);
    }
    return [knownCount, repeatCount];
  }

  function fillStrangers(prints: Int32Array, knownCount: number): number {
    known[knownCount] = prints.length;
    let [count, next] = [0, 0];
    for (let at = 0; at < prints.length; at += PRINT_WORDS) {
      const isKnown = known[next] === at ? 1 : 0;
      strangers[count] = at;
      count += 1 - isKnown;
      next += isKnown;
    }
    return count;
  }

  return (past) => {
    const { prints, space } = past;
    makeRoom(prints.length / PRINT_WORDS);
    const seed = space.currencySeed.low;
    const passed = seeds.has(seed) ? sift(prints, seed) : 0;
    const [knownCount, repeatCount] = look(past, passed);
    return { repeats, repeatCount, strangers, strangerCount: fillStrangers(prints, knownCount) };
  };
}

type List = Int32Array<ArrayBuffer>;
type Lists = [List, List, List, List];
