import { type Decimal, formatDecimal, readDecimal } from '../core/decimal.ts';
import type { Modes } from '../core/modes.ts';
import { type ExactJsonValue, NumberLiteral } from './exact-json.ts';

type JsonObject = Readonly<Record<string, ExactJsonValue>>;

/** The form of an answer where the specification leaves it open. */
export type AnswerFormat = Readonly<{
  numbers: Modes['numbers'];
  extraFields: Modes['extraFields'];
  /** Writes an account. Null: as it was issued. */
  writeAccount: ((account: string) => string) | null;
}>;

const EXTRA_TEXT: JsonObject = { addedText: 'not documented' };

/**
 * Fields that a service may add to any object of an answer without notice. Spec: "Versioning" 3.
 */
const EXTRA_FIELDS: JsonObject = {
  ...EXTRA_TEXT,
  addedObject: { addedList: [null, true, { addedNumber: new NumberLiteral('0.5') }] },
};

/** A field whose value is an object of strings with any names. Spec: PGPermissionGroupDTO. */
const FIELD_OF_TEXTS = 'permissionData';

/**
 * Returns the answer in the form that the modes choose. With the default modes it returns the same
 * object.
 */
export function formatAnswer(value: ExactJsonValue, format: AnswerFormat): ExactJsonValue {
  const { numbers, extraFields, writeAccount } = format;
  const isPlain = numbers === 'plain' && extraFields === 'none' && writeAccount === null;
  return isPlain ? value : formatted(value, format);
}

function formatted(
  value: ExactJsonValue,
  format: AnswerFormat,
  added = EXTRA_FIELDS,
): ExactJsonValue {
  if (value instanceof NumberLiteral) {
    const isPlain = format.numbers === 'plain';
    return isPlain ? value : new NumberLiteral(formatScientific(readDecimal(value.text)));
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: ExactJsonValue) => formatted(item, format));
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    field === undefined ? undefined : formattedField(name, field, format),
  ]);
  const extra = format.extraFields === 'some' ? added : {};
  return { ...(Object.fromEntries(fields) as JsonObject), ...extra };
}

function formattedField(name: string, field: ExactJsonValue, format: AnswerFormat): ExactJsonValue {
  const isAccount = name === 'account' || name === 'accountId';
  return format.writeAccount !== null && isAccount && typeof field === 'string'
    ? format.writeAccount(field)
    : formatted(field, format, name === FIELD_OF_TEXTS ? EXTRA_TEXT : EXTRA_FIELDS);
}

/** Numbers below 10 ** -6 have an exponent. */
const PLAIN_EXPONENT_MIN = -6;

/**
 * Writes a decimal as Java's `BigDecimal.stripTrailingZeros().toString()` does: 1E-8, 1.5E+3, but 0.000001 and 1234.
 */
export function formatScientific(value: Decimal): string {
  const isNegative = value.units < 0n;
  const digits = (isNegative ? -value.units : value.units).toString();
  const stripped = digits.replace(/0+$/, '');
  const endsWithZeros = value.scale === 0 && stripped.length < digits.length;
  const exponent = digits.length - 1 - value.scale;
  if (value.units === 0n || (!endsWithZeros && exponent >= PLAIN_EXPONENT_MIN)) {
    return formatDecimal(value);
  }
  const fraction = stripped.length > 1 ? `.${stripped.slice(1)}` : '';
  const sign = exponent < 0 ? '' : '+';
  return `${isNegative ? '-' : ''}${stripped[0]}${fraction}E${sign}${exponent}`;
}
