import { cancelBatch, pauseBatch } from '../../app/batches/acts.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { StopResult } from '../../operations/acts/stop.ts';
import { silenceText } from '../../operations/batch/worker-silence.ts';
import { readReason } from '../../operations/input/reason.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { printResult } from '../print/output.ts';

/** The flags of an act on a batch. */
export type ActFlags = Readonly<{ batch: string; reason: string }>;

/** The act that the flags name. Throws BATCH_ID_INVALID, FLAG_INVALID. */
export const readAct = ({ batch, reason }: ActFlags) => ({
  batchId: readBatchId(batch),
  reason: readReason(reason),
});

/** `bursar cancel BATCH`: nothing more of it is sent. The sent part is settled and reported. Needs no worker. */
export async function cancel(flags: ActFlags, context: Context): Promise<number> {
  const result = await perform(cancelBatch, readAct(flags), context);
  const { batchId } = result;
  const text = stopText(result, context, {
    done: `Batch ${batchId} is stopped: nothing more is sent. The report will have the results of sent payments.`,
    silent: 'The next worker sends nothing more, and reports sent payments.',
    next: `Follow it with: bursar watch ${batchId}`,
  });
  printResult(context, { json: result, text });
  return EXIT.done;
}

/** `bursar pause BATCH`: the batch creates no mass payouts until a person resumes it. Needs no worker. */
export async function pause(flags: ActFlags, context: Context): Promise<number> {
  const result = await perform(pauseBatch, readAct(flags), context);
  const { batchId } = result;
  const text = stopText(result, context, {
    done: `Batch ${batchId} is paused: nothing more is sent. Sent payments continue.`,
    silent: 'The next worker sends nothing until a person resumes the batch.',
    next: `Resume it with: bursar resume ${batchId} --reason ...`,
  });
  printResult(context, { json: result, text });
  return EXIT.done;
}

/** The sentences about a stop. `silent`: the work of the next worker. */
type StopTexts = Readonly<{ done: string; silent: string; next: string }>;

function stopText(
  { notified, temporal, worker }: StopResult<string>,
  { clock }: Context,
  { done, silent, next }: StopTexts,
): string {
  if (notified) return `${done}\n${next}`;
  if (temporal !== undefined) {
    const unnoticed =
      `${temporal.what} The store has the command: no worker sends anything. ` +
      'Run the command again when Temporal answers, so that the batch receives it.';
    return [done, unnoticed, next].join('\n');
  }
  const silence =
    worker === undefined ? 'Its workflow did not answer.' : silenceText(worker, clock);
  return [done, `${silence} ${silent}`, next].join('\n');
}
