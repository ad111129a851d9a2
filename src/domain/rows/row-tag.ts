import type { RowNumber } from './row.ts';

/** How row tags travel: appended to the comment of each recipient, or not at all. */
export type RowTagMode = 'append' | 'off';

const TAG_AT_END = /(?:^|\s)#([0-9a-hjkmnp-tv-z]{8})-(\d{1,10})$/;

/** The comment that is sent for a row: the merchant's own, then ` #<batch code>-<row>`. */
export function taggedComment(comment: string, batchCode: string, row: RowNumber): string {
  const tag = `#${batchCode}-${row}`;
  return comment === '' ? tag : `${comment} ${tag}`;
}

/** The row that a comment's tag names, if it carries a tag of this batch. */
export function taggedRow(comment: string, batchCode: string): RowNumber | undefined {
  const match = TAG_AT_END.exec(comment);
  return match?.[1] === batchCode ? Number(match[2]) : undefined;
}
