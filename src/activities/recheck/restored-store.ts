import type { BatchRecord } from '../../store/batches/types.ts';
import { activityInfo } from '@temporalio/activity';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import type { RestoredStore } from '../../domain/sending/fence.ts';
import { idempotencyKeyOf } from '../../domain/sending/identity.ts';
import type { ClockReading } from '../../domain/sending/send-record.ts';
import type { MassPayout } from '@bursar/merchant-api';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { Store } from '../../store/index.ts';
import { ON_THEIR_WAY_MS, WATCH_SUBJECTS } from '../../store/housekeeping/health-checks.ts';
import { isRefusal } from '../shared/boundary.ts';
import { type LookupCare, lookUpKey } from '../service/lookup.ts';
import { proveLookupAgain } from '../service/verify-lookups.ts';
import { putHold } from '../shared/put-hold.ts';
import type { Service } from '../service/service.ts';
import { foundPayout } from '../service/verify-payout.ts';

export type RestoredDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
}>;

/** Whether the store may have forgotten sends of the batch, and the first reading of this worker's clock since then. */
export async function restoredOf(
  { store, readClock }: Readonly<{ store: Store; readClock: () => ClockReading }>,
  batch: Pick<BatchRecord, 'batchId' | 'submittedAtMs'>,
): Promise<RestoredStore | undefined> {
  const atMs = await store.watches.restoredAtMsOf(batch);
  if (atMs === undefined) return undefined;
  return { atMs, seen: await store.watches.firstReading(atMs, readClock()) };
}

/** What the keys of a batch follow from, and when it was submitted. */
export type Identity = Pick<BatchRecord, 'batchId' | 'account' | 'generation' | 'submittedAtMs'>;

/**
 * Whether a batch had begun to pay before its store was brought back from an older copy. `new`: it had not. `begun`: the service has
 * its first mass payout. `missed`: it has not, which is certain only later. `unknown`: nobody can say.
 */
export type Beginning =
  | Readonly<{ kind: 'begun'; payout: MassPayout }>
  | Readonly<{ kind: 'new' | 'missed' | 'unknown' }>;

/** What is written down when the service shows that the store is an older copy. */
type OlderDeps = Readonly<{ store: Store; nowMs(): number }>;

/**
 * Writes down that the store was brought back from an older copy, unless that is known for the batch: the service has a mass payout of it
 * of which the store knows no attempt. From then on what may be forgotten is looked up with the care that this takes.
 */
export async function noteOlderStore(
  { store, nowMs }: OlderDeps,
  batch: Readonly<{ batchId: string; submittedAtMs: number }>,
): Promise<void> {
  if ((await store.watches.restoredAtMsOf(batch)) !== undefined) return;
  const { batchId } = batch;
  const atMs = nowMs();
  const detail = `as the service showed for batch ${batchId}`;
  await store.watches.note(WATCH_SUBJECTS.store, { condition: 'older', detail, atMs });
  // Whatever the clocks say of when it was submitted.
  await store.watches.noteRestored(batchId, 'BEGUN', atMs + 1);
  const entry = { actor: ENGINE, action: 'store-older', detail: { reason: detail } };
  await store.audit.append({ ...entry, atMs, batchId: null });
}

type NoticeDeps = OlderDeps & Readonly<{ store: Store; service: Service }>;

/**
 * Asks, once its plan is made, for the first chunk of a batch that was never sent, as the store says. If the service has it the store is
 * an older copy: that is written down, and the batch waits for somebody to resume it, since what people decided after the copy was taken is
 * forgotten. Answers whether. Throws SERVICE_UNREACHABLE when nobody answers for a batch that was `plannedBefore`.
 */
export async function noticeOlderStore(
  deps: NoticeDeps,
  batch: Identity & Readonly<{ plannedBefore: boolean }>,
  chunks: readonly Pick<ChunkRecord, 'chunk' | 'state' | 'idempotencyKey'>[],
): Promise<boolean> {
  const { store, service } = deps;
  const first = chunks.find(({ state }) => state === 'PLANNED');
  if (first === undefined) return false;
  if ((await store.watches.restoredAtMsOf(batch)) !== undefined) return false;
  const care = await careFor(deps, batch);
  const { result, payout } = await lookUpKey(service, first.idempotencyKey, care);
  if (result === 'failed' && batch.plannedBefore) retryUnanswered(service);
  // A record that does not name the key may be any other.
  if (payout?.idempotencyKey === undefined) return false;
  // A former run of the batch may have sent it since: then the attempt is in this store.
  const { state } = await store.chunks.get(batch.batchId, first.chunk);
  if (state !== 'PLANNED') return false;
  await noteOlderStore(deps, batch);
  const reason = 'the service has a mass payout of it that the store does not know';
  await putHold(deps, batch.batchId, { kind: 'PAUSE', reason });
  return true;
}

