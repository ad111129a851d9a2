/** Digits in groups of three: `1,000,000`. */
export const groupDigits = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A count as people read it: 1,000,000. Never for amounts. */
export const withCommas = (count: number): string => groupDigits(String(count));

/** A count with its noun: `1 row`, `1,000 rows`. `many` is the plural where it is not the noun with an s. */
export const counted = (count: number, noun: string, many = `${noun}s`): string =>
  `${withCommas(count)} ${count === 1 ? noun : many}`;
