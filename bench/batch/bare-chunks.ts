import papaparse from 'papaparse';
import type { RowPayment } from '../../src/domain/rows/row.ts';

export type BareRow = RowPayment & Readonly<{ currency: string }>;

/** The header is line 1. */
const FIRST_ROW = 2;

/** Cuts the text of a sample file into rows; nothing is checked. */
export function readRows(text: string): BareRow[] {
  const { data } = papaparse.parse<string[]>(text, { delimiter: ',', skipEmptyLines: true });
  return data.slice(1).map((cells, i) => {
    const [address = '', amount = '', currency = '', comment = ''] = cells;
    return { row: FIRST_ROW + i, address, amount, currency, comment };
  });
}

/** The chunks that ingest makes of the same rows: one currency each, in the order in which they become full. */
export function cutIntoChunks(rows: readonly BareRow[], chunkRows: number): BareRow[][] {
  const open = new Map<string, BareRow[]>();
  const full: BareRow[][] = [];
  for (const row of rows) {
    const chunk = open.get(row.currency) ?? [];
    open.set(row.currency, chunk);
    chunk.push(row);
    if (chunk.length < chunkRows) continue;
    full.push(chunk);
    open.set(row.currency, []);
  }
  return [...full, ...[...open.values()].filter((chunk) => chunk.length > 0)];
}
