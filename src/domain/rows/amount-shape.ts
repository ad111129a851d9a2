const MONTH = 'jan|feb|m[aä]r|mrz|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]';

/** The forms that 5.11 or 11/26 get in a cell that a spreadsheet takes for a date. */
const DATE = new RegExp(
  `^(?:\\d{1,4}([-/.])\\d{1,2}\\1\\d{1,4}|\\d{1,2}[-/. ]{1,2}(?:${MONTH})[a-z]*.?(?:[- ]?\\d{2,4})?|(?:${MONTH})[a-z]*.?[- ]?\\d{1,4}|\\d{1,2}/\\d{1,4})$`,
  'i',
);

/** Shapes of text that are often written for an amount and are no plain decimal. */
const SHAPES = {
  empty: /^$/,
  scientific: /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i,
  comma: /^\d+,\d+$/,
  thousands: /^\d{1,3}(?:[,.' ]\d{3})+(?:[.,]\d+)?$/,
  apostrophe: /^'/,
  hashes: /^#+$/,
  formula: /^#/,
  date: DATE,
  noZero: /^\.\d+$/,
  noDecimals: /^\d+\.$/,
  currency: /^\$|\d ?[A-Za-z]{3,5}$/,
  sign: /^[+-]/,
  zeros: /^0\d/,
} as const satisfies Record<string, RegExp>;

/** The shape of a text that stands in the place of an amount; `other`: none of the known ones. */
export type AmountShape = keyof typeof SHAPES | 'other';

const KNOWN = Object.entries(SHAPES) as [keyof typeof SHAPES, RegExp][];

/** The first shape that fits the text. */
export const amountShapeOf = (text: string): AmountShape =>
  KNOWN.find(([, shape]) => shape.test(text))?.[0] ?? 'other';
