import { createHash } from 'node:crypto';
import { addressOf, BLOCKCHAINS, type Blockchain } from './blockchains.ts';

/** A settlement wallet. Spec: "Settlement wallets". */
export type SandboxWallet = Readonly<{
  account: string;
  address: string;
  blockchain: Blockchain;
  name: string;
  /**
   * ASSUMED: the spec does not say how a wallet's balances belong to those of its account. The
   * first wallet of a blockchain holds all that the account has on it; the others are empty.
   */
  holdsBalances: boolean;
}>;

/**
 * The wallets that an account has from the start, one for each blockchain; the same for the same
 * account, always.
 */
export const firstWallets = (account: string): readonly SandboxWallet[] =>
  BLOCKCHAINS.map((blockchain, at) => ({
    account,
    blockchain,
    address: walletAddress(account, blockchain, at + 1),
    name: `Main ${blockchain}`,
    holdsBalances: true,
  }));

/** `ordinal` counts the wallets of an account from 1. Nobody has the key of such an address. */
export const walletAddress = (account: string, blockchain: Blockchain, ordinal: number): string =>
  addressOf(
    blockchain,
    createHash('sha256').update(`wallet ${ordinal} of ${account} on ${blockchain}`).digest(),
  );
