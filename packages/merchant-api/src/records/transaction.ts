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
export type Transaction = {
  /** Amount in units of `currency`, as canonical decimal text. May be negative. */
  readonly amount: string;
  /** Currency ticker of `amount`. */
  readonly currency: string;
  /** Operation code; a text that the spec does not name is kept. */
  readonly opCode: WireOperationCode;
  /** Service fee in units of `serviceFeeCurrency`, as canonical decimal text. */
  readonly serviceFee?: string;
  /** Currency ticker of `serviceFee`. */
  readonly serviceFeeCurrency?: string;
  /** Network fee in units of `networkFeeCurrency`, as canonical decimal text. */
  readonly networkFee?: string;
  /** Currency ticker of `networkFee`. */
  readonly networkFeeCurrency?: string;
  /** Blockchain transaction hash. */
  readonly transactionHash?: string;
  /** Address that the transaction went to. */
  readonly addressTo?: string;
  /** Creation time: ISO 8601 date and time, as the service wrote it. */
  readonly createdDate?: string;
};

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
