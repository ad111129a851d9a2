import { type BursarError, type ErrorNote, noteOf } from './bursar-error.ts';
import type { ErrorCode } from './catalogue.ts';

/**
 * Facts that quote the first line of the merchant's file. In a file without a header that line is a recipient's, so the
 * quote is for the terminal alone.
 */
const QUOTES: Partial<Record<ErrorCode, string>> = {
  DELIMITER_UNKNOWN: 'found',
  HEADER_MISSING_COLUMN: 'found',
  HEADER_UNKNOWN_COLUMN: 'column',
};

const NOT_QUOTED = 'not kept here';

/** An error's note as it may stand in a history: without anything that was read from the merchant's file. */
export function historyNoteOf({ code, facts, note }: BursarError): ErrorNote {
  const quote = QUOTES[code];
  if (quote === undefined) return note;
  return noteOf(code, { ...(facts as object), [quote]: NOT_QUOTED } as typeof facts);
}
