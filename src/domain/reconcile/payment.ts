import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { checkAddress } from '../addresses/check-address.ts';
import { currencyInfo } from '../currencies/currency-info.ts';
import { type Network, NETWORKS } from '../currencies/network.ts';
import { KEY_WORDS } from './key-table.ts';

/** Who is paid, in one text for every way to write the address: `tron TBZF...`. */
export type Destination = string;

/** The payment of a row or of a transaction. The amount is canonical decimal text. */
export type Payment = Readonly<{ currency: string; destination: Destination; amount: string }>;

/**
 * The destination of an address on the network of a currency. On unknown networks each text is a destination of its
 * own.
 */
export function destinationOf(address: string, currency: string): Destination {
  const { network } = currencyInfo(currency);
  return (network && destinationOn(address, network)) ?? `? ${address}`;
}

/** The destination of an address that is one of the network; undefined otherwise. */
function destinationOn(address: string, network: Network): Destination | undefined {
  const check = checkAddress(address, network);
  return check.ok ? `${NETWORKS[network].family} ${check.canonical}` : undefined;
}

export const keyOfDestination = (destination: Destination): Int32Array => keyOf(destination);

export const keyOfPayment = ({ currency, destination, amount }: Payment): Int32Array =>
  keyOf(`${currency}\n${amount}\n${destination}`);

function keyOf(text: string): Int32Array {
  const hash = sha256(utf8ToBytes(text));
  return new Int32Array(hash.buffer, hash.byteOffset, KEY_WORDS);
}

/** The names of a transaction: the currency of a batch, if it is one of them, and the recipient. */
export type Named = Readonly<{ currency: string | undefined; destination: Destination }>;

/**
 * Reads how transactions name the currencies of a batch. ASSUMED: the spec does not state whether a transaction in
 * USDT_TRC20 is listed under that name, under another name of the network, or as USDT. The same name counts first, then
 * the same ticker on the same network, then the ticker alone, if the address can belong to one of its networks only.
 */
export function createNameReader(
  currencies: readonly string[],
): (name: string, address: string) => Named {
  const infos = currencies.map((currency) => ({ currency, ...currencyInfo(currency) }));
  const networks = new Set(infos.flatMap(({ network }) => network ?? []));
  const pays = (address: string, network: Network | undefined): boolean =>
    network === undefined || destinationOn(address, network) !== undefined;

  const currencyOf = (name: string, address: string): string | undefined => {
    const upper = name.toUpperCase();
    const same = infos.find(({ currency }) => currency.toUpperCase() === upper);
    if (same !== undefined) return same.currency;
    const named = currencyInfo(upper);
    const isBare = !upper.includes('_');
    const fitting = infos.filter(
      ({ ticker, network }) =>
        ticker === named.ticker &&
        (isBare ? pays(address, network) : network !== undefined && network === named.network),
    );
    return fitting.length === 1 ? fitting[0]?.currency : undefined;
  };

  return (name, address) => {
    const currency = currencyOf(name, address);
    if (currency !== undefined) return { currency, destination: destinationOf(address, currency) };
    const { network } = currencyInfo(name.toUpperCase());
    const likely = network === undefined ? [...networks] : [network, ...networks];
    for (const each of likely) {
      const destination = destinationOn(address, each);
      if (destination !== undefined) return { currency, destination };
    }
    return { currency, destination: `? ${address}` };
  };
}
