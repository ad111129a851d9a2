import { z } from 'zod';
import type { AccountCallOptions, Send } from '../call.ts';
import { readRecord, unwrap } from '../records/fields.ts';
import { operationCode, type WireOperationCode } from '../records/transaction.ts';
import type { Answer } from '../response/conclude.ts';

const OperationCodesRecord = z.object({ opCodes: z.array(operationCode) });

const readOperationCodes = (json: unknown): WireOperationCode[] =>
  readRecord(OperationCodesRecord, unwrap(json, 'opCodes')).opCodes;

/**
 * Lists the operation codes that wallet transactions may have. Spec: "Settlement wallets"; its path
 * is ASSUMED. ASSUMED: it has no payload; its request is not shown.
 */
export const listOperationCodes =
  (send: Send) =>
  (call: AccountCallOptions = {}): Promise<Answer<WireOperationCode[]>> =>
    send({ operation: 'OPCODES', read: readOperationCodes }, call);
