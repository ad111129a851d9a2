import { z } from 'zod';
import { OPERATION_CODES } from '../../../spec/wallets.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';

/** Spec: "Settlement wallets", PGSettlementOpCodesResponseDTO. */
export const opcodesOperation = () =>
  serveOperation({
    body: z.strictObject({ timestamp: Timestamp, account: AccountId.optional() }),
    writes: false,
    answer: () => ({ opCodes: OPERATION_CODES }),
  });
