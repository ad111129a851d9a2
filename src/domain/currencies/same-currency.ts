import { currencyInfo } from './currency-info.ts';
import { mainNameOf } from './network.ts';
import { TICKERS } from './tickers.ts';

/**
 * The one name of a currency among all that mean the same, as `USDT_TRC20` for `USDT_TRX`: a coin on its own network has
 * none behind its ticker. A currency whose network is not known is its own name. Nothing is ever sent under it: what the
 * service is told is what the file says.
 */
export function mainCurrency(currency: string): string {
  const { ticker, network } = currencyInfo(currency);
  if (network === undefined) return currency;
  return TICKERS.get(ticker)?.home === network ? ticker : `${ticker}_${mainNameOf(network)}`;
}

/** Whether both mean the same money, though one may be written otherwise. */
export const isSameCurrency = (a: string, b: string): boolean =>
  a === b || mainCurrency(a) === mainCurrency(b);
