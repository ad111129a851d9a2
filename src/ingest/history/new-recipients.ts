import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { BatchFingerprints } from './batch-fingerprints.ts';
import { createPairTable } from './pair-table.ts';

/** Recipients compared in one pass over the rows: some megabytes. */
const RECIPIENTS_PER_PASS = 131_072;

/**
 * Returns by row index: 1 when no earlier row of the batch has the recipient, else 0.
 * It reads the rows several times, because memory holds only a part of the recipients.
 */
export async function findNewRecipients(own: BatchFingerprints): Promise<Uint8Array> {
  const isNew = new Uint8Array(own.count);
  const passes = Math.ceil(own.count / RECIPIENTS_PER_PASS);
  for (let pass = 0; pass < passes; pass++) {
    const recipients = createPairTable(RECIPIENTS_PER_PASS);
    await own.each(({ prints, space: { currencySeed: seed }, first }) => {
      for (let i = 0, at = 0; at < prints.length; i++, at += PRINT_WORDS) {
        const low = (prints[at + PART.address] ?? 0) ^ seed.low;
        if ((low >>> 0) % passes !== pass) continue;
        const high = (prints[at + PART.address + 1] ?? 0) ^ seed.high;
        if (recipients.putIfAbsent(low, high, 1) === 0) isNew[first + i] = 1;
      }
    });
  }
  return isNew;
}
