import type { UncertainKind } from '../../domain/errors/uncertain-cells.ts';
import { storedDecimal } from '../../domain/money/stored-number.ts';
import { type Calendar, dateText } from './date-text.ts';
import type { KindOfStyle } from './number-formats.ts';

/** A cell as its XML has it. */
export type StoredCell = Readonly<{
  /** The column, from 0. */
  position: number;
  /** The type `t`; `n` where none is given. */
  type: string;
  style: number;
  /** The text of `<f>`; undefined: the cell is no formula. */
  formula: string | undefined;
  /** The text of `<v>`; undefined: there is none. */
  value: string | undefined;
  /** The text inside the cell itself. */
  inline: string;
}>;

/** The text of a cell. `doubt`: why it is not certain. */
export type SheetCell = Readonly<{ position: number; text: string; doubt?: UncertainKind }>;

/** The parts of a workbook that its cells refer to. */
export type CellContext = Readonly<{
  texts: readonly string[];
  kindOf: KindOfStyle;
  calendar: Calendar;
  /** The decimal sign of text cells. A number is written with it too, so that both are read alike. */
  decimalComma: boolean;
}>;

/**
 * Returns the text of a cell; undefined for an empty one. Only text and plain numbers are certain.
 * @throws an error with the reason where the cell is damaged
 */
export function readCell(cell: StoredCell, context: CellContext): SheetCell | undefined {
  const { position, formula } = cell;
  if (formula !== undefined) return formulaCell(cell, context);
  const { text, doubt } = contentOf(cell, context);
  if (text === '') return undefined;
  return { position, text, ...(doubt === undefined ? {} : { doubt }) };
}

type Content = Readonly<{ text: string; doubt?: UncertainKind }>;

function contentOf(cell: StoredCell, context: CellContext): Content {
  const { type, style, inline, value = '' } = cell;
  if (type === 's') return { text: sharedText(value, context.texts) };
  if (type === 'inlineStr') return { text: inline };
  if (type === 'str') return { text: value };
  if (type === 'b') return { text: value === '0' ? 'FALSE' : 'TRUE', doubt: 'boolean' };
  if (type === 'e') return { text: value, doubt: 'error' };
  if (type === 'd') return { text: value, doubt: 'date' };
  return value === '' ? { text: '' } : numberOf(value, context.kindOf(style), context);
}

/** A formula without a stored result may be anything, so it is never taken for an empty cell. */
function formulaCell(cell: StoredCell, { decimalComma }: CellContext): SheetCell | undefined {
  const { position, type, formula = '', value } = cell;
  if (value === '' && type === 'str') return undefined;
  const isNumber = type === 'n';
  const text = value === undefined || value === '' ? `=${formula}` : value;
  return { position, text: isNumber ? withSign(text, decimalComma) : text, doubt: 'formula' };
}

function numberOf(
  value: string,
  kind: UncertainKind | undefined,
  { decimalComma, calendar }: CellContext,
): Content {
  if (kind === 'date') return { text: dateText(value, calendar), doubt: kind };
  if (kind !== undefined) return { text: value, doubt: kind };
  const stored = storedDecimal(value);
  if (stored.ok) return { text: withSign(stored.text, decimalComma) };
  if (stored.fault === 'none') throw new Error(`a number of it is "${value.slice(0, 40)}"`);
  return { text: withSign(value, decimalComma), doubt: stored.fault };
}

const withSign = (number: string, decimalComma: boolean): string =>
  decimalComma ? number.replace('.', ',') : number;

function sharedText(value: string, texts: readonly string[]): string {
  const text = /^\d{1,9}$/.test(value) ? texts[Number(value)] : undefined;
  if (text === undefined) throw new Error('a cell names a text that is not there');
  return text;
}
