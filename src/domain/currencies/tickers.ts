import type { Network } from './network.ts';

/** Decimals of one ticker: by network, and its own network when the currency names none. */
export type Ticker = Readonly<{
  home?: Network;
  decimals: Readonly<Partial<Record<Network, number>>>;
}>;

/**
 * ASSUMED: the decimals of each currency. The specification shows no scale; these are the scales of the coins and token
 * contracts themselves. A ticker or network that is not here is a finding, and up to 18 decimals are accepted.
 */
export const TICKERS: ReadonlyMap<string, Ticker> = new Map<string, Ticker>([
  ['BTC', { home: 'bitcoin', decimals: { bitcoin: 8, bsc: 18 } }],
  ['LTC', { home: 'litecoin', decimals: { litecoin: 8, bsc: 18 } }],
  ['DOGE', { home: 'dogecoin', decimals: { dogecoin: 8, bsc: 8 } }],
  ['BCH', { home: 'bitcoinCash', decimals: { bitcoinCash: 8, bsc: 18 } }],
  ['XRP', { home: 'xrp', decimals: { xrp: 6, bsc: 18 } }],
  ['TRX', { home: 'tron', decimals: { tron: 6 } }],
  ['SOL', { home: 'solana', decimals: { solana: 9 } }],
  ['TON', { home: 'ton', decimals: { ton: 9 } }],
  ['ETH', { home: 'ethereum', decimals: onEvm(18) }],
  ['BNB', { home: 'bsc', decimals: { bsc: 18 } }],
  ['POL', { home: 'polygon', decimals: { polygon: 18, ethereum: 18 } }],
  ['MATIC', { home: 'polygon', decimals: { polygon: 18, ethereum: 18 } }],
  ['AVAX', { home: 'avalanche', decimals: { avalanche: 18 } }],
  ['AVAXC', { home: 'avalanche', decimals: { avalanche: 18 } }],
  ['ARB', { home: 'arbitrum', decimals: { arbitrum: 18, ethereum: 18 } }],
  ['OP', { home: 'optimism', decimals: { optimism: 18 } }],
  ['USDT', { decimals: { ...onEvm(6), bsc: 18, tron: 6, solana: 6, ton: 6 } }],
  ['USDC', { decimals: { ...onEvm(6), bsc: 18, tron: 6, solana: 6 } }],
  ['DAI', { decimals: onEvm(18) }],
  ['BUSD', { decimals: { bsc: 18, ethereum: 18 } }],
  ['TUSD', { decimals: { ethereum: 18, bsc: 18, tron: 18 } }],
  ['USDD', { decimals: { tron: 18, ethereum: 18, bsc: 18 } }],
  ['WBTC', { decimals: { ethereum: 8, polygon: 8, arbitrum: 8, optimism: 8, tron: 8 } }],
]);

function onEvm(decimals: number): Record<EvmNetwork, number> {
  return {
    ethereum: decimals,
    bsc: decimals,
    polygon: decimals,
    arbitrum: decimals,
    optimism: decimals,
    base: decimals,
    avalanche: decimals,
  };
}

type EvmNetwork = 'ethereum' | 'bsc' | 'polygon' | 'arbitrum' | 'optimism' | 'base' | 'avalanche';
