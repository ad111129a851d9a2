/** Exact sums in another way than the code under test: whole numbers of 10 ** -36. */
const SCALE = 36;

export function toUnits(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error(`${text} is not a plain decimal.`);
  const [, sign, whole = '', fraction = ''] = match;
  return BigInt(`${sign}${whole}${fraction.padEnd(SCALE, '0')}`);
}

export const total = (texts: readonly string[]): bigint =>
  texts.reduce((so, text) => so + toUnits(text), 0n);
