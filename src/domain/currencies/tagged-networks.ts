import type { CurrencyInfo } from './currency-info.ts';
import type { Network } from './network.ts';

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
