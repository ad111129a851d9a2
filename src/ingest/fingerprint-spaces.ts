import { type PrintSpace, printSpaceOf } from '../domain/plan/row-print.ts';
import { detached } from './detached.ts';

/** Returns the fingerprint space of a currency. Each is made once. */
export type FingerprintSpaces = (currency: string) => PrintSpace;

export function createFingerprintSpaces(): FingerprintSpaces {
  const spaces = new Map<string, PrintSpace>();
  return (currency) => {
    const existing = spaces.get(currency);
    if (existing !== undefined) return existing;
    const space = printSpaceOf(detached(currency));
    spaces.set(space.currency, space);
    return space;
  };
}
