import { z } from 'zod';
import { Refused } from '../../core/refusals.ts';
import type { SandboxStore } from '../../store/store.ts';
import { AccountId, RequiredText, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { walletRecord } from '../wallet-records.ts';

export const LookupAddressBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId,
  payload: z.strictObject({ address: RequiredText }),
});

/**
 * Spec: "Settlement wallets", ByAddressRequestDTO.
 * ASSUMED: the spec does not show the answer. Here it is the wallet with this address.
 */
export const lookupAddressOperation = ({ wallets, ledger }: SandboxStore) =>
  serveOperation({
    body: LookupAddressBody,
    writes: false,
    answer: ({ body: { payload }, accounts }) => {
      const wallet = wallets.byAddress(payload.address, accounts);
      if (wallet === null) throw new Refused('NOT_FOUND');
      return walletRecord(ledger, wallet);
    },
  });
