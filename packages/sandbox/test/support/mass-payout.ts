import { ZERO } from '../../src/core/decimal.ts';
import type { SandboxMassPayout } from '../../src/core/mass-payout.ts';
import { ACCOUNT } from './client.ts';

/** A mass payout as the core has it. */
export const massPayout = (fields: Partial<SandboxMassPayout> = {}): SandboxMassPayout => ({
  id: '11111111-1111-4111-8111-111111111111',
  account: ACCOUNT,
  state: 'CREATION_IN_PROGRESS',
  createdMs: 0,
  dueMs: null,
  endedMs: null,
  confirmations: 0,
  currency: 'USDT_TRC20',
  idempotencyKey: '22222222-2222-4222-8222-222222222222',
  name: null,
  comment: null,
  externalId: null,
  executionDate: null,
  withdrawalsCount: 1,
  totalAmount: ZERO,
  totalFee: ZERO,
  tariff: { percent: ZERO, fix: ZERO, min: ZERO },
  ...fields,
});
