import { z } from 'zod';
import { blockchainOf } from '../../core/blockchains.ts';
import type { Modes } from '../../core/modes.ts';
import type { SandboxStore } from '../../store/store.ts';
import { WALLET_PROPERTIES } from '../../store/wallets.ts';
import { AccountId, Text, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { pageFields, pageRecord, pageRequestOf } from '../paging.ts';
import { walletRecord } from '../wallet-records.ts';

const bodyOf = (pageBase: Modes['pageBase']) =>
  z.strictObject({
    timestamp: Timestamp,
    account: AccountId,
    payload: z.strictObject({
      blockchain: Text.optional(),
      currency: Text.optional(),
      nameOrAddress: Text.optional(),
      ...pageFields(WALLET_PROPERTIES, pageBase),
    }),
  });

export const WALLET_LIST_BODIES = { one: bodyOf('one'), zero: bodyOf('zero') };

/** Spec: "Settlement wallets", PGWalletFilterDTO. */
export const walletListOperation = ({ wallets, ledger }: SandboxStore) =>
  serveOperation({
    body: ({ pageBase }) => WALLET_LIST_BODIES[pageBase],
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
