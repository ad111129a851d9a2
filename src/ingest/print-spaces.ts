import { type PrintSpace, printSpaceOf } from '../domain/plan/row-print.ts';
import { detached } from './detached.ts';

/** Gives the space of a currency; each is made once. */
export type PrintSpaces = (currency: string) => PrintSpace;

export function createPrintSpaces(): PrintSpaces {
  const spaces = new Map<string, PrintSpace>();
  return (currency) => {
    const known = spaces.get(currency);
    if (known !== undefined) return known;
    const space = printSpaceOf(detached(currency));
    spaces.set(space.currency, space);
    return space;
  };
}
