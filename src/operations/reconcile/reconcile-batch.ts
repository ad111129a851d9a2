import { join } from 'node:path';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Reconciliation } from '../../domain/reconcile/statement.ts';
import { startReconciliation } from '../../report/write-reconciliation.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { findRecord } from '../batch/find-record.ts';
import { withSources } from '../batch/sources.ts';
import { placeOf } from '../batch/standing.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext, ServiceAccess } from '../context.ts';
import { callService } from '../service/call-service.ts';
import { withService } from '../service/preflight.ts';
import { unwritable } from '../text/unwritable.ts';
import { createPatientReads } from './patient-reads.ts';
import { reconcile, type ReconcileOptions } from './reconcile.ts';

/** `from` and `to`: the window of transactions, ISO 8601; missing: from the first create until now. `save`: whether the store keeps them. */
export type ReconcileWish = Readonly<{
  batchId: string;
  from?: string;
  to?: string;
  save: boolean;
}>;

/** The statement, and where its files were written. */
export type ReconciledBatch = Reconciliation & Readonly<{ files: WrittenStatement }>;

type WrittenStatement = Readonly<{ csv: string; json: string }>;

/** Where the two files of a statement go. */
export type StatementPlace = Readonly<{ dir: string; stem: string }>;

/** File, engine, mass payouts and wallet side by side. `place`: missing: beside the report of the batch. */
export const reconcileBatch = (
  { batchId, place: chosen, ...wish }: ReconcileWish & Readonly<{ place?: StatementPlace }>,
  context: OperationContext,
): Promise<ReconciledBatch> => {
  const options = optionsOf(wish);
  return withSources(context, async (sources) => {
    const record = await findRecord(sources, batchId);
    const { reportDir } = placeOf(sources.settings, batchId);
    const place = chosen ?? { dir: reportDir, stem: 'reconciliation' };
    const statement = await withService(sources.settings, context, (service) =>
      writeStatement({ sources, service, context }, { record, options, place }),
    );
    context.clear();
    const path = join(place.dir, place.stem);
    return { ...statement, files: { csv: `${path}.csv`, json: `${path}.json` } };
  });
};

type Window = Readonly<{ from?: string; to?: string; save: boolean }>;

function optionsOf({ from, to, save }: Window): ReconcileOptions {
  const [fromMs, toMs] = [from, to].map((at) => (at === undefined ? undefined : Date.parse(at)));
  if (fromMs !== undefined && toMs !== undefined && toMs < fromMs) {
    throw new BursarError('REQUEST_UNUSABLE', { problems: 'to: is before from' });
  }
  return { fromMs, toMs, saves: save };
}

type Deps = Readonly<{ sources: Sources; service: ServiceAccess; context: OperationContext }>;
type Task = Readonly<{ record: BatchRecord; options: ReconcileOptions; place: StatementPlace }>;

async function writeStatement(
  { sources, service, context }: Deps,
  { record, options, place }: Task,
): Promise<Reconciliation> {
  const { store, settings } = sources;
  const writer = await startReconciliation(place).catch((error: unknown) => {
    throw unwritable('report.dir', error);
  });
  const { requestsPerSecond } = settings.api;
  const { account } = record;
  const read = createPatientReads({ ...context, service, account, store, requestsPerSecond });
  try {
    const deps = { store, service, read, writer, context };
    const statement = await callService(service, () => reconcile(deps, record, options));
    await writer.publish(statement);
    return statement;
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
