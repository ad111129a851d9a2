/** More decimal places than any amount has. */
const PLACES = 40;

/**
 * A plain decimal text as an integer of units of 10^-40. The oracle's own reading of money: were it the engine's, a wrong sum
 * would agree with itself. Throws when the text is anything else.
 */
export function exactUnits(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,40}))?$/.exec(text) ?? [];
  if (sign === undefined) throw new Error(`no plain decimal: ${text}`);
  const units = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -units : units;
}
