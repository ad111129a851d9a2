import { z } from 'zod';
import type { WireOperationCode } from '../spec/wallets.ts';
import { decimal, idText, readRecord, text, unwrap } from './fields.ts';
import { pageReader } from './page.ts';

/**
 * A transaction of a settlement wallet. Amounts are canonical decimal text such as '12.5'.
 *
 * Spec: "Settlement wallets", which requires all fields but `addressTo`. A transaction without a
 * hash must not make a whole page unreadable, so only `amount`, `currency` and `opCode` are certain.
 */
export type Transaction = Readonly<{
  /** Amount in units of `currency`, as canonical decimal text. May be negative. */
  amount: string;
  /** Currency ticker of `amount`. */
  currency: string;
  /** Operation code; a text that the spec does not name is kept. */
  opCode: WireOperationCode;
  /** Service fee in units of `serviceFeeCurrency`, as canonical decimal text. */
  serviceFee?: string;
  /** Currency ticker of `serviceFee`. */
  serviceFeeCurrency?: string;
  /** Network fee in units of `networkFeeCurrency`, as canonical decimal text. */
  networkFee?: string;
  /** Currency ticker of `networkFee`. */
  networkFeeCurrency?: string;
  /** Blockchain transaction hash. */
  transactionHash?: string;
  /** Address that the transaction went to. */
  addressTo?: string;
  /** Creation time: ISO 8601 date and time, as the service wrote it. */
  createdDate?: string;
}>;

const operationCode: z.ZodType<WireOperationCode> = idText;

const TransactionRecord: z.ZodType<Transaction> = z.object({
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

/** Reads a page of transactions, wrapped or not. Throws `Unreadable`. */
export const readTransactionPage = pageReader(TransactionRecord);

const OperationCodesRecord = z.object({ opCodes: z.array(operationCode) });

/** Reads the list of operation codes, wrapped or not. Throws `Unreadable`. */
export const readOperationCodes = (json: unknown): WireOperationCode[] =>
  readRecord(OperationCodesRecord, unwrap(json, 'opCodes')).opCodes;
