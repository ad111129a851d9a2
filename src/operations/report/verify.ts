import type { QuotedMark, Verification } from '../../domain/audit/verification.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import { verifyBatch as verifyIt } from '../../report/verify/verify-batch.ts';
import { withSourcesToRead } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import { progressLine } from '../text/progress.ts';
import { folderToVerify, reportsOf } from './newest-report.ts';

/** `head`: an entry of the audit log that was kept elsewhere. */
export type VerifyWish = Readonly<{
  batchId: string;
  head?: Readonly<{ entries: number; hash: string }>;
}>;

/** `reportFault`: why the published report was not read whole; null: nothing is wrong with it. */
export type VerifiedBatch = Verification & Readonly<{ reportFault: ErrorNote | null }>;

/**
 * Whether everything of a batch is as it was stored. Needs neither Temporal nor the service. `folder`: a folder with its report;
 * missing: where Bursar writes it.
 */
export const verifyBatch = (
  { batchId, head, folder }: VerifyWish & Readonly<{ folder?: string }>,
  context: OperationContext,
): Promise<VerifiedBatch> =>
  withSourcesToRead(context, async (sources) => {
    const { settings, store } = sources;
    const blobs = await context.open.blobs(settings);
    const { reportDir, fault } =
      folder === undefined
        ? await folderToVerify(reportsOf(sources, blobs), batchId)
        : { reportDir: folder, fault: null };
    const progress = (rows: number, all: number): void =>
      context.show(
        progressLine(`Verifying ${batchId}`, { rows: Math.min(rows, all / 2), done: rows, all }),
      );
    const quoted: QuotedMark | null = head === undefined ? null : { source: '--head', ...head };
    const found = await store.snapshot((moment) =>
      verifyIt({ store: moment, blobs, progress }, { batchId, reportDir, head: quoted }),
    );
    context.clear();
    return { ...found, reportFault: fault?.note ?? null };
  });
