import type { Sources } from '../../operations/batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { basename, dirname, join, resolve } from 'node:path';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { Reconciliation } from '../../domain/reconcile/statement.ts';
import { startReconciliation } from '../../report/write-reconciliation.ts';
import { findRecord } from '../../operations/batch/find-record.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { placeOf } from '../../operations/batch/standing.ts';
import type { Context } from '../context.ts';
import type { ServiceAccess } from '../../operations/context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { readInstantMs } from '../../operations/input/instant.ts';
import { printResult } from '../print/output.ts';
import { reconciliationText } from '../print/reconciliation-text.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import { unwritable } from '../../operations/text/unwritable.ts';
import { createPatientReads } from '../../operations/reconcile/patient-reads.ts';
import {
  reconcile as holdTogether,
  type ReconcileOptions,
} from '../../operations/reconcile/reconcile.ts';
import { callService } from '../../operations/service/call-service.ts';
import { withService } from '../../operations/service/preflight.ts';

type ReconcileFlags = Readonly<{
  batch: string;
  from?: string;
  to?: string;
  out?: string;
  save?: boolean;
}>;

/** `bursar reconcile BATCH`: file, engine, mass payouts and wallet side by side. */
export async function reconcile(flags: ReconcileFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const options = readOptions(flags);
  return withSources(context, async (sources) => {
    const record = await findRecord(sources, batchId);
    const place = placeFor(flags.out, placeOf(sources.settings, batchId).reportDir, context.cwd);
    const statement = await withService(sources.settings, context, (service) =>
      writeStatement({ sources, service, context }, { record, options, place }),
    );
    context.clear();
    const files = shownPath(join(place.dir, place.stem), context.cwd);
    printResult(context, { json: statement, text: reconciliationText(statement, files, context) });
    return statement.ties ? EXIT.done : EXIT.needsOperator;
  });
}

function readOptions({ from, to, save = false }: ReconcileFlags): ReconcileOptions {
  const fromMs = from === undefined ? undefined : readInstantMs('--from', from);
  const toMs = to === undefined ? undefined : readInstantMs('--to', to);
  if (fromMs !== undefined && toMs !== undefined && toMs < fromMs) {
    throw flagInvalid('--to', 'is before --from');
  }
  return { fromMs, toMs, saves: save };
}

type Place = Readonly<{ dir: string; stem: string }>;

/** Where the two files of the statement go. Throws FLAG_INVALID. */
function placeFor(out: string | undefined, reportDir: string, cwd: string): Place {
  if (out === undefined) return { dir: reportDir, stem: 'reconciliation' };
  const stem = basename(out, '.json');
  if (/^\w[\w.-]*$/.test(stem)) return { dir: dirname(resolve(cwd, out)), stem };
  throw flagInvalid('--out', 'must be a file name of letters, digits, dots and dashes');
}

type Deps = Readonly<{ sources: Sources; service: ServiceAccess; context: Context }>;
type Task = Readonly<{ record: BatchRecord; options: ReconcileOptions; place: Place }>;

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
    const statement = await callService(service, () => holdTogether(deps, record, options));
    await writer.publish(statement);
    return statement;
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
