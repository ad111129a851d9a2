import { z } from 'zod';
import { HOLD_KINDS } from '../../domain/holds/hold.ts';
import type { AccountFunds } from '../../operations/batch/read-funds.ts';
import type { InboxItem } from '../../operations/batch/types.ts';
import { approvalGap } from './approval.ts';
import { amount, currencyTotal, instant } from './values.ts';

const money = z.object({ currency: z.string(), amount });

const claim = z.object({
  batchId: z.string(),
  stage: z.enum(['GRANTED', 'ASKING', 'WAITING', 'SCHEDULED', 'PLANNED']),
  due: instant.nullable(),
  askedAt: instant.nullable(),
  grantedAt: instant.nullable(),
  needs: z.array(z.object({ currency: z.string(), amount, fee: amount })),
  running: z.boolean().nullable(),
});

const step = z.object({
  at: instant,
  demands: z.array(
    z.object({ name: z.string(), needs: z.array(money).nullable(), estimated: z.boolean() }),
  ),
  kept: z.array(z.object({ name: z.string(), currency: z.string(), amount })),
  left: z.array(money),
  short: z.array(money),
  estimated: z.boolean(),
});

/** The money of an account: `bursar.funds/v1`. */
export const accountFunds: z.ZodType<AccountFunds> = z.object({
  schema: z.literal('bursar.funds/v1'),
  name: z.string(),
  account: z.string(),
  at: instant,
  currencies: z.array(
    z.object({
      currency: z.string(),
      balance: amount,
      reserved: amount,
      claimed: amount,
      free: amount,
      short: amount,
    }),
  ),
  claims: z.array(claim),
  forecast: z.array(step),
});

/** A batch or a run that waits for a person: `bursar.inbox-item/v1`. */
export const inboxItem: z.ZodType<InboxItem> = z.object({
  kind: z.enum(['APPROVAL', 'HOLD', 'OPERATOR', 'FUNDS', 'CONFIRMATION', 'RUN', 'LOST']),
  waitsFor: z.array(z.string()),
  missing: z.array(z.string()),
  gaps: z.array(approvalGap),
  hold: z.object({ kind: z.enum(HOLD_KINDS), reason: z.string(), by: z.string() }).exactOptional(),
  command: z.string(),
  batchId: z.string(),
  scheduleId: z.string().exactOptional(),
  run: z.string().exactOptional(),
  since: instant.nullable(),
  due: instant.nullable(),
  until: instant.exactOptional(),
  submittedBy: z.string(),
  totals: z.array(currencyTotal),
});
