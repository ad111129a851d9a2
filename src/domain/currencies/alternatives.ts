import type { CurrencyInfo } from './currency-info.ts';
import { mainNameOf, type Network } from './network.ts';
import { type Ticker, TICKERS } from './tickers.ts';

/** Networks on which most payments are made, before others. */
const USUAL: readonly Network[] = ['tron', 'ethereum', 'bsc', 'solana', 'polygon', 'ton'];

/** Alternatives that a person can compare. */
const ALTERNATIVES_MAX = 3;

/**
 * Adds the known currencies with the same ticker to the facts about a currency of an unknown network: one whose network
 * begins alike first, then the usual ones. A person decides whether one of them is meant.
 */
export function withAlternatives(currency: string, info: CurrencyInfo): CurrencyInfo {
  const known = info.network === undefined ? TICKERS.get(info.ticker) : undefined;
  if (known === undefined) return info;
  const name = currency.slice(info.ticker.length + 1);
  const rankOf = (network: Network): number =>
    name !== '' && beginAlike(name, mainNameOf(network)) ? -1 : usualRankOf(network);
  const alternatives = currenciesOf(info.ticker, known, rankOf).slice(0, ALTERNATIVES_MAX);
  return { ...info, alternatives };
}

/** Every currency whose decimals are known, by ticker; those of the usual networks come first. */
export const knownCurrencies = (): string[] =>
  [...TICKERS].flatMap(([ticker, known]) => currenciesOf(ticker, known, usualRankOf));

const usualRankOf = (network: Network): number =>
  USUAL.includes(network) ? USUAL.indexOf(network) : USUAL.length;

const currenciesOf = (
  ticker: string,
  { home, decimals }: Ticker,
  rankOf: (network: Network) => number,
): string[] =>
  (Object.keys(decimals) as Network[])
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((network) => (home === network ? ticker : `${ticker}_${mainNameOf(network)}`));

const beginAlike = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);
