import { type AmountShape, amountShapeOf } from '../rows/amount-shape.ts';
import { hasDecimalComma, withPoint } from '../rows/decimal-comma.ts';
import { counted, withCommas } from '../text/counted.ts';
import { entry } from './entry.ts';
import { whatCharacter } from './odd-characters.ts';
import { type UncertainKind, uncertainty } from './uncertain-cells.ts';

type Cell = Readonly<{ text: string }>;

/** Why each shape of an amount is refused. */
const NOT_DECIMAL: Readonly<Record<AmountShape, string>> = {
  empty: 'The cell is empty.',
  scientific: 'A spreadsheet wrote it in scientific notation, which may have lost digits.',
  comma: 'The comma can be a decimal comma or separate thousands. Bursar does not guess.',
  thousands: 'Bursar does not guess which signs separate thousands.',
  apostrophe: 'A spreadsheet marks text with an apostrophe. It is not part of the value.',
  hashes: 'The column of the spreadsheet was too narrow for the number.',
  formula: 'It is an error of a formula.',
  date: 'A spreadsheet turned it into a date.',
  noZero: 'The zero before the point is missing.',
  noDecimals: 'There is no digit after the point. Digits may be lost.',
  currency: 'The currency belongs into its own column.',
  sign: 'An amount has no sign.',
  zeros: 'An amount has no zeros in front. The cell may have another meaning.',
  other: 'Bursar pays amounts exactly as written, and reads only digits and one decimal point.',
};

function howToWrite(text: string): string {
  if (text === '') return 'Write the amount, for example 1000.5, or remove the row.';
  return hasDecimalComma(text)
    ? `If the whole file has decimal commas, give --decimal-comma: this amount is then ${withPoint(text)}. Else write a decimal point, as in 1000.5.`
    : 'Write digits with at most one decimal point, for example 1000.5. In a spreadsheet, format the column as text.';
}

