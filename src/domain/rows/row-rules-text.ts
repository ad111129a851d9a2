import { startsLikeFormula } from '../files/csv.ts';
import { type Problem, problem } from './row-rules-problem.ts';
import type { RowColumn } from './row.ts';

/** Characters (UTF-16 units) that a cell of each column may have. The longest row is far below the limit of a line. */
export const CELL_CHARS_MAX: Readonly<Record<RowColumn, number>> = {
  address: 128,
  amount: 128,
  currency: 64,
  comment: 500,
  reference: 200,
  name: 200,
};

/** The beginning of a refused cell's text that errors show. */
export const VALUE_CHARS_MAX = 200;

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Everything but the printable characters of ASCII: addresses, amounts and currencies have no others. */
const NOT_PRINTABLE_ASCII = /[^ -~]/u;

/**
 * Characters that people cannot see or that change the order of others, listed so that every engine refuses the same:
 * control, soft hyphen, fillers, direction marks, zero width, line separators, damage (U+FFFD), tags, half characters.
 * A comment may hold a line feed, and the joiners of scripts and emoji.
 */
const INVISIBLE =
  '(?!\\n)\\p{Cc}|[\\u{AD}\\u{34F}\\u{61C}\\u{115F}\\u{1160}\\u{17B4}\\u{17B5}\\u{180E}\\u{200B}\\u{200E}\\u{200F}' +
  '\\u{2028}-\\u{202E}\\u{2060}-\\u{206F}\\u{3164}\\u{FEFF}\\u{FFA0}\\u{FFF0}-\\u{FFFF}\\u{E0000}-\\u{E0FFF}]|\\p{Cs}';
const FORBIDDEN_IN_COMMENT = new RegExp(INVISIBLE, 'u');

/** A name stands in one line. */
const FORBIDDEN_IN_NAME = new RegExp(`${INVISIBLE}|\\n`, 'u');

/** A reference is compared with others, so that spaces of other widths, joiners and variants are refused as well. */
const FORBIDDEN_IN_REFERENCE = new RegExp(
  `${INVISIBLE}|[\\n\\u{A0}\\u{1680}\\u{2000}-\\u{200A}\\u{200C}\\u{200D}\\u{202F}\\u{205F}\\u{3000}]|[\\u{FE00}-\\u{FE0F}]`,
  'u',
);

/** A cell longer than its column may be, as a problem. */
export function tooLong(column: RowColumn, text: string): Problem | undefined {
  const max = CELL_CHARS_MAX[column];
  if (text.length <= max) return undefined;
  return problem('CELL_TOO_LONG', { column, length: text.length, max });
}

/** The first character of a cell that is not printable ASCII, as a problem. */
export const plainTextProblem = (column: RowColumn, text: string): Problem | undefined =>
  PRINTABLE_ASCII.test(text) ? undefined : forbiddenCharacter(column, text, NOT_PRINTABLE_ASCII);

/** A cell that a spreadsheet would run, as a problem. */
export const formulaIn = (column: RowColumn, text: string): Problem | undefined =>
  startsLikeFormula(text)
    ? problem('FORMULA_IN_CELL', { column, text: text.slice(0, VALUE_CHARS_MAX) })
    : undefined;

const FORBIDDEN = {
  comment: FORBIDDEN_IN_COMMENT,
  reference: FORBIDDEN_IN_REFERENCE,
  name: FORBIDDEN_IN_NAME,
} as const;

/** The rules of a comment, a reference and a name: no invisible character, nothing that a spreadsheet would run. */
export function checkFreeText(column: keyof typeof FORBIDDEN, text: string): Problem | undefined {
  if (text === '') return undefined;
  const unfit = tooLong(column, text) ?? formulaIn(column, text);
  if (unfit !== undefined) return unfit;
  if (PRINTABLE_ASCII.test(text)) return undefined;
  return forbiddenCharacter(column, text, FORBIDDEN[column]);
}

function forbiddenCharacter(column: RowColumn, text: string, pattern: RegExp): Problem | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const codePoint = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return problem('CHARACTER_FORBIDDEN', {
    column,
    codePoint: `U+${codePoint}`,
    position: Array.from(text.slice(0, match.index)).length + 1,
  });
}
