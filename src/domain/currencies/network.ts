/** The supported networks. Another network is a finding, never an error. */
export const NETWORKS = {
  ethereum: { title: 'Ethereum', family: 'evm' },
  bsc: { title: 'BNB Smart Chain', family: 'evm' },
  polygon: { title: 'Polygon', family: 'evm' },
  arbitrum: { title: 'Arbitrum', family: 'evm' },
  optimism: { title: 'Optimism', family: 'evm' },
  base: { title: 'Base', family: 'evm' },
  avalanche: { title: 'Avalanche C-Chain', family: 'evm' },
  tron: { title: 'TRON', family: 'tron' },
  solana: { title: 'Solana', family: 'solana' },
  ton: { title: 'TON', family: 'ton' },
  bitcoin: { title: 'Bitcoin', family: 'bitcoin' },
  litecoin: { title: 'Litecoin', family: 'litecoin' },
  dogecoin: { title: 'Dogecoin', family: 'dogecoin' },
  bitcoinCash: { title: 'Bitcoin Cash', family: 'bitcoinCash' },
  xrp: { title: 'XRP Ledger', family: 'xrp' },
} as const;

export type Network = keyof typeof NETWORKS;

/** Networks of one family share one form of address. */
export type NetworkFamily = (typeof NETWORKS)[Network]['family'];

/**
 * ASSUMED: the names of networks behind the `_` of a currency. The specification shows the form `<TICKER>_<NETWORK>`
 * and not the list of allowed values; these are the names in common use.
 */
const NETWORK_NAMES: Readonly<Record<Network, readonly string[]>> = {
  ethereum: ['ERC20', 'ETH', 'ETHEREUM'],
  bsc: ['BEP20', 'BSC', 'BNB'],
  polygon: ['POLYGON', 'MATIC', 'POL'],
  arbitrum: ['ARB', 'ARBITRUM', 'ARBONE'],
  optimism: ['OP', 'OPTIMISM'],
  base: ['BASE'],
  avalanche: ['AVAXC', 'AVAX', 'AVALANCHE'],
  tron: ['TRC20', 'TRX', 'TRON'],
  solana: ['SOL', 'SPL', 'SOLANA'],
  ton: ['TON'],
  bitcoin: ['BTC', 'BITCOIN'],
  litecoin: ['LTC', 'LITECOIN'],
  dogecoin: ['DOGE', 'DOGECOIN'],
  bitcoinCash: ['BCH', 'BITCOINCASH'],
  xrp: ['XRP', 'XRPL', 'RIPPLE'],
};

const NETWORK_BY_NAME: ReadonlyMap<string, Network> = new Map(
  (Object.keys(NETWORK_NAMES) as Network[]).flatMap((network) =>
    NETWORK_NAMES[network].map((name) => [name, network] as const),
  ),
);

/** The name of a network that stands for all of its names. */
export const mainNameOf = (network: Network): string => NETWORK_NAMES[network][0] ?? network;

/** The network of the part behind `_` of a currency; undefined when it is not in the list. */
export const networkNamed = (name: string): Network | undefined => NETWORK_BY_NAME.get(name);
