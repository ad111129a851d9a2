import { resolve } from 'node:path';
import type { QuotedMark } from '../../domain/audit/verification.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { verifyBatch } from '../../report/verify/verify-batch.ts';
import { withSnapshot } from '../../store/database/snapshot.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { placeOf } from '../../operations/batch/standing.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { progressLine } from '../../operations/text/progress.ts';
import { printResult } from '../print/output.ts';
import { verificationText } from '../print/verification-text.ts';

type VerifyFlags = Readonly<{
  batch: string;
  /** Folder of the report; by default where Bursar writes it. */
  report?: string;
  head?: string;
}>;

/** `bursar verify BATCH`: whether everything is as it was stored. Needs neither Temporal nor the service. */
export async function verify(flags: VerifyFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const head = flags.head === undefined ? null : readHead(flags.head);
  return withSources(context, async ({ settings, store }) => {
    const blobs = await context.open.blobs(settings);
    const reportDir =
      flags.report === undefined
        ? placeOf(settings, batchId).reportDir
        : resolve(context.cwd, flags.report);
    const progress = (rows: number, all: number): void =>
      context.show(
        progressLine(`Verifying ${batchId}`, { rows: Math.min(rows, all / 2), done: rows, all }),
      );
    const found = await withSnapshot(store.db, () =>
      verifyBatch({ store, blobs, progress }, { batchId, reportDir, head }),
    );
    context.clear();
    printResult(context, { json: found, text: verificationText(found, context) });
    const isSound = found.result === 'PROVEN' || found.result === 'OLDER';
    return isSound ? EXIT.done : EXIT.tampered;
  });
}

/** Reads an entry of the log as the report, `audit` and `verify` print it. Throws FLAG_INVALID. */
function readHead(text: string): QuotedMark {
  const [, entries = '', hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (entries === '') throw flagInvalid('--head', `"${text}" is not NUMBER:HASH of an entry`);
  return { source: '--head', entries: Number(entries), hash: hash.toLowerCase() };
}
