import { type Network, networkNamed } from './network.ts';
import { TICKERS } from './tickers.ts';

/**
 * The facts about a currency. `network` and `decimals` are missing when they are unknown. `alternatives`: see
 * `withAlternatives`.
 */
export type CurrencyInfo = Readonly<{
  ticker: string;
  network?: Network;
  decimals?: number;
  alternatives?: readonly string[];
}>;

/** Digits after the point that are accepted where the decimals of a currency are unknown. */
export const DECIMALS_UNKNOWN_MAX = 18;

/** ASSUMED: how a currency is written, from the two forms that the specification shows. */
export const CURRENCY = /^([A-Z0-9]{1,20})(?:_([A-Z0-9]{1,20}))?$/;

export const isCurrency = (text: string): boolean => CURRENCY.test(text);

/** Splits a currency and looks its parts up. A text that is no currency comes back as an unknown ticker. */
export function currencyInfo(currency: string): CurrencyInfo {
  const [, ticker = currency, networkName] = CURRENCY.exec(currency) ?? [];
  const known = TICKERS.get(ticker);
  const network = networkName === undefined ? known?.home : networkNamed(networkName);
  const decimals = network === undefined ? undefined : known?.decimals[network];
  return {
    ticker,
    ...(network === undefined ? {} : { network }),
    ...(decimals === undefined ? {} : { decimals }),
  };
}

/** Whether addresses and decimals of the currency can be checked. */
export const isFullyKnown = (info: CurrencyInfo): boolean =>
  info.network !== undefined && info.decimals !== undefined;

/** Supported networks on which exchanges identify their customers by a tag or memo. */
const KNOWN: readonly (Network | undefined)[] = ['xrp', 'ton'];

/**
 * Further networks of that kind, known by name alone. Most are of the Cosmos family, in which every payment has a memo;
 * the names are those of their coins, and other usual names.
 */
const UNKNOWN: ReadonlySet<string> = new Set([
  ...['XLM', 'STELLAR', 'HBAR', 'HEDERA', 'STX', 'STACKS', 'XEM', 'NEM'],
  ...['EOS', 'VAULTA', 'WAX', 'WAXP', 'HIVE', 'STEEM', 'IOST'],
  ...['ATOM', 'COSMOS', 'OSMO', 'OSMOSIS', 'KAVA', 'INJ', 'INJECTIVE', 'TIA', 'CELESTIA'],
  ...['LUNA', 'TERRA', 'LUNC', 'RUNE', 'THORCHAIN', 'AXL', 'AXELAR', 'BAND', 'DYDX'],
]);

/** Whether exchanges need a tag or memo for this currency. A coin stands for its own network. */
export const mayNeedTag = (currency: string, { network }: CurrencyInfo): boolean =>
  network === undefined
    ? UNKNOWN.has(currency.slice(currency.lastIndexOf('_') + 1))
    : KNOWN.includes(network);
