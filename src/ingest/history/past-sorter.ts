import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import { bitOfKey } from './bit-filter.ts';
import { NO_SLOT, type Payees } from './payees.ts';

/** Prints of another batch, by what they are to this one: where each begins, in the order of the prints. */
export type Sorted = Readonly<{
  /** Those that may pay the same as a row of the batch. */
  repeats: Int32Array;
  repeatCount: number;
  /** Those that pay nobody whom the batch pays. */
  strangers: Int32Array;
  strangerCount: number;
}>;

/** Prints of one currency. `sent`: they were sent, and so make their payees known. */
type Past = Readonly<{ prints: Int32Array; space: PrintSpace; sent: boolean }>;

/** Tells the prints apart, and takes down what payees of the batch got; what it gives is good until the next call. */
export type PastSorter = (past: Past) => Sorted;

/**
 * Every row that was ever paid passes here, and chance decides which are of the batch. So the first look, which sorts out
 * nearly all strangers, is without a branch and at words that stay close to the processor; and whatever is done with a payee
 * is done at the one look at its slot.
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

  /** Keeps of what passed what is of a payee; gives how many these are, and how many of them may be repeats. */
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
