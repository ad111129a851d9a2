/** The content of a JSON text without `\u`: an import accepts no character that packed rows write so. */
const TEXT = String.raw`[^"\\\0-\x1f]*(?:\\["\\bfnrt][^"\\\0-\x1f]*)*`;

/** A canonical amount: no zero at the end of its fraction. */
const AMOUNT = String.raw`(?:0|[1-9]\d*)(?:\.\d*[1-9])?`;

/** One packed row, with or without a name, up to the next one or to the end of all rows. */
const PACKED_ROW = new RegExp(
  String.raw`\[(\d+),("${TEXT}"),"(${AMOUNT})","(${TEXT})","${TEXT}"(?:,"${TEXT}")?\](?:,(?=\[)|\]$)`,
  'y',
);

/** How the comments of recipients are written. */
export type CommentFormat = Readonly<{
  /** The code of the tag in each comment (see `taggedComment`); null for comments without a tag. */
  batchCode: string | null;
  /** Whether a recipient without a comment gets an empty one. */
  withEmptyComments?: boolean;
}>;

/**
 * Cuts the recipients of a create's body out of rows that `packRows` wrote: their texts are JSON
 * already, and are copied as they are. Throws for a text of another form.
 * @example recipientsText('[[2,"TJR","1.5","Pay",""]]', { batchCode: 'k7' })
 * // {"depositAddress":"TJR","amount":1.5,"comment":"Pay #k7-2"}
 */
export function recipientsText(
  packedRows: string,
  { batchCode, withEmptyComments = false }: CommentFormat,
): string {
  let recipients = '';
  PACKED_ROW.lastIndex = 1;
  do {
    const [, row, address, amount, comment] = PACKED_ROW.exec(packedRows) ?? [];
    if (row === undefined) throw new Error('the rows of a chunk are not as an import packs them');
    const sent = batchCode === null ? comment : tagged(comment, `#${batchCode}-${row}`);
    const end = sent === '' && !withEmptyComments ? '}' : `,"comment":"${sent}"}`;
    const separator = recipients === '' ? '' : ',';
    recipients += `${separator}{"depositAddress":${address},"amount":${amount}${end}`;
  } while (PACKED_ROW.lastIndex < packedRows.length);
  return recipients;
}

const tagged = (comment: string | undefined, tag: string): string =>
  comment === '' ? tag : `${comment} ${tag}`;
