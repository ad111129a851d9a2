import { z } from 'zod';
import type { OperationCode } from '../../spec/wallets.ts';
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
  serviceFee: decimal,
  serviceFeeCurrency: text,
  networkFee: decimal,
  networkFeeCurrency: text,
  transactionHash: text,
  addressTo: text.exactOptional(),
  createdDate: text,
});

/**
 * A transaction of a settlement wallet; amounts are canonical decimal text. Spec: "Settlement
 * wallets".
 */
export type Transaction = Readonly<z.output<typeof TransactionRecord>>;

/** Reads a page of transactions, wrapped or not. Throws `Unreadable`. */
export const readTransactionPage = pageReader(TransactionRecord);
