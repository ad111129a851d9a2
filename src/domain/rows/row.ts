/** Line in the merchant's file, counted from 1 as an editor does; the header is line 1 of most files. */
export type RowNumber = number;

/** The payment of a row, and its comment, which may be empty. Amount is canonical decimal text. */
export type RowPayment = Readonly<{
  row: RowNumber;
  address: string;
  amount: string;
  comment: string;
}>;

/**
 * Rows of one chunk as they are staged: the currency stands once, on the chunk. The reference and the name of the payee
 * may be empty, and are never sent.
 */
export type ChunkRow = RowPayment & Readonly<{ reference: string; name: string }>;

/** One recipient, read and checked. */
export type Row = ChunkRow & Readonly<{ currency: string }>;

/** Columns of the merchant's file. `name`: of the payee. */
export const COLUMNS = ['address', 'amount', 'currency', 'comment', 'reference', 'name'] as const;
export type RowColumn = (typeof COLUMNS)[number];

type PackedRow = [RowNumber, string, string, string, string, string?];

/** Writes rows compactly, one text for a whole chunk: staging costs one insert a chunk and not one a row. */
export const packRows = (rows: readonly ChunkRow[]): string => `[${rows.map(packRow).join(',')}]`;

/**
 * Writes one row as {@link packRows} does, as a `PackedRow` in JSON. A row without a name has no text for it, as rows of
 * older versions: their hashes are the same.
 */
export const packRow = ({ row, address, amount, comment, reference, name }: ChunkRow): string => {
  const named = name === '' ? '' : `,${quoted(name)}`;
  return `[${row},${quoted(address)},${quoted(amount)},${quoted(comment)},${quoted(reference)}${named}]`;
};

/** Characters that JSON writes as escapes. */
// oxlint-disable-next-line no-control-regex -- control characters are some of them
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text as JSON. A call of `JSON.stringify` for each text would take three times as long. */
const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);

export const unpackRows = (text: string): ChunkRow[] =>
  (JSON.parse(text) as PackedRow[]).map(
    ([row, address, amount, comment, reference, name = '']) => ({
      row,
      address,
      amount,
      comment,
      reference,
      name,
    }),
  );
