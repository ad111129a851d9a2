import type { Payee, PayeeKey } from '../../domain/payees/payee.ts';
import { payeeKeyOf, payeeKeysOf, payeeNetworkOf } from '../../domain/payees/payee-address.ts';
import type { Store } from '../../store/index.ts';
import { flagInvalid } from '../input/flag-error.ts';

/** An address as a person names it. `currency`: a currency or a network; only needed where several fit. */
export type NamedPayee = Readonly<{ address: string; currency?: string }>;

/** One address on one network. `known`: its record in the register. */
export type FoundPayee = PayeeKey & Readonly<{ written: string; known: Payee | undefined }>;

/** Finds which payee is meant, in the register or not. @throws FLAG_INVALID when none fits, or several do */
export async function findPayee(
  store: Store,
  account: string,
  { address, currency }: NamedPayee,
): Promise<FoundPayee> {
  const written = address.trim();
  const keys = currency === undefined ? payeeKeysOf(written) : [keyIn(currency, written)];
  const known = [
    ...(await store.payees.find(account, keys)),
    ...(currency === undefined ? await store.payees.withText(account, written) : []),
  ];
  const candidates = known.length > 0 ? known : keys;
  const networks = [...new Set(candidates.map(({ network }) => network))];
  const [first] = candidates;
  if (first === undefined) {
    throw flagInvalid(
      'ADDRESS',
      'is no address of a known network; for another one, give --currency',
    );
  }
  if (networks.length > 1) {
    throw flagInvalid('--currency', `is needed: the address exists on ${networks.join(' and ')}`);
  }
  return { network: first.network, address: first.address, written, known: known[0] };
}

function keyIn(currency: string, written: string): PayeeKey {
  const network = payeeNetworkOf(currency);
  if (network === undefined) throw flagInvalid('--currency', 'is no currency and no network');
  const key = payeeKeyOf(network, written);
  if (key === undefined) throw flagInvalid('ADDRESS', `is no address of ${currency}`);
  return key;
}
