import { currencyInfo } from './currency-info.ts';
import { mainNameOf } from './network.ts';
import { TICKERS } from './tickers.ts';

/**
 * The main name among all names of a currency, as `USDT_TRC20` for `USDT_TRX`: a coin on its own network has none
 * behind its ticker. A currency of an unknown network is its own main name. The main name is never sent: the service
 * receives the name in the file.
 */
export function mainCurrency(currency: string): string {
  const { ticker, network } = currencyInfo(currency);
  if (network === undefined) return currency;
  return TICKERS.get(ticker)?.home === network ? ticker : `${ticker}_${mainNameOf(network)}`;
}

/** Whether both are the same money, though one may be written otherwise. */
export const isSameCurrency = (a: string, b: string): boolean =>
  a === b || mainCurrency(a) === mainCurrency(b);
