/** Digits after the point that an amount here may have. */
const SCALE = 18;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Reads decimal text in units of 10^-18. A reader of its own: the engine's must not say what its own amounts mean. Throws. */
export function unitsOf(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (sign === undefined || fraction.length > SCALE) throw new Error(`"${text}" is no amount`);
  return BigInt(`${sign}${whole}${fraction.padEnd(SCALE, '0')}`);
}

/** Plain decimal text, without zeros at the end of the fraction. */
export function textOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/, '');
  const text = `${digits.slice(0, -SCALE)}${fraction === '' ? '' : `.${fraction}`}`;
  return units < 0n ? `-${text}` : text;
}

export const sumOf = (amounts: Iterable<string>): bigint => {
  let sum = 0n;
  for (const amount of amounts) sum += unitsOf(amount);
  return sum;
};
