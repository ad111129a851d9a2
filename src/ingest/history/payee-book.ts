import type { Payee } from '../../domain/payees/payee.ts';
import { payeeHash } from '../../domain/payees/payee-address.ts';
import { magnitudeOf } from '../../domain/plan/magnitude.ts';
import type { PayeeRules } from '../../domain/plan/rules.ts';
import { createPairTable } from './pair-table.ts';

/** The register of payees, by the hashes of addresses in the fingerprints of rows. */
export type PayeeBook = Readonly<{
  isEmpty: boolean;
  /** Whether an address is in the register, and not denied. */
  isListed(low: number, high: number): boolean;
  /** Who denied an address, and why; undefined: no person did. */
  denialOf(low: number, high: number): string | undefined;
}>;

/** The value of a listed payee. That of a denied one is above it, by the number of its denial. */
const LISTED = 1;

/** Payees that a small register has; the table grows. */
const PAYEES_EXPECTED = 1_000;

/** Reads a register into memory: about 16 bytes for each payee, and the reasons of denials. */
export async function readPayeeBook(payees: AsyncIterable<Payee>): Promise<PayeeBook> {
  const table = createPairTable(PAYEES_EXPECTED);
  const denials: string[] = [];
  let isEmpty = true;
  for await (const payee of payees) {
    const { low, high } = payeeHash(payee);
    const { decision } = payee;
    isEmpty = false;
    if (decision?.kind === 'DENIED') {
      denials.push(`denied by ${decision.by}: ${decision.reason}`);
      table.putIfAbsent(low, high, LISTED + denials.length);
    } else {
      table.putIfAbsent(low, high, LISTED);
    }
  }
  return {
    isEmpty,
    isListed: (low, high) => table.get(low, high) === LISTED,
    denialOf: (low, high) => denials[table.get(low, high) - LISTED - 1],
  };
}

/** The register of an account that has none. */
export const NO_PAYEES: PayeeBook = {
  isEmpty: true,
  isListed: () => false,
  denialOf: () => undefined,
};

/** Whether a row of a currency must pay a known address. Amounts are magnitudes. */
export type NeedsKnownPayee = (
  row: Readonly<{ magnitude: number; largestBefore: number }>,
) => boolean;

/**
 * Returns the rule for the rows of a currency; undefined: there is none. Fingerprints have seven digits of an amount, so an
 * amount that exceeds the limit in a later digit alone counts as equal to it.
 */
export function knownPayeeRule(
  rules: PayeeRules | undefined,
  currency: string,
): NeedsKnownPayee | undefined {
  const limits = (rules?.knownAbove ?? []).filter((limit) => limit.currency === currency);
  if (rules === undefined || limits.length === 0) return undefined;
  const lowest = Math.min(...limits.map(({ amount }) => limitOf(amount)));
  return ({ magnitude, largestBefore }) =>
    magnitude > lowest && !(rules.paidBefore && largestBefore > 0);
}

/** Every amount is above zero. */
const limitOf = (amount: string): number => (amount === '0' ? 0 : magnitudeOf(amount));
