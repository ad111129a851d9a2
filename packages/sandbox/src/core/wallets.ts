import { createHash } from 'node:crypto';
import { addressOf, BLOCKCHAINS, type Blockchain } from './blockchains.ts';

/** A settlement wallet. Spec: "Settlement wallets". */
export type SandboxWallet = Readonly<{
  account: string;
  address: string;
  blockchain: Blockchain;
  name: string;
  /**
   * ASSUMED: the spec does not connect the balances of wallets with those of the account. Here the
   * first wallet of a blockchain holds everything that the account has on it. The others are empty.
   */
  holdsBalances: boolean;
}>;

/**
 * Returns the first wallets of an account, one for each blockchain. The same account always gets
 * the same ones.
 */
export const firstWallets = (account: string): readonly SandboxWallet[] =>
  BLOCKCHAINS.map((blockchain, at) => ({
    account,
    blockchain,
    address: walletAddress(account, blockchain, at + 1),
    name: `Main ${blockchain}`,
    holdsBalances: true,
  }));

/**
 * Returns the address of a wallet that no one has the key of. `ordinal` counts the wallets of an
 * account from 1.
 */
export const walletAddress = (account: string, blockchain: Blockchain, ordinal: number): string =>
  addressOf(
    blockchain,
    createHash('sha256').update(`wallet ${ordinal} of ${account} on ${blockchain}`).digest(),
  );
