import { z } from 'zod';
import type { OperationCode } from '../spec/wallets.ts';
import { decimal, idText, text } from './fields.ts';
import { pageReader } from './page.ts';

/** What the wire may carry: the service may add operation codes at any time. */
export type WireOperationCode = OperationCode | (string & {});

/** An operation code; one that we do not know is kept as it is. */
export const operationCode: z.ZodType<WireOperationCode> = idText;

const TransactionRecord = z.object({
  amount: decimal,
  currency: idText,
  opCode: operationCode,
  serviceFee: decimal.exactOptional(),
  serviceFeeCurrency: text.exactOptional(),
  networkFee: decimal.exactOptional(),
  networkFeeCurrency: text.exactOptional(),
  transactionHash: text.exactOptional(),
  addressTo: text.exactOptional(),
  createdDate: text.exactOptional(),
});

/**
 * A transaction of a settlement wallet; amounts are canonical decimal text. Spec: "Settlement
 * wallets". The spec requires all but `addressTo`; one that has no hash yet must still not make a
 * whole page unreadable, so only `amount`, `currency` and `opCode` are sure to be there.
 */
export type Transaction = Readonly<z.output<typeof TransactionRecord>>;

/** Reads a page of transactions, wrapped or not. Throws `Unreadable`. */
export const readTransactionPage = pageReader(TransactionRecord);
