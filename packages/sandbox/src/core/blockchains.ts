import { base58 } from '@scure/base';
import { encodeAddress } from './base58.ts';
import { keccak256 } from './keccak.ts';

/**
 * ASSUMED: the spec shows neither the names of blockchains nor the currencies.
 * `coin` is the blockchain's own currency. `networks` are the suffixes behind the `_` of its other
 * currencies.
 */
const BLOCKCHAIN_FACTS = {
  BITCOIN: { coin: 'BTC', networks: [] },
  BSC: { coin: 'BNB', networks: ['BEP20', 'BSC'] },
  DOGECOIN: { coin: 'DOGE', networks: [] },
  ETHEREUM: { coin: 'ETH', networks: ['ERC20', 'ETH'] },
  LITECOIN: { coin: 'LTC', networks: [] },
  POLYGON: { coin: 'POL', networks: ['POLYGON', 'MATIC'] },
  SOLANA: { coin: 'SOL', networks: ['SPL', 'SOL'] },
  TRON: { coin: 'TRX', networks: ['TRC20', 'TRX'] },
} as const satisfies Record<string, Readonly<{ coin: string; networks: readonly string[] }>>;

export type Blockchain = keyof typeof BLOCKCHAIN_FACTS;

export const BLOCKCHAINS = Object.keys(BLOCKCHAIN_FACTS) as readonly Blockchain[];

/** ASSUMED: a currency with an unknown suffix lives on this blockchain. */
const BLOCKCHAIN_OF_OTHERS: Blockchain = 'ETHEREUM';

const BY_COIN = new Map<string, Blockchain>(
  BLOCKCHAINS.map((name) => [BLOCKCHAIN_FACTS[name].coin, name]),
);
const BY_NETWORK = new Map<string, Blockchain>(
  BLOCKCHAINS.flatMap((name) =>
    BLOCKCHAIN_FACTS[name].networks.map((network) => [network, name] as const),
  ),
);

/** Returns the blockchain of a currency, `<TICKER>` or `<TICKER>_<NETWORK>`. */
export function blockchainOf(currency: string): Blockchain {
  const [ticker = '', network] = currency.split('_');
  const known = network === undefined ? BY_COIN.get(ticker) : BY_NETWORK.get(network);
  return known ?? BLOCKCHAIN_OF_OTHERS;
}

/** Whether a currency is a token: any currency but the blockchain's own. */
export const isToken = (currency: string): boolean => !BY_COIN.has(currency);

/**
 * Returns a valid address with the checksum of its blockchain. `bytes` are 32 bytes of any content.
 */
export function addressOf(blockchain: Blockchain, bytes: Buffer): string {
  const payload = bytes.subarray(0, 20);
  switch (blockchain) {
    case 'BITCOIN':
      return encodeAddress({ version: 0x00, payload });
    case 'LITECOIN':
      return encodeAddress({ version: 0x30, payload });
    case 'DOGECOIN':
      return encodeAddress({ version: 0x1e, payload });
    case 'TRON':
      return encodeAddress({ version: 0x41, payload });
    case 'SOLANA':
      return base58.encode(bytes);
    case 'BSC':
    case 'ETHEREUM':
    case 'POLYGON':
      return withChecksum(payload.toString('hex'));
  }
}

/**
 * Returns the address of 40 hexadecimal digits with the checksum of EIP-55, which is the case of
 * its letters.
 */
function withChecksum(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = keccak256(Buffer.from(lower, 'ascii')).toString('hex');
  const cased = [...lower].map((digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}
