/** Line in the merchant's file, counted from 1 as an editor does; the header is line 1 of most files. */
export type RowNumber = number;

/** One recipient, read and checked. Amount is canonical decimal text; comment and reference may be empty. */
export type Row = Readonly<{
  row: RowNumber;
  address: string;
  amount: string;
  currency: string;
  comment: string;
  reference: string;
}>;

/** Columns of the merchant's file. */
export const COLUMNS = ['address', 'amount', 'currency', 'comment', 'reference'] as const;
export type RowColumn = (typeof COLUMNS)[number];

/** Rows of one chunk as they are staged: the currency stands once, on the chunk. */
export type ChunkRow = Omit<Row, 'currency'>;

type PackedRow = [RowNumber, string, string, string, string];

/** Writes rows compactly, one text for a whole chunk: staging costs one insert a chunk and not one a row. */
export const packRows = (rows: readonly ChunkRow[]): string =>
  JSON.stringify(rows.map((r): PackedRow => [r.row, r.address, r.amount, r.comment, r.reference]));

export const unpackRows = (text: string): ChunkRow[] =>
  (JSON.parse(text) as PackedRow[]).map(([row, address, amount, comment, reference]) => ({
    row,
    address,
    amount,
    comment,
    reference,
  }));
