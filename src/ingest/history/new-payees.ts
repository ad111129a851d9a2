import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { OwnPrints } from './own-prints.ts';
import { createPairTable } from './pair-table.ts';

/** Payees that are held against each other at a time, if every row has another one: some megabytes. */
const PAYEES_PER_PART = 131_072;

/**
 * For each row of a batch, by its index: 1 when no row before it has its recipient, else 0. Reads the rows several
 * times, so as not to keep all recipients at once. Throws the errors of reading them.
 */
export async function newPayees(own: OwnPrints): Promise<Uint8Array> {
  const isNew = new Uint8Array(own.count);
  const parts = Math.ceil(own.count / PAYEES_PER_PART);
  for (let part = 0; part < parts; part++) {
    const known = createPairTable(PAYEES_PER_PART);
    await own.each(({ prints, space: { currencySeed: seed }, first }) => {
      for (let i = 0, at = 0; at < prints.length; i++, at += PRINT_WORDS) {
        const low = (prints[at + PART.address] ?? 0) ^ seed.low;
        if ((low >>> 0) % parts !== part) continue;
        const high = (prints[at + PART.address + 1] ?? 0) ^ seed.high;
        if (known.putIfAbsent(low, high, 1) === 0) isNew[first + i] = 1;
      }
    });
  }
  return isNew;
}
