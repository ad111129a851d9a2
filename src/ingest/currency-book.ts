import { type CurrencyInfo, currencyInfo, isCurrency } from '../domain/currencies/currency-info.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { detached } from './detached.ts';
import { CURRENCIES_MAX } from './limits.ts';

/**
 * Looks currencies up, each once. Returns undefined for a text that is no currency. Throws FILE_TOO_MANY_CURRENCIES:
 * each currency of a file keeps one chunk open.
 */
export function createCurrencyBook(
  file: string,
): (text: string, line: number) => CurrencyInfo | undefined {
  const infos = new Map<string, CurrencyInfo>();
  return (text, line) => {
    const known = infos.get(text);
    if (known !== undefined || !isCurrency(text)) return known;
    if (infos.size === CURRENCIES_MAX) {
      throw new BursarError('FILE_TOO_MANY_CURRENCIES', { file, max: CURRENCIES_MAX, line });
    }
    const currency = detached(text);
    const info = currencyInfo(currency);
    infos.set(currency, info);
    return info;
  };
}
