import { z } from 'zod';
import { BLOCKCHAINS } from '../../core/blockchains.ts';
import { walletAddress } from '../../core/wallets.ts';
import type { SandboxStore } from '../../store/store.ts';
import { AccountId, Timestamp, WalletName } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { walletRecord } from '../wallet-records.ts';

export const WalletCreateBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId,
  payload: z.strictObject({ name: WalletName, blockchain: z.enum(BLOCKCHAINS) }),
});

/** Spec: "Settlement wallets", PGCreateWalletRequestDTO. Runs in a transaction. */
export const walletCreateOperation = ({ wallets, ledger }: SandboxStore) =>
  serveOperation({
    body: WalletCreateBody,
    writes: true,
    answer: ({ body: { account, payload } }) => {
      const { name, blockchain } = payload;
      const address = walletAddress(account, blockchain, wallets.countOf(account) + 1);
      const wallet = { account, address, blockchain, name, holdsBalances: false };
      wallets.insert(wallet);
      return walletRecord(ledger, wallet);
    },
  });
