import { type CurrencyInfo, currencyInfo, isCurrency } from '../domain/currencies/currency-info.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { detached } from './detached.ts';
import { CURRENCIES_MAX } from './limits.ts';

/**
 * Returns a function from text to currency, which reads each currency once.
 * It returns undefined for a text that is not a currency.
 * @throws FILE_TOO_MANY_CURRENCIES, because each currency of a file keeps one chunk open.
 */
export function createCurrencyCache(
  file: string,
): (text: string, line: number) => CurrencyInfo | undefined {
  const infos = new Map<string, CurrencyInfo>();
  return (text, line) => {
    const cached = infos.get(text);
    if (cached !== undefined || !isCurrency(text)) return cached;
    if (infos.size === CURRENCIES_MAX) {
      throw new BursarError('FILE_TOO_MANY_CURRENCIES', { file, max: CURRENCIES_MAX, line });
    }
    const currency = detached(text);
    const info = currencyInfo(currency);
    infos.set(currency, info);
    return info;
  };
}
