import { z } from 'zod';
import type { SandboxStore } from '../../store/store.ts';
import { TRANSACTION_PROPERTIES } from '../../store/transactions.ts';
import { AccountId, Text, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { pageFields, pageRecord, pageRequestOf } from '../paging.ts';
import { OperationCodeName } from '../schemas/lists.ts';
import { transactionRecord } from '../wallet-records.ts';

/** The most names in `opcodes`: each once, with some repetitions. */
const OPCODES_MAX = 100;

const Payload = z.strictObject({
  walletAddress: Text.optional(),
  addressTo: Text.optional(),
  opcodes: z.array(OperationCodeName).max(OPCODES_MAX).optional(),
  currency: Text.optional(),
  ...pageFields(TRANSACTION_PROPERTIES),
});

export const TransactionListBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId.optional(),
  payload: Payload,
});

/** Spec: "Settlement wallets", PGSettlementTransactionFilterDTO. */
export const transactionListOperation = ({ movements, massPayouts }: SandboxStore) =>
  serveOperation({
    body: TransactionListBody,
    writes: false,
    answer: ({ body: { payload }, accounts, modes }) => {
      const { walletAddress = null, addressTo = null, opcodes, currency = null } = payload;
      const page = pageRequestOf(payload, modes);
      // ASSUMED: an empty list of operation codes filters nothing.
      const opCodes = opcodes === undefined || opcodes.length === 0 ? null : opcodes;
      const found = movements.transactions({
        accounts,
        walletAddress,
        addressTo,
        opCodes,
        currency,
        page,
      });
      return pageRecord(found, page, (each) => transactionRecord(massPayouts, each));
    },
  });
