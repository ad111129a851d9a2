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
  comma:
    'A comma divides decimals in some countries and thousands in others, so it is not guessed.',
  thousands: 'Separators between thousands are not guessed away.',
  apostrophe: 'By an apostrophe a spreadsheet marks text; it is not part of the value.',
  hashes: 'A spreadsheet showed number signs instead, because its column was too narrow.',
  formula: 'It is an error of a formula.',
  date: 'A spreadsheet turned it into a date.',
  noZero: 'The zero before the point is missing.',
  noDecimals: 'Nothing stands after the point; digits may have been lost.',
  currency: 'The currency stands in a column of its own.',
  sign: 'An amount has no sign.',
  zeros: 'Zeros in front are not read: the cell may have been meant as something else.',
  other:
    'Amounts are paid exactly as written, so nothing but digits and one decimal point is read.',
};

function howToWrite(text: string): string {
  if (text === '') return 'Write the amount, for example 1000.5, or remove the row.';
  return hasDecimalComma(text)
    ? `Where the comma divides decimals in the whole file, give --decimal-comma: this amount is then ${withPoint(text)}. Else write a decimal point, as in 1000.5.`
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
    why: 'In such a file a point divides thousands, and separators between thousands are not guessed away.',
    fix: 'Write digits with at most one decimal comma, for example 1000,5.',
  }),
  AMOUNT_NOT_POSITIVE: entry<Cell>({
    category: 'file',
    what: (f) => `The amount "${f.text}" is not above zero.`,
    why: 'A payout of nothing cannot be sent.',
    fix: 'Give an amount above zero, or remove the row.',
  }),
  AMOUNT_TOO_PRECISE: entry<Readonly<{ text: string; currency: string; decimals: number }>>({
    category: 'file',
    what: (f) =>
      `The amount "${f.text}" has more than ${f.decimals} decimals, the most that ${f.currency} has.`,
    why: 'Amounts are never rounded: a rounded payout is a wrong payout.',
    fix: (f) => `Give at most ${f.decimals} digits after the point.`,
  }),
  CURRENCY_MISSING: entry({
    category: 'file',
    what: 'The row names no currency.',
    why: 'Neither its currency cell nor --currency says which currency to pay.',
    fix: 'Fill the currency column (for example USDT_TRC20), or give --currency.',
  }),
  CURRENCY_MALFORMED: entry<Cell>({
    category: 'file',
    what: (f) => `"${f.text}" is not a currency.`,
    why: 'A currency is a ticker such as BTC, or ticker and network such as USDT_TRC20, in capital letters and digits.',
    fix: 'Write the currency as the service names it.',
  }),
  ADDRESS_MISSING: entry({
    category: 'file',
    what: 'The row has no address.',
    why: 'A payout needs somewhere to go.',
    fix: 'Fill the address column, or remove the row.',
  }),
  ADDRESS_INVALID: entry<Readonly<{ text: string; network: string; reason: string }>>({
    category: 'file',
    what: (f) => `"${f.text}" is not an address of ${f.network}: ${f.reason}.`,
    why: 'Money sent to a wrong address cannot be called back.',
    fix: 'Copy the address again from its owner; a spreadsheet may have cut or changed it.',
  }),
  CHARACTER_FORBIDDEN: entry<Readonly<{ column: string; codePoint: string; position: number }>>({
    category: 'file',
    what: (f) =>
      `The ${f.column} holds the character ${f.codePoint} at position ${f.position}, which is not visible or not expected there.`,
    why: (f) => whatCharacter(f.codePoint),
    fix: 'Type the value again, or copy it as plain text.',
  }),
  FIELD_COUNT_WRONG: entry<Readonly<{ expected: number; found: number }>>({
    category: 'file',
    what: (f) => `The row has ${counted(f.found, 'field')}; the header has ${f.expected}.`,
    why: 'With a field too many or too few, values could slip into the wrong column.',
    fix: 'Put quotes around values that hold the delimiter, and fill or remove missing fields.',
  }),
  CELL_TOO_LONG: entry<Readonly<{ column: string; length: number; max: number }>>({
    category: 'file',
    what: (f) =>
      `The ${f.column} has ${counted(f.length, 'character')}; ${withCommas(f.max)} are allowed.`,
    why: 'A cell of this size is damage or an attack, not a payout.',
    fix: 'Shorten the value.',
  }),
  TAG_UNSUPPORTED: entry<Readonly<{ name: string; text: string }>>({
    category: 'file',
    what: (f) => `The row has "${f.text}" in the column "${f.name}".`,
    why: 'The service has no field for a tag or memo. Without it, money for an exchange is lost.',
    fix: 'Ask the recipient for an address that needs none. Where the text is a comment, name the column comment.',
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
    what: (f) => `The reference "${f.reference}" already stands in row ${f.firstRow}.`,
    why: 'A reference is yours to find a row by, so it stands once in a file.',
    fix: 'If this is one payment entered twice, delete a row. Otherwise give each row its own reference, or leave the cell empty.',
  }),
  FORMULA_IN_CELL: entry<Readonly<{ column: string; text: string }>>({
    category: 'file',
    what: (f) => `The ${f.column} "${f.text}" starts like a spreadsheet formula.`,
    why: 'Spreadsheets would run it when somebody opens a report.',
    fix: 'Remove the leading = + - @ or control character.',
  }),
};
