import type { CurrencyInfo } from './currency-info.ts';
import type { Network } from './network.ts';

/** Networks that Bursar knows and on which exchanges tell their customers apart by a tag or memo. */
const KNOWN: readonly (Network | undefined)[] = ['xrp', 'ton'];

/**
 * Networks of the same kind of which Bursar knows no more than their names. Most are of the Cosmos family, in which every
 * payment has a memo; the names are those of their coins, and what else people call them.
 */
const UNKNOWN: ReadonlySet<string> = new Set([
  ...['XLM', 'STELLAR', 'HBAR', 'HEDERA', 'STX', 'STACKS', 'XEM', 'NEM'],
  ...['EOS', 'VAULTA', 'WAX', 'WAXP', 'HIVE', 'STEEM', 'IOST'],
  ...['ATOM', 'COSMOS', 'OSMO', 'OSMOSIS', 'KAVA', 'INJ', 'INJECTIVE', 'TIA', 'CELESTIA'],
  ...['LUNA', 'TERRA', 'LUNC', 'RUNE', 'THORCHAIN', 'AXL', 'AXELAR', 'BAND', 'DYDX'],
]);

/** Whether exchanges ask for a tag or memo where this currency is paid. A coin stands for its own network. */
export const mayNeedTag = (currency: string, { network }: CurrencyInfo): boolean =>
  network === undefined
    ? UNKNOWN.has(currency.slice(currency.lastIndexOf('_') + 1))
    : KNOWN.includes(network);
