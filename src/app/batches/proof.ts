import { z } from 'zod';
import * as reconciling from '../../operations/reconcile/reconcile-batch.ts';
import * as verifying from '../../operations/report/verify.ts';
import * as reporting from '../../operations/report/write-report.ts';
import { batchId } from '../inputs.ts';
import { operation } from '../operation.ts';
import { batchStanding } from '../results/batch.ts';
import { reconciledBatch, verifiedBatch } from '../results/proof.ts';

const at = z.iso.datetime({ offset: true }).exactOptional();

export const reconcileBatch = operation({
  name: 'reconcileBatch',
  summary:
    'File, engine, mass payouts and wallet side by side; writes the statement beside the report',
  role: 'operate',
  http: 'POST /v1/batches/:batchId/reconciliation',
  input: z.strictObject({ batchId, from: at, to: at, save: z.boolean().default(false) }),
  result: reconciledBatch,
  run: reconciling.reconcileBatch,
});

export const verifyBatch = operation({
  name: 'verifyBatch',
  summary: 'Whether everything of a batch is as it was stored',
  role: 'read',
  http: 'POST /v1/batches/:batchId/verification',
  input: z.strictObject({
    batchId,
    head: z
      .strictObject({ entries: z.int().min(0), hash: z.string().regex(/^[0-9a-f]{64}$/) })
      .exactOptional()
      .meta({ description: 'an entry of the audit log that was kept elsewhere' }),
  }),
  result: verifiedBatch,
  run: verifying.verifyBatch,
});

export const writeReport = operation({
  name: 'writeReport',
  summary: 'Write the report of an ended batch again',
  role: 'operate',
  http: 'POST /v1/batches/:batchId/report',
  input: z.strictObject({ batchId }),
  result: batchStanding,
  run: reporting.writeReport,
});

const refreshed: z.ZodType<reporting.RefreshedReport> = z.object({
  schema: z.literal('bursar.report-refresh/v1'),
  batchId: z.string(),
  refreshed: z
    .object({ changedRows: z.int(), unread: z.int(), version: z.int() })
    .nullable()
    .meta({ description: 'null: the read takes longer than a minute, and goes on' }),
});

export const refreshReport = operation({
  name: 'refreshReport',
  summary: 'Have a worker read the ends of a batch again, and write a new report if any changed',
  role: 'operate',
  http: 'POST /v1/batches/:batchId/report-refresh',
  input: z.strictObject({ batchId }),
  result: refreshed,
  run: reporting.refreshReport,
});
