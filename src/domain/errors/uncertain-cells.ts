/** A kind of value, why it is not certain, and the next step for a person. */
type Uncertainty = Readonly<{ is: string; why: string; fix: string }>;

/** How a cell of a sheet is not certain. */
const UNCERTAIN = {
  formula: {
    is: 'a formula',
    why: 'Its result changes with other cells, so it is not a fixed value.',
    fix: 'Copy the column and paste it as values.',
  },
  date: {
    is: 'a date',
    why: 'A spreadsheet stores a date as a number of days, and shows another text.',
    fix: 'Format the column as text, and type the value again.',
  },
  boolean: {
    is: 'TRUE or FALSE',
    why: 'No column of a payment has this value.',
    fix: 'Format the column as text, and type the value again.',
  },
  error: {
    is: 'the error of a formula',
    why: 'The spreadsheet could not calculate it.',
    fix: 'Correct the formula, then copy the column and paste it as values.',
  },
  exponent: {
    is: 'a number in scientific notation',
    why: 'Such a number may have lost digits.',
    fix: 'Format the column as text, and type the number in full.',
  },
  format: {
    is: 'a number that its format shows as another number',
    why: 'A percentage, or a number in thousands, is not what the sheet shows.',
    fix: 'Format the column as text, and type the amount to pay.',
  },
  digits: {
    is: 'a number with more than 15 digits',
    why: 'A spreadsheet keeps 15 digits of a number. Others may be lost.',
    fix: 'Format the column as text, and type the value again.',
  },
  noise: {
    is: 'the inexact result of a calculation',
    why: 'Amounts are never rounded: a rounded payout is a wrong payout.',
    fix: 'Round it in the spreadsheet, format the column as text, and type the number.',
  },
} as const satisfies Record<string, Uncertainty>;

export type UncertainKind = keyof typeof UNCERTAIN;

/** Returns the texts about a kind. A later version may have stored one that this version does not have. */
export const uncertainty = (kind: UncertainKind): Uncertainty =>
  (UNCERTAIN as Partial<Record<string, Uncertainty>>)[kind] ?? {
    is: `an uncertain value (${kind})`,
    why: 'Only text and plain numbers are read.',
    fix: 'Format the column as text, and type the value again.',
  };
