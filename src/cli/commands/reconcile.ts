import { basename, dirname, resolve } from 'node:path';
import { reconcileBatch } from '../../app/batches/proof.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { readInstantMs } from '../../operations/input/instant.ts';
import {
  reconcileBatch as reconcileHere,
  type StatementPlace,
} from '../../operations/reconcile/reconcile-batch.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { printResult } from '../print/output.ts';
import { reconciliationText } from '../print/reconciliation-text.ts';

type ReconcileFlags = Readonly<{
  batch: string;
  from?: string;
  to?: string;
  out?: string;
  save?: boolean;
}>;

/** `bursar reconcile BATCH`: file, engine, mass payouts and wallet side by side. */
export async function reconcile(flags: ReconcileFlags, context: Context): Promise<number> {
  const { out, save = false } = flags;
  const wish = { batchId: readBatchId(flags.batch), ...readWindow(flags), save };
  const statement =
    out === undefined
      ? await perform(reconcileBatch, wish, context)
      : await reconcileHere({ ...wish, place: placeOf(out, context.cwd) }, context);
  const files = shownPath(statement.files.json.replace(/\.json$/, ''), context.cwd);
  printResult(context, { json: statement, text: reconciliationText(statement, files, context) });
  return statement.ties ? EXIT.done : EXIT.needsOperator;
}

function readWindow({ from, to }: ReconcileFlags): Readonly<{ from?: string; to?: string }> {
  const fromMs = from === undefined ? undefined : readInstantMs('--from', from);
  const toMs = to === undefined ? undefined : readInstantMs('--to', to);
  if (fromMs !== undefined && toMs !== undefined && toMs < fromMs) {
    throw flagInvalid('--to', 'is before --from');
  }
  return {
    ...(fromMs === undefined ? {} : { from: new Date(fromMs).toISOString() }),
    ...(toMs === undefined ? {} : { to: new Date(toMs).toISOString() }),
  };
}

/** Where the two files of the statement go. Throws FLAG_INVALID. */
function placeOf(out: string, cwd: string): StatementPlace {
  const stem = basename(out, '.json');
  if (/^\w[\w.-]*$/.test(stem)) return { dir: dirname(resolve(cwd, out)), stem };
  throw flagInvalid('--out', 'must be a file name of letters, digits, dots and dashes');
}
