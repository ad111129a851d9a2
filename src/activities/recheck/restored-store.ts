import type { BatchRecord } from '../../store/batches/types.ts';
import { activityInfo } from '@temporalio/activity';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import {
  type Beginning,
  beginningOf as beginningBy,
  isMissCertain,
} from '../../domain/restore/beginning.ts';
import type { Restore } from '../../domain/restore/verification.ts';
import { idempotencyKeyOf } from '../../domain/sending/identity.ts';
import type { ClockReading } from '../../domain/sending/send-record.ts';
import type { MassPayout } from '@bursar/merchant-api';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { Store } from '../../store/index.ts';
import type { StoredRestore, StoreOfRestores } from '../../store/restore/restores.ts';
import { isRefusal } from '../shared/boundary.ts';
import { type LookupCare, lookUpKey } from '../service/lookup.ts';
import { verifyLookupAgain } from '../service/verify-lookups.ts';
import { putHold } from '../shared/put-hold.ts';
import type { Service } from '../service/service.ts';
import { foundPayout } from '../service/verify-payout.ts';

export type RestoredDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
}>;

/** The restore that concerns a batch, with the first reading of this worker's clock since then; undefined: none does. */
export async function restoreOf(deps: ReadingDeps, batchId: string): Promise<Restore | undefined> {
  const known = await deps.store.restores.of(batchId);
  return known === undefined ? undefined : withReading(deps, known);
}

type ReadingDeps = Readonly<{ store: Store; readClock: () => ClockReading }>;

/** A restore with the first reading of this worker's clock since then. */
export const withReading = async (
  { store, readClock }: ReadingDeps,
  { epoch, atMs }: StoredRestore,
): Promise<Restore> => ({
  epoch,
  atMs,
  seen: await store.restores.firstReading(epoch, readClock()),
});

/** What the keys of a batch follow from, and when it was submitted. */
export type Identity = Pick<BatchRecord, 'batchId' | 'account' | 'generation' | 'submittedAtMs'>;

/** What the service shows of the beginning of a batch. */
export type ShownBeginning =
  | Readonly<{ kind: 'begun'; payout: MassPayout }>
  | Readonly<{ kind: Exclude<Beginning, 'begun'> }>;

type NoteDeps = Readonly<{ store: Store; nowMs(): number }>;

/**
 * Stores that the store is an older copy, unless that is stored for the batch: the service has a mass payout of it of which the
 * store has no attempt.
 */
export async function noteOlderStore(
  { store, nowMs }: NoteDeps,
  { batchId }: Readonly<{ batchId: string }>,
): Promise<void> {
  if ((await store.restores.of(batchId)) !== undefined) return;
  const atMs = nowMs();
  const reason = `as the service showed for batch ${batchId}`;
  await store.restores.raise({ atMs, reason, actor: ENGINE, begun: batchId });
}

type NoticeDeps = NoteDeps & Readonly<{ service: Service }>;

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
  const shown = await noteIfOlder(deps, batch, chunks);
  if (shown === 'unanswered' && batch.plannedBefore) retryUnanswered(deps.service);
  if (shown !== 'older') return false;
  const reason = 'the service has a mass payout of it that the store does not know';
  await putHold(deps, batch.batchId, { kind: 'PAUSE', reason });
  return true;
}

/**
 * Looks up the first chunk of a batch that was never sent, as the store says. If the service has it, the store is an older copy,
 * and that is stored. `known`: nothing was shown that the store does not have.
 */
