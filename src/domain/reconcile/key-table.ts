/** Words of one key: 128 bits, so that no two different payments ever share one. */
export const KEY_WORDS = 4;

/** Gives keys numbers from 0 up, in the order in which they come. */
export type KeyTable = Readonly<{
  /** The number of a key; -1 when it has none. */
  find(key: Int32Array): number;
  /** The number of a key; the next free one when it had none. */
  add(key: Int32Array): number;
  size(): number;
}>;

const SLOTS_MIN = 1_024;
const LOAD_MAX = 0.7;
const FREE = -1;

/**
 * A hash table in two arrays of numbers: 30 to 60 bytes a key. The keys are hashes, so one word of them gives the
 * place.
 */
export function createKeyTable(): KeyTable {
  let slots = new Int32Array(SLOTS_MIN).fill(FREE);
  let keys = new Int32Array(SLOTS_MIN * KEY_WORDS);
  let size = 0;

  const isAt = (number: number, key: Int32Array): boolean => {
    for (let word = 0; word < KEY_WORDS; word += 1) {
      if (keys[number * KEY_WORDS + word] !== key[word]) return false;
    }
    return true;
  };
  /** The slot of a key, else the free one where it belongs. */
  const slotOf = (key: Int32Array): number => {
    let at = (key[0] ?? 0) & (slots.length - 1);
    for (let number = slots[at] ?? FREE; number !== FREE; number = slots[at] ?? FREE) {
      if (isAt(number, key)) break;
      at = (at + 1) & (slots.length - 1);
    }
    return at;
  };
  const grow = (): void => {
    slots = new Int32Array(slots.length * 2).fill(FREE);
    const wider = new Int32Array(slots.length * KEY_WORDS);
    wider.set(keys.subarray(0, size * KEY_WORDS));
    keys = wider;
    for (let number = 0; number < size; number += 1) {
      slots[slotOf(keys.subarray(number * KEY_WORDS, (number + 1) * KEY_WORDS))] = number;
    }
  };

  return {
    find: (key) => slots[slotOf(key)] ?? FREE,
    add(key) {
      const known = slots[slotOf(key)] ?? FREE;
      if (known !== FREE) return known;
      if (size + 1 > slots.length * LOAD_MAX) grow();
      slots[slotOf(key)] = size;
      keys.set(key, size * KEY_WORDS);
      size += 1;
      return size - 1;
    },
    size: () => size,
  };
}
