import { withAlternatives } from './alternatives.ts';
import { currencyInfo, isFullyKnown } from './currency-info.ts';

/** The currencies whose addresses or decimals cannot be checked. */
export const unknownCurrencies = (currencies: readonly string[]): string[] =>
  currencies.filter((currency) => !isFullyKnown(currencyInfo(currency)));

/** The known currencies that an unknown one may mean, in words; empty where there is none. */
export const meantBy = (currency: string): string =>
  (withAlternatives(currency, currencyInfo(currency)).alternatives ?? []).join(' or ');
