import { z } from 'zod';
import { BATCH_STATES, END_STATES } from '../../domain/batch/batch-state.ts';
import { DIFFERENCE_CODES } from '../../domain/reconcile/difference-texts.ts';
import type { StatementDifference } from '../../domain/reconcile/differences.ts';
import type { CurrencyStatement } from '../../domain/reconcile/statement.ts';
import { SHOWN_OUTCOMES, type ShownOutcome } from '../../domain/settling/outcome.ts';
import type { ReconciledBatch } from '../../operations/reconcile/reconcile-batch.ts';
import type { VerifiedBatch } from '../../operations/report/verify.ts';
import { amount, errorNote, instant } from './values.ts';

const mark = z.object({ entries: z.int(), hash: z.string() });

/** The result of verifying a batch: `bursar.verification/v1`. */
export const verifiedBatch: z.ZodType<VerifiedBatch> = z.object({
  schema: z.literal('bursar.verification/v1'),
  batchId: z.string(),
  result: z.enum(['PROVEN', 'PRUNED', 'TAMPERED', 'OLDER', 'NOT_APPROVED']),
  state: z.enum(END_STATES).nullable(),
  head: mark,
  quoted: z.array(z.object({ source: z.string(), entries: z.int(), hash: z.string() })),
  checked: z.array(z.object({ what: z.string(), count: z.int() })),
  unchecked: z.array(z.string()),
  problems: z.array(errorNote),
  problemCount: z.int(),
  reportFault: errorNote.nullable(),
});

const counted = z.object({ count: z.int(), amount });

const feeSums = z.array(z.object({ currency: z.string(), amount }));

const engine = Object.fromEntries(SHOWN_OUTCOMES.map((outcome) => [outcome, counted])) as Record<
  ShownOutcome,
  typeof counted
>;

const currencyStatement: z.ZodType<CurrencyStatement> = z.object({
  currency: z.string(),
  file: counted,
  engine: z.object(engine),
  massPayouts: counted.extend({ fee: amount, byState: z.record(z.string(), z.int()) }),
  transactions: counted.extend({ serviceFees: feeSums, networkFees: feeSums }).nullable(),
});

const difference: z.ZodType<StatementDifference> = z.object({
  code: z.enum(DIFFERENCE_CODES),
  mustLook: z.boolean(),
  of: z.string(),
  count: z.int(),
  currency: z.string(),
  amount,
  what: z.string(),
  fix: z.string(),
  cases: z.array(
    z.object({
      row: z.int().exactOptional(),
      chunk: z.int().exactOptional(),
      massPayoutId: z.string().exactOptional(),
      withdrawalId: z.string().exactOptional(),
      amount: amount.exactOptional(),
      address: z.string().exactOptional(),
      transactionHash: z.string().exactOptional(),
      at: instant.exactOptional(),
      detail: z.string().exactOptional(),
    }),
  ),
});

/** File, engine, mass payouts and wallet of a batch: `bursar.reconciliation/v1`. */
export const reconciledBatch: z.ZodType<ReconciledBatch> = z.object({
  schema: z.literal('bursar.reconciliation/v1'),
  batchId: z.string(),
  state: z.enum(BATCH_STATES),
  generation: z.int(),
  parentBatchId: z.string().nullable(),
  at: instant,
  from: instant,
  to: instant,
  ties: z.boolean(),
  available: z.object({ transactions: z.string(), lookups: z.string(), wallets: z.string() }),
  rows: z.object({ total: z.int(), refused: z.int() }),
  currencies: z.array(currencyStatement),
  matchedRows: z.object({ hash: z.int(), only: z.int(), equal: z.int() }),
  transactions: z.object({ read: z.int(), elsewhere: z.int(), ofOtherBatches: z.int() }).nullable(),
  otherBatches: z.array(z.string()),
  wallets: z
    .array(z.object({ name: z.string(), address: z.string(), currency: z.string(), amount }))
    .nullable(),
  differences: z.array(difference),
  files: z.object({ csv: z.string(), json: z.string() }),
});
