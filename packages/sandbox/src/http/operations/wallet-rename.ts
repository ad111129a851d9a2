import { z } from 'zod';
import { Refused } from '../../core/refusals.ts';
import type { SandboxStore } from '../../store/store.ts';
import { AccountId, RequiredText, Timestamp, WalletName } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { walletRecord } from '../wallet-records.ts';

export const WalletRenameBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId,
  payload: z.strictObject({ address: RequiredText, name: WalletName }),
});

/**
 * Spec: "Settlement wallets", PGRenameWalletRequestDTO. Runs in a transaction.
 * ASSUMED: the spec does not show the answer. Here it is the renamed wallet.
 */
export const walletRenameOperation = ({ wallets, ledger }: SandboxStore) =>
  serveOperation({
    body: WalletRenameBody,
    writes: true,
    answer: ({ body: { payload }, accounts }) => {
      const wallet = wallets.byAddress(payload.address, accounts);
      if (wallet === null) throw new Refused('NOT_FOUND');
      wallets.rename(wallet.n, payload.name);
      return walletRecord(ledger, { ...wallet, name: payload.name });
    },
  });
