import { BursarError } from '../errors/bursar-error.ts';
import { type Amount, parseAmount, subtractAmounts, ZERO } from './amount.ts';

/** Reads what {@link formatAmount} writes: as {@link parseAmount}, and a value below zero may start with "-". */
export function parseSignedAmount(text: string): Amount {
  if (!text.startsWith('-')) return parseAmount(text);
  const magnitude = parseAmount(text.slice(1));
  if (magnitude.units === 0n) throw new BursarError('AMOUNT_NOT_DECIMAL', { text });
  return subtractAmounts(ZERO, magnitude);
}
