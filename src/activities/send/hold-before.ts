import type { SendDeps, Sending } from './types.ts';
import type { SendStep } from '../../contract/sending.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { blockReason } from '../../store/recheck/resend-blocks.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Store } from '../../store/index.ts';
import { putHold } from '../shared/put-hold.ts';

type HoldStore = Store;

/** The step that a send returns while its batch is on hold. */
export async function heldStep({ holds }: HoldStore, batchId: string): Promise<SendStep> {
  const [hold] = await holds.open(batchId);
  return hold === undefined
    ? { kind: 'waiting', delayMs: 0, why: 'the batch goes on', inDoubt: false }
    : { kind: 'held', hold };
}

/**
 * Why an attempt may not be made now though nothing is against it by itself; undefined when it may. `hold`: a hold of the
 * batch that was on. One that was put on since stops the attempt in the store.
 */
export async function holdBefore(
  deps: SendDeps,
  sending: Sending,
  { n, hold }: Readonly<{ n: number; hold: Hold | undefined }>,
): Promise<SendStep | undefined> {
  if (hold !== undefined) return { kind: 'held', hold };
  const step = (await holdUnlessWhole(deps, sending)) ?? (await closeIfOutdated(deps, sending, n));
  if (step !== undefined) return step;
  if (sending.options.canaryRows === 0) return undefined;
  return holdBehindCanary(deps, sending);
}

/** Why a batch is held that the store does not allow to pay. An older copy of the store can lack a release or approvals. */
const REASONS = {
  unreleased: 'the store does not know that the batch may pay, as an older copy of it would not',
  unapproved: 'signed statements that its policy asks for are not in the store, or are not genuine',
} as const;

/** Holds a batch until people allow it to pay. */
export const holdUntilApproved = (
  deps: SendDeps,
  batchId: string,
  why: keyof typeof REASONS,
): Promise<SendStep> => holdForApproval(deps, batchId, REASONS[why]);

/** A chunk of a resend whose rows were paid meanwhile is not sent. */
async function closeIfOutdated(
  { store, confirmResend }: SendDeps,
  { batch: { batchId, parentBatchId }, chunk }: Sending,
  n: number,
): Promise<SendStep | undefined> {
  if (parentBatchId === null) return undefined;
  const begun = { chunk: chunk.chunk, attempt: n };
  await confirmResend(batchId, chunk.state === 'PLANNED' ? undefined : begun);
  const { state, resendBlock } = await store.chunks.get(batchId, chunk.chunk);
  if (state === 'NOT_SENT') return { kind: 'closed' };
  if (resendBlock === null) return undefined;
  return { kind: 'waiting', delayMs: 0, why: blockReason(resendBlock), inDoubt: n > 1 };
}

/** Only the approved chunk may be sent. No person can let another one pass: the batch can only be canceled. */
async function holdUnlessWhole(
  deps: SendDeps,
  { batch, chunk, readRows }: Sending,
): Promise<SendStep | undefined> {
  if (await deps.seal.isWhole(batch, chunk, await readRows())) return undefined;
  const reason = `what the store has of chunk ${chunk.chunk} is not what the plan names`;
  return holdForApproval(deps, batch.batchId, reason);
}

/** Holds a batch whose store differs from the approved plan. */
const holdForApproval = async (
  deps: SendDeps,
  batchId: string,
  reason: string,
): Promise<SendStep> => ({
  kind: 'held',
  hold: await putHold(deps, batchId, { kind: 'APPROVAL', reason }),
});

/** The first chunk of a currency is paid before any other of that currency is sent. */
async function holdBehindCanary(
  deps: SendDeps,
  { chunk, ref }: Sending,
): Promise<SendStep | undefined> {
  const { store } = deps;
  const { batchId } = ref;
  const { currency } = chunk;
  const canary = await store.chunks.firstOf(batchId, currency);
  if (canary.chunk === chunk.chunk) return undefined;
  const accepted = await store.holds.lifted(batchId, 'CANARY');
  if (accepted.some(({ facts }) => facts['currency'] === currency)) return undefined;
  if (!canary.final) return { kind: 'behind', chunk: canary.chunk };
  if (await isAllPaid(store, batchId, canary)) return undefined;
  const reason = `the first rows of ${currency} (chunk ${canary.chunk}) were not all paid`;
  const facts = { currency, chunk: String(canary.chunk) };
  return { kind: 'held', hold: await putHold(deps, batchId, { kind: 'CANARY', reason, facts }) };
}

async function isAllPaid(
  { settlements }: Store,
  batchId: string,
  { chunk, rowCount, defaultOutcome }: ChunkRecord,
): Promise<boolean> {
  const rowOutcomes = [...(await settlements.ofChunk(batchId, chunk)).values()];
  const others = rowCount - rowOutcomes.length;
  return (
    rowOutcomes.every(({ outcome }) => outcome === 'PAID') &&
    (others === 0 || defaultOutcome === 'PAID')
  );
}