async function noteIfOlder(
  deps: NoticeDeps,
  batch: AccountOfBatch,
  chunks: readonly Pick<ChunkRecord, 'chunk' | 'state' | 'idempotencyKey'>[],
): Promise<'older' | 'known' | 'unanswered'> {
  const { store, service } = deps;
  const first = chunks.find(({ state }) => state === 'PLANNED');
  if (first === undefined) return 'known';
  if ((await store.restores.of(batch.batchId)) !== undefined) return 'known';
  const care = await careFor(deps, batch);
  const { result, payout } = await lookUpKey(service, first.idempotencyKey, care);
  if (result === 'failed') return 'unanswered';
  // A record that does not name the key may be any other.
  if (payout?.idempotencyKey === undefined) return 'known';
  // Another worker may have sent it since: then the attempt is in this store.
  const { state } = await store.chunks.get(batch.batchId, first.chunk);
  if (state !== 'PLANNED') return 'known';
  await noteOlderStore(deps, batch);
  return 'older';
}

type AccountOfBatch = Readonly<{ batchId: string; account: string }>;

/**
 * Whether an older copy explains that more left the account than the store ordered. Example: the store is brought back in the
 * middle of a batch. It lacks the sends of five chunks, whose money has left.
 */
export const isFromOlderStore = async (deps: NoticeDeps, batch: AccountOfBatch): Promise<boolean> =>
  (await noteIfOlder(deps, batch, await deps.store.chunks.list(batch.batchId))) === 'older';

function retryUnanswered({ baseUrl }: Service): void {
  if (activityInfo().attempt >= TRIES_MAX) return;
  const reason = 'no answer whether the batch had begun to pay';
  throw new BursarError('SERVICE_UNREACHABLE', { baseUrl, reason });
}

/** Tries after which a batch goes on though nobody answers: then people are asked for each chunk. */
const TRIES_MAX = 10;

/**
 * Asks for the key of the first chunk, which leaves before all others, while the store may lack sends of the batch. Throws
 * SERVICE_UNREACHABLE when nobody answers.
 */
export async function beginningOf(deps: RestoredDeps, batch: Identity): Promise<ShownBeginning> {
  const { store, service } = deps;
  const { batchId, submittedAtMs } = batch;
  const restore = await store.restores.of(batchId);
  if (restore === undefined) return { kind: 'new' };
  const { epoch } = restore;
  const { result, payout } = await lookUpKey(
    service,
    keyOfFirst(batch),
    await careFor(deps, batch),
  );
  if (payout !== undefined) {
    await store.restores.note(batchId, epoch, 'BEGUN');
    return { kind: 'begun', payout };
  }
  if (result === 'failed') retryUnanswered(service);
  const kind = beginningBy({ submittedAtMs, restore, first: result });
  return { kind: kind === 'begun' ? 'unknown' : kind };
}

/** What may have been sent already takes the answer of every operation. */
async function careFor(
  { store, service }: Readonly<{ store: Store; service: Service }>,
  { account }: AccountOfBatch,
): Promise<LookupCare> {
  const { answering } = await store.lookupVerification.trust(account, service.lookupName);
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
  const { batchId } = batch;
  // A process can stand still while it waits for the answer, which then tells of the time of the question.
  const askedAtMs = nowMs();
  const restore = await store.restores.of(batchId);
  const { kind } = await beginningOf(deps, batch);
  if (restore === undefined) return true;
  if (kind === 'missed') {
    if (!isMissCertain(askedAtMs, restore)) return false;
    const trust = await store.lookupVerification.trust(batch.account, service.lookupName);
    const ref = { batchId, chunk: FIRST, idempotencyKey: keyOfFirst(batch) };
    const { result } = await verifyLookupAgain(deps, { batch, ref, trust });
    if (result !== 'found') return false;
  } else if (kind !== 'new') return false;
  await store.restores.note(batchId, restore.epoch, 'NEW');
  return true;
}

/** Writes down that the store lacks no send of a batch which was submitted long after the last restore. */
export async function noteNew(
  { store }: Readonly<{ store: StoreOfRestores }>,
  batchId: string,
): Promise<void> {
  const restore = await store.restores.of(batchId);
  if (restore !== undefined && !restore.hasBegun) {
    await store.restores.note(batchId, restore.epoch, 'NEW');
  }
}

/** Stores what was found of the first chunk, unless more is stored. */
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