/** Why a row of the merchant's file is refused. Each stands in `nack.csv` with line and column. */
export const ROW_ERRORS = {
  AMOUNT_NOT_DECIMAL: entry<Cell>({
    category: 'file',
    what: (f) =>
      f.text === '' ? 'The amount is empty.' : `The amount "${f.text}" is not a plain decimal.`,
    why: (f) => NOT_DECIMAL[amountShapeOf(f.text)],
    fix: (f) => howToWrite(f.text),
  }),
  AMOUNT_HAS_POINT: entry<Cell>({
    category: 'file',
    what: (f) => `The amount "${f.text}" has a point, and --decimal-comma was given.`,
    why: 'In such a file a point may separate thousands. Bursar does not guess.',
    fix: 'Write digits with at most one decimal comma, for example 1000,5.',
  }),
  AMOUNT_NOT_POSITIVE: entry<Cell>({
    category: 'file',
    what: (f) => `The amount "${f.text}" is not above zero.`,
    why: 'A payment must be above zero.',
    fix: 'Give an amount above zero, or remove the row.',
  }),
  AMOUNT_TOO_PRECISE: entry<Readonly<{ text: string; currency: string; decimals: number }>>({
    category: 'file',
    what: (f) =>
      `The amount "${f.text}" has more than the ${f.decimals} decimals of ${f.currency}.`,
    why: 'Bursar never rounds amounts: a rounded payment is a wrong payment.',
    fix: (f) => `Give at most ${f.decimals} digits after the point.`,
  }),
  CURRENCY_MISSING: entry({
    category: 'file',
    what: 'The row names no currency.',
    why: 'Neither its currency cell nor --currency names one.',
    fix: 'Fill the currency column (for example USDT_TRC20), or give --currency.',
  }),
  CURRENCY_MALFORMED: entry<Cell>({
    category: 'file',
    what: (f) => `"${f.text}" is not a currency.`,
    why: 'A currency is a ticker such as BTC, or a ticker with a network such as USDT_TRC20. It has capital letters and digits.',
    fix: 'Write the currency as the service names it.',
  }),
  ADDRESS_MISSING: entry({
    category: 'file',
    what: 'The row has no address.',
    why: 'A payment needs an address.',
    fix: 'Fill the address column, or remove the row.',
  }),
  ADDRESS_INVALID: entry<Readonly<{ text: string; network: string; reason: string }>>({
    category: 'file',
    what: (f) => `"${f.text}" is not an address of ${f.network}: ${f.reason}.`,
    why: 'Money at a wrong address cannot be taken back.',
    fix: 'Get the address from its owner again. A spreadsheet may have cut or changed it.',
  }),
  CHARACTER_FORBIDDEN: entry<Readonly<{ column: string; codePoint: string; position: number }>>({
    category: 'file',
    what: (f) =>
      `The ${f.column} has the character ${f.codePoint} at position ${f.position}. It is not allowed there.`,
    why: (f) => whatCharacter(f.codePoint),
    fix: 'Type the value again, or copy it as plain text.',
  }),
  FIELD_COUNT_WRONG: entry<Readonly<{ expected: number; found: number }>>({
    category: 'file',
    what: (f) => `The row has ${counted(f.found, 'field')}, and the header has ${f.expected}.`,
    why: 'With too many or too few fields, values could be in the wrong column.',
    fix: 'Put quotes around values with a delimiter. Add missing fields, and remove others.',
  }),
  CELL_TOO_LONG: entry<Readonly<{ column: string; length: number; max: number }>>({
    category: 'file',
    what: (f) =>
      `The ${f.column} has ${counted(f.length, 'character')}. At most ${withCommas(f.max)} are allowed.`,
    why: 'A cell of this size is damage or an attack.',
    fix: 'Shorten the value.',
  }),
  TAG_UNSUPPORTED: entry<Readonly<{ name: string; text: string }>>({
    category: 'file',
    what: (f) => `The row has "${f.text}" in the column "${f.name}".`,
    why: 'The service has no field for a tag or memo. Without it, money for an exchange is lost.',
    fix: 'Ask the recipient for an address that needs none. If the text is a comment, name the column comment.',
  }),
  COLUMN_UNNAMED: entry<Cell>({
    category: 'file',
    what: (f) => `The row has "${f.text}" in a column without a name.`,
    why: 'The meaning of the value is not clear.',
    fix: 'Give the column a name in the header, or remove the value.',
  }),
  SHEET_CELL_UNCERTAIN: entry<Readonly<{ cell: string; kind: UncertainKind; stored: string }>>({
    category: 'file',
    what: (f) =>
      `${f.cell} holds ${uncertainty(f.kind).is}${f.stored === '' ? '' : ` (${f.stored})`}.`,
    why: (f) => uncertainty(f.kind).why,
    fix: (f) => uncertainty(f.kind).fix,
  }),
  SHEET_ROW_HIDDEN: entry<Readonly<{ sheet: string; row: number }>>({
    category: 'file',
    what: (f) => `Row ${f.row} of ${f.sheet} is hidden.`,
    why: 'A person who looks at the sheet does not see this payment.',
    fix: 'Clear the filter and unhide the row, or delete it.',
  }),
  REFERENCE_DUPLICATE: entry<Readonly<{ reference: string; firstRow: number }>>({
    category: 'file',
    what: (f) => `Row ${f.firstRow} already has the reference "${f.reference}".`,
    why: 'You find a row by its reference, so a file has each reference once.',
    fix: 'If this is one payment entered twice, delete a row. Otherwise give each row its own reference, or leave the cell empty.',
  }),
  FORMULA_IN_CELL: entry<Readonly<{ column: string; text: string }>>({
    category: 'file',
    what: (f) => `The ${f.column} "${f.text}" starts like a spreadsheet formula.`,
    why: 'A spreadsheet would run it when a person opens the report.',
    fix: 'Remove the leading = + - @ or control character.',
  }),
};
