import { type Network, networkNamed } from './network.ts';
import { TICKERS } from './tickers.ts';

/** The facts about a currency. `network` and `decimals` are missing when they are unknown. */
export type CurrencyInfo = Readonly<{ ticker: string; network?: Network; decimals?: number }>;

/** Digits after the point that are accepted where the decimals of a currency are unknown. */
export const DECIMALS_UNKNOWN_MAX = 18;

/** ASSUMED: how a currency is written, from the two forms that the specification shows. */
const CURRENCY = /^([A-Z0-9]{1,20})(?:_([A-Z0-9]{1,20}))?$/;

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