function retryUnanswered({ baseUrl }: Service): void {
  if (activityInfo().attempt >= TRIES_MAX) return;
  const reason = 'no answer whether the batch had begun to pay';
  throw new BursarError('SERVICE_UNREACHABLE', { baseUrl, reason });
}

/** Tries after which a batch goes on though nobody answers: then people are asked for each chunk. */
const TRIES_MAX = 10;

/**
 * Asks for the key of the first chunk, which leaves before all others, once a store was brought back from an older copy: the id of any
 * batch may be that of one which it forgot. Throws SERVICE_UNREACHABLE when nobody answers.
 */
export async function beginningOf(deps: RestoredDeps, batch: Identity): Promise<Beginning> {
  const { store, service, nowMs } = deps;
  if ((await store.watches.restoredAtMs()) === undefined) return { kind: 'new' };
  const isKnownThen = (await store.watches.restoredAtMsOf(batch)) !== undefined;
  const { result, payout } = await lookUpKey(
    service,
    keyOfFirst(batch),
    await careFor(deps, batch),
  );
  if (payout !== undefined) {
    await store.watches.noteRestored(batch.batchId, 'BEGUN', nowMs());
    return { kind: 'begun', payout };
  }
  if (result === 'failed') retryUnanswered(service);
  if (!isKnownThen) return { kind: 'new' };
  return { kind: result === 'missed' ? 'missed' : 'unknown' };
}

/** What may have been sent already takes the answer of every operation. */
async function careFor(
  { store, service }: Readonly<{ store: Store; service: Service }>,
  { account }: Pick<Identity, 'account'>,
): Promise<LookupCare> {
  const { answering } = await store.proofs.trust(account, service.baseUrl);
  return { answering, isThorough: true };
}

const FIRST = 0;

const keyOfFirst = (batch: Identity): string => idempotencyKeyOf({ ...batch, chunk: FIRST });

/**
 * Does what may end in a refusal. A batch is called rejected, with nothing sent, only when it is certain that an older copy of the store
 * has not forgotten what was sent of it; until then it throws BATCH_MAY_HAVE_BEGUN, and is tried again.
 */
export async function refusingOnlyNew<Result>(
  deps: RestoredDeps,
  batch: Identity,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isBursarError(error) || !isEnding(error)) throw error;
    if (await isCertainlyNew(deps, batch)) throw error;
    const { code } = error;
    throw new BursarError(
      'BATCH_MAY_HAVE_BEGUN',
      { batchId: batch.batchId, code },
      { cause: error },
    );
  }
}

/** Whether it ends a batch that is being prepared. */
export const isEnding = (error: BursarError): boolean =>
  // Nobody waits for a service that does not answer while rows are chosen: the resend is begun anew when it does.
  error.code === 'RESEND_UNREAD' || isRefusal(error);

async function isCertainlyNew(deps: RestoredDeps, batch: Identity): Promise<boolean> {
  const { store, service, nowMs } = deps;
  // A process can stand still while it waits for the answer, which then tells of the time of the question.
  const askedAtMs = nowMs();
  const { kind } = await beginningOf(deps, batch);
  if (kind !== 'missed') return kind === 'new';
  const restoredAtMs = (await store.watches.restoredAtMsOf(batch)) ?? 0;
  if (askedAtMs <= restoredAtMs + ON_THEIR_WAY_MS) return false;
  const trust = await store.proofs.trust(batch.account, service.baseUrl);
  const ref = { batchId: batch.batchId, chunk: FIRST, idempotencyKey: keyOfFirst(batch) };
  const { result } = await proveLookupAgain(deps, { batch, ref, trust });
  if (result !== 'proven') return false;
  await store.watches.noteRestored(batch.batchId, 'NEW', askedAtMs);
  return true;
}

/** Writes down what was found of the first chunk, unless more is known of it. */
export async function adoptFirst(
  { store, nowMs }: RestoredDeps,
  { batchId, account }: Identity,
  payout: MassPayout,
): Promise<void> {
  const chunk = await store.chunks.get(batchId, FIRST);
  if (chunk.state !== 'PLANNED') return;
  const { idempotencyKey } = chunk;
  await store.sends.recordLookup(
    { batchId, chunk: FIRST, idempotencyKey },
    { atMs: nowMs(), attempts: 0, result: 'found' },
    foundPayout(account, chunk, payout),
  );
}
