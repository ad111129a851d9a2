import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import type { ChunkRecord } from '../../../src/store/batches/chunks.ts';
import { type AttackedWorld, type CallEnd, FREE } from './attacked-world.ts';
import { wrongNames } from './signed-names.ts';
import { MAY_LEAVE, type Scene } from './victims.ts';

/** Batches that may have paid, or may pay: people approved them. */
const APPROVED: readonly string[] = [
  ...['held', 'dear', 'canceled', 'ended', 'paying', 'doubtful', 'liftable', 'answered'],
];

/** How an attack broke a law; empty: it broke none. */
export async function broken(
  scene: Scene,
  world: AttackedWorld,
  ends: readonly CallEnd[],
): Promise<string[]> {
  const chunks = await allChunks(world);
  return [
    ...(await wrongCreates(scene, world, chunks)),
    ...(await wrongNames(scene, world)),
    ...(await wrongRows(world, chunks)),
    ...(await wrongEnds(world, chunks)),
    ...(await changedEnd(scene, world)),
    ...ends.flatMap(wildErrors),
  ];
}

/**
 * Law 1: a create needs the signatures of two people who did not submit the batch, for its plan and for each hold. One in need of no
 * approval needs its release, before which fees, funds and limits were checked.
 */
async function wrongCreates(
  scene: Scene,
  { store, attacked }: AttackedWorld,
  chunks: readonly ChunkAt[],
): Promise<string[]> {
  const left: string[] = attacked.state.creates.slice(scene.service.creates.length);
  for (const { batchId, chunk } of MAY_LEAVE) {
    const { idempotencyKey } = await store.chunks.get(batchId, chunk);
    const at = left.indexOf(idempotencyKey);
    if (at >= 0) left.splice(at, 1);
  }
  const batches = await store.batches.list(1_000);
  const released = batches.filter(({ releasedAtMs }) => releasedAtMs !== null);
  const isFree = (key: string): boolean => {
    const of = chunks.find(({ idempotencyKey }) => idempotencyKey === key);
    if (of?.batchId === 'freeLater') return false;
    return of?.currency === FREE && released.some(({ batchId }) => batchId === of.batchId);
  };
  return left
    .filter((key) => !isFree(key))
    .map((key) => `law 1: a create left under ${key} without authority`);
}

type ChunkAt = ChunkRecord & Readonly<{ batchId: string }>;

async function allChunks({ store }: AttackedWorld): Promise<ChunkAt[]> {
  const batches = await store.batches.list(1_000);
  const all = await Promise.all(
    batches.map(async ({ batchId }) =>
      (await store.chunks.list(batchId)).map((chunk) => ({ ...chunk, batchId })),
    ),
  );
  return all.flat();
}

/** Law 3: no row is paid without a payout, and no row that can be paid is said to be unsent. */
async function wrongRows(
  { store, attacked }: AttackedWorld,
  chunks: readonly ChunkAt[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { batchId, chunk, defaultOutcome, state, idempotencyKey } of chunks) {
    const payout = attacked.state.payouts.find((one) => one.idempotencyKey === idempotencyKey);
    const own = [...(await store.settlements.ofChunk(batchId, chunk)).values()];
    const outcomes: unknown[] = [defaultOutcome, ...own.map(({ outcome }) => outcome)];
    const at = `law 3: chunk ${chunk} of ${batchId}`;
    if (outcomes.includes('PAID') && payout?.state !== 'COMPLETED') wrong.push(`${at} is paid`);
    if (state === 'NOT_SENT' && payout !== undefined) wrong.push(`${at} was sent`);
  }
  return wrong;
}

/** Law 3: a batch that ended hides no money that is on its way, and only an approved one has paid. */
async function wrongEnds(
  { store, attacked }: AttackedWorld,
  chunks: readonly ChunkAt[],
): Promise<string[]> {
  const ended = (await store.batches.list(1_000)).filter(({ endState }) => endState !== null);
  return ended.flatMap(({ batchId, endState }) => {
    const own = chunks.filter((chunk) => chunk.batchId === batchId);
    const sent = own.filter(({ idempotencyKey: key }) => attacked.state.creates.includes(key));
    const at = `law 3: ${batchId} ended ${endState}`;
    const isOpen = sent.some(({ final, state }) => !final && state !== 'ABANDONED');
    const saysUnsent = endState === 'REJECTED' || endState === 'REFUSED';
    const isRefused = endState === 'REFUSED';
    const saysPaid = endState === 'COMPLETED' || endState === 'PARTIAL';
    return [
      ...(isOpen ? [`${at} while a create of it is open`] : []),
      // No person signed a refusal.
      ...(isRefused ? [`${at} though no person refused it`] : []),
      ...(saysUnsent && sent.length > 0 ? [`${at} after a create`] : []),
      ...(saysPaid && !APPROVED.includes(batchId) ? [`${at} without approvals`] : []),
    ];
  });
}

/** Law 3: the end that was written down stays, and so does its report. */
async function changedEnd(scene: Scene, world: AttackedWorld): Promise<string[]> {
  const batch = await world.store.batches.find('ended');
  const same = batch?.endState === 'COMPLETED' && batch.error === null;
  const told = (folder: string): string => {
    const path = join(folder, 'runs', 'ended', 'report.json');
    const { state, rows, amounts } = JSON.parse(readFileSync(path, 'utf8')) as Record<
      string,
      unknown
    >;
    return JSON.stringify({ state, rows, amounts });
  };
  const isReported = told(world.folder) === told(scene.folder);
  return same && isReported ? [] : ['law 3: the end of a batch, or its report, was changed'];
}

/** Law 4: an activity fails as Temporal expects, with a code that a workflow can read. */
function wildErrors(end: CallEnd): string[] {
  if ('result' in end) return [];
  const { error } = end;
  if (error instanceof CancelledFailure) return [];
  if (error instanceof ApplicationFailure) return triedForEver(error);
  return [`law 4: an activity threw ${String(error)}`];
}

/** Law 4: input that an activity cannot read is refused once. A record that is missing may be in another store, and is no finding. */
const triedForEver = ({ type, nonRetryable, message }: ApplicationFailure): string[] =>
  type === 'INTERNAL' && nonRetryable !== true && UNREAD.test(message)
    ? [`law 4: tried for ever: ${message}`]
    : [];

const UNREAD = /Cannot read properties|is not a function|is not iterable|null or undefined/;
