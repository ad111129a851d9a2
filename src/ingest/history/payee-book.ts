import { payeeIdentityHash } from '../../domain/payees/identity.ts';
import type { Payee } from '../../domain/payees/payee.ts';
import { payeeHash } from '../../domain/payees/payee-address.ts';
import type { Hash } from '../../domain/plan/print-hash.ts';
import { magnitudeOf } from '../../domain/plan/magnitude.ts';
import type { PayeeRules } from '../../domain/plan/rules.ts';
import { createKnownAddresses } from './known-addresses.ts';
import { createPairTable } from './pair-table.ts';

/** The register of payees, by the hashes of addresses in the fingerprints of rows. */
export type PayeeBook = Readonly<{
  isEmpty: boolean;
  /** Whether an address is in the register, and not denied. */
  isListed(low: number, high: number): boolean;
  /** Who denied an address, and why; undefined: no person did. */
  denialOf(low: number, high: number): string | undefined;
  /** Whether it has an identity, and not at this address. Denied addresses do not count. */
  hasOthersOnly(identity: Hash, address: Hash): boolean;
  /** Whether it has another name for this address. */
  hasOtherName(name: Hash, address: Hash): boolean;
  /** Reads the register once more. */
  each(): AsyncIterable<Payee>;
}>;

/** The value of a listed payee. That of a denied one is above it, by the number of its denial. */
const LISTED = 1;

/** Payees that a small register has; the table grows. */
const PAYEES_EXPECTED = 1_000;

/**
 * Reads a register into memory: about 16 bytes for each payee, 60 more for each name, 30 for each label, and the reasons of
 * denials.
 */
export async function readPayeeBook(each: () => AsyncIterable<Payee>): Promise<PayeeBook> {
  const table = createPairTable(PAYEES_EXPECTED);
  const denials: string[] = [];
  const known = createKnownAddresses(PAYEES_EXPECTED);
  const names = createKnownAddresses(PAYEES_EXPECTED);
  let isEmpty = true;
  for await (const payee of each()) {
    const address = payeeHash(payee);
    const { low, high } = address;
    const { decision, name, network } = payee;
    if (name !== '') names.add(address, payeeIdentityHash('name', name, network));
    if (decision?.kind !== 'DENIED') {
      for (const identity of identitiesOf(payee)) known.add(identity, address);
    }
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
    hasOthersOnly: (identity, { low, high }) => {
      const listed = known.identityOf(identity.low, identity.high);
      return listed !== 0 && known.placeOf(listed, low, high) === 0;
    },
    hasOtherName: ({ low, high }, address) => {
      const listed = names.identityOf(address.low, address.high);
      return listed !== 0 && names.placeOf(listed, low, high) === 0;
    },
    each,
  };
}

/** A label may be the reference of the payee, as EMP-004. */
const identitiesOf = ({ name, labels, network }: Payee): Hash[] => [
  ...(name === '' ? [] : [payeeIdentityHash('name', name, network)]),
  ...labels.map((label) => payeeIdentityHash('reference', label, network)),
];

/** The register of an account that has none. */
export const NO_PAYEES: PayeeBook = {
  isEmpty: true,
  isListed: () => false,
  denialOf: () => undefined,
  hasOthersOnly: () => false,
  hasOtherName: () => false,
  async *each() {},
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
