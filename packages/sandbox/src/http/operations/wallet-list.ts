import { z } from 'zod';
import { blockchainOf } from '../../core/blockchains.ts';
import type { SandboxStore } from '../../store/store.ts';
import { WALLET_PROPERTIES } from '../../store/wallets.ts';
import { AccountId, Text, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { pageFields, pageRecord, pageRequestOf } from '../paging.ts';
import { walletRecord } from '../wallet-records.ts';

const Payload = z.strictObject({
  blockchain: Text.optional(),
  currency: Text.optional(),
  nameOrAddress: Text.optional(),
  ...pageFields(WALLET_PROPERTIES),
});

export const WalletListBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId.optional(),
  payload: Payload,
});

/** Spec: "Settlement wallets", PGWalletFilterDTO. */
export const walletListOperation = ({ wallets, ledger }: SandboxStore) =>
  serveOperation({
    body: WalletListBody,
    writes: false,
    answer: ({ body: { payload }, accounts, modes }) => {
      const { blockchain = null, currency, nameOrAddress = null } = payload;
      const page = pageRequestOf(payload, modes);
      const holding =
        currency === undefined ? null : { currency, blockchain: blockchainOf(currency) };
      const found = wallets.query({ accounts, blockchain, holding, nameOrAddress, page });
      return pageRecord(found, page, (wallet) => walletRecord(ledger, wallet));
    },
  });
