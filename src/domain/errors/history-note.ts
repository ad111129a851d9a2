import { type BursarError, type ErrorNote, noteOf } from './bursar-error.ts';
import type { ErrorCode } from './catalogue.ts';

const NOT_QUOTED = 'not kept here';

/**
 * Facts that quote the merchant's file: its first line, which is a recipient's where there is no header, or the names of
 * its sheets. The quote is for the terminal alone.
 */
const QUOTES: Partial<Record<ErrorCode, Readonly<Record<string, unknown>>>> = {
  DELIMITER_UNKNOWN: { found: NOT_QUOTED },
  HEADER_MISSING_COLUMN: { found: NOT_QUOTED },
  HEADER_UNKNOWN_COLUMN: { columns: NOT_QUOTED, advice: NOT_QUOTED },
  HEADER_COLUMN_ABSENT: { found: NOT_QUOTED },
  WORKBOOK_UNREADABLE: { reason: NOT_QUOTED },
  SHEET_NOT_CHOSEN: { sheets: NOT_QUOTED },
  SHEET_NOT_FOUND: { sheets: NOT_QUOTED },
  SHEET_CELLS_MERGED: { range: NOT_QUOTED },
};

/** An error's note as it may stand in a history: without anything that was read from the merchant's file. */
export function historyNoteOf({ code, facts, note }: BursarError): ErrorNote {
  const instead = QUOTES[code];
  if (instead === undefined) return note;
  return noteOf(code, { ...(facts as object), ...instead } as typeof facts);
}
