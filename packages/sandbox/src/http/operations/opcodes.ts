import { z } from 'zod';
import { OPERATION_CODES } from '@bursar/merchant-api/spec';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';

export const OpcodesBody = z.strictObject({ timestamp: Timestamp, account: AccountId });

/** Spec: "Settlement wallets", PGSettlementOpCodesResponseDTO. */
export const opcodesOperation = () =>
  serveOperation({
    body: OpcodesBody,
    writes: false,
    answer: () => ({ opCodes: OPERATION_CODES }),
  });
