import { z } from 'zod';
import { BLOCKCHAINS } from '../../core/blockchains.ts';
import { walletAddress } from '../../core/wallets.ts';
import type { SandboxStore } from '../../store/store.ts';
import { AccountId, Timestamp, WalletName } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { walletRecord } from '../wallet-records.ts';
import { Refused } from '../../core/refusals.ts';

export const WalletCreateBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId.optional(),
  payload: z.strictObject({ name: WalletName, blockchain: z.enum(BLOCKCHAINS) }),
});

/** Spec: "Settlement wallets", PGCreateWalletRequestDTO. Runs in a transaction. */
export const walletCreateOperation = ({ wallets, ledger }: SandboxStore) =>
  serveOperation({
    body: WalletCreateBody,
    writes: true,
    answer: ({ body: { payload }, accounts }) => {
      const account = soleAccount(accounts);
      const { name, blockchain } = payload;
      const address = walletAddress(account, blockchain, wallets.countOf(account) + 1);
      const wallet = { account, address, blockchain, name, holdsBalances: false };
      wallets.insert(wallet);
      return walletRecord(ledger, wallet);
    },
  });

/**
 * Returns the account of a call.
 * ASSUMED: the spec does not show which operations on wallets belong to one account. A key with one
 * account need not name it.
 */
function soleAccount(accounts: readonly string[]): string {
  const [only, another] = accounts;
  if (only === undefined || another !== undefined) {
    throw new Refused('FIELD_INVALID', 'account: required, because the key has several');
  }
  return only;
}
