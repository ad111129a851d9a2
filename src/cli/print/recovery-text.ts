import { batchStateWords, codeInSentence } from '../../domain/text/state-words.ts';
import type { StoreRef } from '../../domain/store/identity.ts';
import { counted, withCommas } from '../../domain/text/counted.ts';
import type { Context } from '../context.ts';
import type { Done, Lost } from '../../operations/recover/carry-out.ts';
import type { Found, LostBatch, Wanted } from '../../operations/recover/find-batches.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { instantText } from '../../operations/text/instants.ts';
import { moneyText } from '../../domain/text/money-text.ts';

const FOUND_TEXTS: Readonly<Record<Found, string>> = {
  FORGOTTEN: 'Temporal no longer has it',
  ENDED_BY_FORCE: 'its workflow was ended by force',
  ENDED_IN_TEMPORAL: 'it has ended, and the store does not have its end',
  UNKNOWN_TO_STORE: 'Temporal has it, and the store does not',
};

/** The batches that were cut off, for the person who confirms. */
export const lostText = ({ batches }: Lost, style: Context): string =>
  batches.map((batch) => blockOf(batch, style)).join('\n\n');

function blockOf(batch: LostBatch, { clock }: Context): string {
  const { batchId, state, found, file, parentBatchId, at, canceledBy, holds, needs } = batch;
  return [
    `Batch ${batchId}: ${batchStateWords(state)}, ${FOUND_TEXTS[found]}`,
    ...factLines([
      ...(file === null ? [] : [['file', printable(file)] as const]),
      ...(parentBatchId === null ? [] : [['resend', `of ${parentBatchId}`] as const]),
      ['rows', batch.rows === null ? 'not read yet' : withCommas(batch.rows)],
      ['chunks', chunksText(batch.chunks)],
      ['to pay', toPayText(batch)],
      ...(at === null ? [] : [['due', instantText(at, clock)] as const]),
      ...(canceledBy === null ? [] : [['canceled', `by ${printable(canceledBy)}`] as const]),
      ...(holds.length === 0 ? [] : [['holds', holds.map(codeInSentence).join(', ')] as const]),
      ...(needs === null ? [] : [['first', needs] as const]),
    ]),
  ].join('\n');
}

const chunksText = ({ total, created, inDoubt, unsent }: LostBatch['chunks']): string =>
  total === 0
    ? 'not planned yet'
    : `${counted(total, 'chunk')}: ${withCommas(created)} created, ${withCommas(inDoubt)} unclear, ${withCommas(unsent)} not sent`;

const toPayText = ({ toPay }: LostBatch): string => {
  if (toPay === null) return 'not known yet';
  return toPay.length === 0
    ? 'nothing more'
    : toPay.map(({ total, currency }) => `at most ${moneyText(total, currency)}`).join(', ');
};

/** A recovery as it is printed. `done`: null where nothing was to be done. */
export type ShownRecovery = Wanted & Readonly<{ done: Done | null }>;

const NOTED =
  'The store is marked as an older copy. Earlier batches send nothing without a search at the service.';

const TAKEN_OVER =
  'This store replaces the lost one. Nothing is sent without a search at the service. Ended batches, schedules and approvals were in the lost store. Create the schedules again, and approve waiting batches again.';

const NOT_TAKEN_OVER = 'This command replaced no store.';

const CLAIMED =
  'The task queue belonged to another store, which no worker and no open batch uses. It belongs to this store now.';

export const wouldClaimText = ({ id }: StoreRef): string =>
  `The task queue belongs to another store (${id}), which no worker and no open batch uses. It would belong to this store.`;

/** The findings of a recovery, and the batches that continue now. */
export function recoveryText(lost: Lost, shown: ShownRecovery, style: Context): string {
  const { batchId, store, done } = shown;
  const isNothing = lost.batches.length === 0 && lost.schedules.length === 0;
  const lines = [
    ...(isNothing ? [nothingText({ batchId, store })] : []),
    ...(done === null && lost.batches.length > 0 ? [lostText(lost, style), ''] : []),
    ...lost.batches.map((batch) => batchLine(batch, done)),
    ...lost.schedules.map(({ scheduleId }) =>
      done === null
        ? `Schedule ${scheduleId} would be set up in Temporal again.`
        : `Schedule ${scheduleId} is set up in Temporal again: bursar schedule show ${scheduleId}`,
    ),
    ...(done !== null && store === 'older' ? [NOTED] : []),
    ...(done !== null && store === 'empty' ? [done.tookOver ? TAKEN_OVER : NOT_TAKEN_OVER] : []),
    ...(done?.claimed === true ? [CLAIMED] : []),
    ...[...(done?.paused ?? [])].map(
      (id) =>
        `Schedule ${id} is paused, because the store may lack runs of it: bursar schedule resume ${id}`,
    ),
    ...(done !== null && done.over.size > 0
      ? [`Ends of ${counted(done.over.size, 'batch', 'batches')} are followed again.`]
      : []),
  ];
  return lines.join('\n');
}

/** The text names only the batches that were read. */
const nothingText = ({ batchId, store }: Wanted): string =>
  batchId === null && store === 'current'
    ? 'Nothing to recover: Temporal has every open batch and every schedule.'
    : 'Nothing to recover: the batch is running or has ended.';

function batchLine({ batchId, action, needs }: LostBatch, done: Done | null): string {
  if (action === 'NONE') return `Batch ${batchId} does not continue. ${needs ?? ''}`;
  if (done === null && action === 'SETTLE')
    return `Batch ${batchId} had ended. It would search for its sent payments, and send nothing more.`;
  if (done === null) return `Batch ${batchId} would continue from the store.`;
  const going = done.batches.get(batchId);
  if (going === undefined) return `Batch ${batchId} is running already: bursar watch ${batchId}`;
  if (going === 'settles') {
    return `Batch ${batchId} had ended. It searches for its sent payments, sends nothing more, and ends: bursar watch ${batchId}`;
  }
  return going === 'paused'
    ? `Batch ${batchId} searches for its sent payments. It sends nothing more until you resume it: bursar resume ${batchId} --reason TEXT`
    : `Batch ${batchId} continues where it was: bursar watch ${batchId}`;
}
