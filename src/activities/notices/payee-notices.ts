import { log } from '@temporalio/activity';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { noticeOf, type NoticeTemplate } from '../../domain/notices/notice-template.ts';
import { retryDelayMs } from '../../domain/notify/retry.ts';
import { sha256Hex } from '../../domain/sending/identity.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { Store } from '../../store/index.ts';
import type { NoticeEnd, TakenNotice, UnsearchedChunk } from '../../store/notices/notices.ts';
import type { HousekeepingTask } from '../housekeeping/task.ts';
import { inParallel } from '../shared/in-parallel.ts';
import { type Mail, type MailResult, messageIdOf } from '../smtp/send-mail.ts';
import { paidPayees, type PaidPayee } from './paid-payees.ts';

export type PayeeNoticeDeps = Readonly<{
  store: Store;
  account: string;
  template: NoticeTemplate;
  /** Batches that were submitted before have no notices. ISO 8601 in UTC. */
  since: string;
  from: string;
  perMinute: number;
  send(mail: Mail): Promise<MailResult>;
  nowMs(): number;
}>;

/** Chunks that one round searches. */
const CHUNKS_PER_ROUND = 20;
/** Tries that are made side by side, and how long one may take, in milliseconds. */
const TRIES_IN_PARALLEL = 4;
const TRY_MS_MAX = 10_000;
/** No try begins later in a round than this, in milliseconds, so that a slow server holds up no other task. */
const ROUND_MS_MAX = 20_000;

/**
 * Sends one e-mail to the payee of each paid row whose e-mail address is in the register. It never sends a second one for a row:
 * a try that may have arrived is not repeated. No error of it concerns a payment.
 */
export const createPayeeNoticeTask = (deps: PayeeNoticeDeps): HousekeepingTask => ({
  name: 'payee notices',
  async run() {
    const submittedSinceMs = await sinceMsOf(deps);
    await endCutOff(deps);
    const { store, account } = deps;
    const scope = { account, submittedSinceMs, limit: CHUNKS_PER_ROUND };
    for (const chunk of await store.notices.unsearched(scope)) await search(deps, chunk);
    const { sent, failed } = await sendDue(deps);
    return sent + failed === 0 ? 'nothing waits' : `${sent} sent, ${failed} not`;
  },
});

/**
 * An older copy of the store lacks the notices that were sent after it was made. Batches from before the copy came have no notices any more.
 */
async function sinceMsOf({ store, since }: PayeeNoticeDeps): Promise<number> {
  const restoredAtMs = await store.restores.lastAtMs();
  return Math.max(Date.parse(since), restoredAtMs ?? 0);
}

/** A worker ended within a try: perhaps the e-mail has left. */
async function endCutOff({ store, account, nowMs }: PayeeNoticeDeps): Promise<void> {
  for (const { batchId, row } of await store.notices.cutOff(account, nowMs())) {
    const end = { state: 'UNCLEAR', error: 'the worker ended during the try' } as const;
    await store.notices.end(batchId, new Map([[row, end]]), nowMs());
  }
}

async function search({ store, nowMs }: PayeeNoticeDeps, of: UnsearchedChunk): Promise<void> {
  const payees = await paidPayees(store, of);
  await store.notices.add(of, [...payees.keys()], nowMs());
}

type Counts = { sent: number; failed: number };

/** Sends until nothing is due, the minute is full, or the time of the round is over. */
async function sendDue(deps: PayeeNoticeDeps): Promise<Counts> {
  const { store, account, perMinute, nowMs } = deps;
  const counts: Counts = { sent: 0, failed: 0 };
  const startMs = nowMs();
  while (nowMs() - startMs < ROUND_MS_MAX) {
    const take = { account, nowMs: nowMs(), limit: TRIES_IN_PARALLEL, perMinute };
    const taken = await store.notices.take(take);
    const failedBefore = counts.failed;
    await sendTaken(deps, taken, counts);
    const hasAllFailed = counts.failed - failedBefore === taken.length;
    if (taken.length === 0 || hasAllFailed) return counts;
  }
  return counts;
}

async function sendTaken(
  deps: PayeeNoticeDeps,
  taken: readonly TakenNotice[],
  counts: Counts,
): Promise<void> {
  const payeesOf = new Map<string, ReadonlyMap<RowNumber, PaidPayee>>();
  for (const { batchId, chunk } of taken) {
    const key = JSON.stringify([batchId, chunk]);
    if (!payeesOf.has(key)) payeesOf.set(key, await paidPayees(deps.store, { batchId, chunk }));
  }
  await inParallel(TRIES_IN_PARALLEL, taken, async (notice) => {
    const { batchId, row, chunk } = notice;
    const payee = payeesOf.get(JSON.stringify([batchId, chunk]))?.get(row);
    const end = payee === undefined ? DROPPED : await tryOnce(deps, notice, payee);
    if (end.state === 'SENT') counts.sent += 1;
    if ('error' in end) {
      counts.failed += 1;
      log.warn('a notice to a payee was not sent', { batchId, row, ...end });
    }
    await deps.store.notices.end(batchId, new Map([[row, end]]), deps.nowMs());
  });
}

/** The row is not paid any more, its rows were removed, or its payee has no e-mail address any more. */
const DROPPED: NoticeEnd = { state: 'DROPPED' };

async function tryOnce(
  { account, template, from, send, nowMs }: PayeeNoticeDeps,
  { batchId, row, attempts, createdAtMs }: TakenNotice,
  payee: PaidPayee,
): Promise<NoticeEnd> {
  const id = sha256Hex(JSON.stringify(['payee-notice/v1', account, batchId, row])).slice(0, 32);
  const date = new Date(createdAtMs);
  const facts = payee.factsOn(date.toISOString().slice(0, 10));
  const { subject, text } = noticeOf(template, facts);
  const messageId = messageIdOf(id, from);
  const head = { from, to: payee.email, subject, messageId, date };
  const result = await send({ ...head, text, tryMsMax: TRY_MS_MAX }).catch(unsent);
  if (result.kind === 'accepted') return { state: 'SENT' };
  const { why: error, mayArrive, isFinal } = result;
  if (mayArrive) return { state: 'UNCLEAR', error };
  const delayMs = isFinal
    ? undefined
    : retryDelayMs({ notificationId: id, target: 'payee', attempts });
  return delayMs === undefined
    ? { state: 'REFUSED', error }
    : { state: 'WAITING', error, nextAtMs: nowMs() + delayMs };
}

/** The password could not be read, so nothing has left. */
function unsent(error: unknown): MailResult {
  if (!isBursarError(error)) throw error;
  return { kind: 'failed', why: error.note.what, mayArrive: false, isFinal: false };
}
