import type { CurrencyInfo } from './currency-info.ts';
import { mainNameOf, type Network } from './network.ts';
import { TICKERS } from './tickers.ts';

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
  const networks = Object.keys(known.decimals) as Network[];
  const name = currency.slice(info.ticker.length + 1);
  const rankOf = (network: Network): number => {
    if (name !== '' && beginAlike(name, mainNameOf(network))) return -1;
    return USUAL.includes(network) ? USUAL.indexOf(network) : USUAL.length;
  };
  const alternatives = networks
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, ALTERNATIVES_MAX)
    .map((network) =>
      known.home === network ? info.ticker : `${info.ticker}_${mainNameOf(network)}`,
    );
  return { ...info, alternatives };
}

const beginAlike = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);
