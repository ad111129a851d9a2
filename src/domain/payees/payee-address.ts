import { currencyInfo, isCurrency } from '../currencies/currency-info.ts';
import { type Network, NETWORKS, networkNamed } from '../currencies/network.ts';
import { checkAddressCell } from '../rows/row-rules-address.ts';
import { sha256Hex } from '../sending/identity.ts';
import { addressHash } from '../plan/row-print.ts';
import type { Hash } from '../plan/print-hash.ts';
import type { PayeeKey } from './payee.ts';

/** One network of each family. All networks of a family have the same addresses. */
const NETWORK_OF_FAMILY: ReadonlyMap<string, Network> = new Map(
  (Object.keys(NETWORKS) as Network[])
    .toReversed()
    .map((network) => [NETWORKS[network].family, network] as const),
);

const familyOf = (network: Network): string => NETWORKS[network].family;

/**
 * The network of a payee for a currency (`USDT_TRC20`), the name of a network (`TRC20`) or of a family (`tron`), in any
 * case. An unknown network is its currency. Undefined: the text is none of them.
 */
export function payeeNetworkOf(text: string): string | undefined {
  const given = text.trim();
  const family = [...NETWORK_OF_FAMILY.keys()].find(
    (one) => one.toLowerCase() === given.toLowerCase(),
  );
  if (family !== undefined) return family;
  const currency = given.toUpperCase();
  const network = currencyInfo(currency).network ?? networkNamed(currency);
  if (network !== undefined) return familyOf(network);
  return isCurrency(currency) ? currency : undefined;
}

/** The network of the payees of rows in a currency. */
export function payeeNetworkOfRows(currency: string): string {
  const { network } = currencyInfo(currency);
  return network === undefined ? currency : familyOf(network);
}

/** The name of an address on the network of a payee; undefined: no such address can be paid there. */
export function payeeKeyOf(network: string, written: string): PayeeKey | undefined {
  const checked = checkAddressCell(written, NETWORK_OF_FAMILY.get(network));
  return checked.ok ? { network, address: checked.canonical } : undefined;
}

/** The names of an address on every known family of networks that has such addresses. */
export const payeeKeysOf = (written: string): PayeeKey[] =>
  [...NETWORK_OF_FAMILY.keys()].flatMap((network) => payeeKeyOf(network, written) ?? []);

/** The text that the hashes of a network's payees are seeded with. */
export const payeeSpace = (network: string): string =>
  NETWORK_OF_FAMILY.has(network) ? `family ${network}` : `currency ${network}`;

/** The hash of a payee's address in the fingerprints of rows. */
export const payeeHash = ({ network, address }: PayeeKey): Hash =>
  addressHash(payeeSpace(network), address);

/** The short name of a payee in the audit log, which keeps no address: 16 hex digits. */
export const payeeIdOf = (account: string, { network, address }: PayeeKey): string =>
  sha256Hex(JSON.stringify(['bursar-payee/v1', account, network, address])).slice(0, 16);
