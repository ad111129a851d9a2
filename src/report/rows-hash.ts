import { createHash } from 'node:crypto';
import { packRow, type Row } from '../domain/rows/row.ts';

/** A hash of payments in their order; other rows with the same totals have another one. */
export type RowsHash = Readonly<{ add(row: Row): void; sha256(): string }>;

/** Begins a hash. `sha256` ends it: 64 hexadecimal digits. */
export function createRowsHash(): RowsHash {
  const hash = createHash('sha256');
  return {
    add(row) {
      hash.update(`${JSON.stringify(row.currency)} ${packRow(row)}\n`, 'utf8');
    },
    sha256: () => hash.digest('hex'),
  };
}
