import type { Sources } from '../batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { readBatchOptions } from '../../contract/batch.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import { sumByCurrency } from '../../domain/money/sum-by-currency.ts';
import type { Files } from '../../files/index.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { type Engine, type Execution, hasPaidNothing } from '../engine/engine.ts';
import { stateByRecord } from '../batch/standing.ts';

/** The state of the store. `older`: it was restored from an older copy. `empty`: it was lost, and an empty one replaces it. */
export type StoreAge = 'current' | 'older' | 'empty';

/**
 * How a batch was interrupted. `FORGOTTEN`: Temporal does not have it. `ENDED_BY_FORCE`: its workflow was terminated.
 * `ENDED_IN_TEMPORAL`: its workflow completed, and the store lacks that end. `UNKNOWN_TO_STORE`: only Temporal has it.
 */
export type Found = 'FORGOTTEN' | 'ENDED_BY_FORCE' | 'ENDED_IN_TEMPORAL' | 'UNKNOWN_TO_STORE';

/**
 * `START`: its workflow is started again. `RESET`: its workflow is reset to its first task. `SETTLE`: it is reset too, and
 * sends nothing. `NONE`: a person must act first.
 */
export type Action = 'START' | 'RESET' | 'SETTLE' | 'NONE';

/** An interrupted batch, and the action that continues it. */
export type LostBatch = Readonly<{
  batchId: string;
  found: Found;
  action: Action;
  /** The acts of a person that must come first, in sentences; null: none. */
  needs: string | null;
  /** The state in the store, or that in Temporal where the store lacks the batch. */
  state: BatchState;
  file: string | null;
  rows: number | null;
  /** The parent of an open resend. */
  parentBatchId: string | null;
  chunks: Readonly<{ total: number; created: number; inDoubt: number; unsent: number }>;
  /** The totals that may be paid yet, of unsent and ambiguous chunks; null: no worker has read its file. */
  toPay: readonly CurrencyTotal[] | null;
  /** When it is due, ISO 8601; null: at once. */
  at: string | null;
  canceledBy: string | null;
  /** The reasons of its open holds. */
  holds: readonly string[];
}>;

/** The scope of the search. `batchId`: only that batch; null: all. */
export type Wanted = Readonly<{ batchId: string | null; store: StoreAge }>;

type Looking = Readonly<{ sources: Sources; blobs: Files }>;

/** The interrupted batches, in the order of their submits. Throws BATCH_NOT_FOUND. */
export async function findLostBatches(looking: Looking, wanted: Wanted): Promise<LostBatch[]> {
  const { store } = looking.sources;
  const records = await recordsOf(looking.sources, wanted);
  const lost: LostBatch[] = [];
  for (const record of records) {
    const one = await lookAt(looking, record, wanted.store);
    // It may have ended between the two reads.
    const now = one === undefined ? undefined : await store.batches.find(record.batchId);
    if (one !== undefined && now?.endState === null) lost.push(one);
  }
  return [...lost, ...(await unknownToStore(looking, wanted))];
}

async function recordsOf(
  { store, engine }: Sources,
  { batchId }: Wanted,
): Promise<readonly BatchRecord[]> {
  if (batchId === null) return store.batches.listOpen();
  const record = await store.batches.find(batchId);
  if (record !== undefined) return record.endState === null ? [record] : [];
  if ((await (await engine()).describe(batchId)) !== undefined) return [];
  throw new BursarError('BATCH_NOT_FOUND', { batchId, isUnknownToTemporal: true });
}

/** Undefined: its workflow runs. */
async function lookAt(
  { sources, blobs }: Looking,
  record: BatchRecord,
  age: StoreAge,
): Promise<LostBatch | undefined> {
  const execution = await (await sources.engine()).describe(record.batchId);
  const found = foundOf(execution);
  if (found === undefined) return undefined;
  const { store } = sources;
  const chunks = await store.chunks.list(record.batchId);
  const holds = await store.holds.open(record.batchId);
  const needs = await needsOf(record, { found, age, blobs });
  const isUnread = record.summary === null;
  return {
    batchId: record.batchId,
    found,
    needs,
    action: needs === null ? (found === 'ENDED_IN_TEMPORAL' ? 'RESET' : 'START') : 'NONE',
    state: chunks.some(({ state }) => state !== 'PLANNED') ? 'PAYING' : stateByRecord(record),
    file: record.fileName,
    rows: record.summary?.rows ?? null,
    parentBatchId: record.parentBatchId,
    chunks: countChunks(chunks),
    toPay: isUnread ? null : toPayOf(record, chunks),
    at: readBatchOptions(record.optionsJson).at,
    canceledBy: record.canceled?.by ?? null,
    holds: holds.map(({ kind }) => kind),
  };
}

function foundOf(execution: Execution | undefined): Found | undefined {
  if (execution === undefined) return 'FORGOTTEN';
  if (execution.status === 'RUNNING') return undefined;
  return execution.status === 'COMPLETED' ? 'ENDED_IN_TEMPORAL' : 'ENDED_BY_FORCE';
}

type Case = Readonly<{ found: Found; age: StoreAge; blobs: Looking['blobs'] }>;

async function needsOf(
  { batchId, summary, parentBatchId, fileSha256 }: BatchRecord,
  { found, age, blobs }: Case,
): Promise<string | null> {
  if (found === 'ENDED_IN_TEMPORAL' && age === 'current') {
    return `It has ended in Temporal, so the store is an older copy: bursar recover ${batchId} --store older`;
  }
  if (summary !== null || parentBatchId !== null || (await blobs.has(fileSha256))) return null;
  return 'No worker had read its file, and the copy is missing: submit the same file again under this id.';
}

const isUnsent = ({ state }: ChunkRecord): boolean => state === 'PLANNED';
const isInDoubt = ({ state }: ChunkRecord): boolean =>
  state === 'SENDING' || state === 'NEEDS_OPERATOR';

const countChunks = (chunks: readonly ChunkRecord[]): LostBatch['chunks'] => ({
  total: chunks.length,
  created: chunks.filter(({ state }) => state === 'CREATED').length,
  inDoubt: chunks.filter(isInDoubt).length,
  unsent: chunks.filter(isUnsent).length,
});

/** Nothing more of a canceled batch is sent. Before a batch has chunks, its whole file may be. */
function toPayOf(
  { canceled, summary }: BatchRecord,
  chunks: readonly ChunkRecord[],
): NonNullable<LostBatch['toPay']> {
  if (canceled !== null) return [];
  const open = chunks.filter((chunk) => isUnsent(chunk) || isInDoubt(chunk));
  const parts = chunks.length === 0 ? (summary?.currencies ?? []) : open;
  return totalsOf(parts);
}

/** Sums of totals, a line for each currency. */
export const totalsOf = (parts: readonly CurrencyTotal[]): CurrencyTotal[] =>
  sumByCurrency(parts.map(({ currency, total }) => ({ currency, amount: total }))).map(
    ({ currency, amount }) => ({ currency, total: amount }),
  );

/** Batches that an older copy lacks and Temporal still has. A rejected one has paid nothing. */
async function unknownToStore({ sources, blobs }: Looking, wanted: Wanted): Promise<LostBatch[]> {
  const { batchId, store: age } = wanted;
  if (age === 'current') return [];
  const { store, engine: open } = sources;
  const executions = await unknownExecutions(store, await open());
  const lost: LostBatch[] = [];
  for (const [id, execution] of executions) {
    if ((batchId !== null && id !== batchId) || hasPaidNothing(execution)) continue;
    const hasEnded = execution.status === 'COMPLETED';
    // An ended batch sends nothing more. A restart in an empty store would lack the decisions of people about its end.
    if (age === 'empty' && hasEnded && !hasOpenResend(id, executions)) continue;
    const parentBatchId = execution.resend?.parentBatchId ?? null;
    const needs =
      parentBatchId === null
        ? await needsOfFile(blobs, execution)
        : await needsOfResend(store, { ...wanted, batchId: id, parentBatchId });
    const action = hasEnded && hasResend(id, executions) ? 'SETTLE' : 'RESET';
    lost.push({
      ...NOTHING_KNOWN,
      batchId: id,
      parentBatchId,
      needs,
      action: needs === null ? action : 'NONE',
      state: execution.state ?? 'INGESTING',
    });
  }
  return lost;
}

type Executions = ReadonlyMap<string, Execution>;

/** The executions in Temporal of batches that the store lacks. */
async function unknownExecutions(
  { batches }: Sources['store'],
  engine: Engine,
): Promise<Executions> {
  const executions = new Map<string, Execution>();
  for (const id of await engine.recovery.batchIds()) {
    if ((await batches.find(id)) !== undefined) continue;
    const execution = await engine.describe(id);
    if (execution !== undefined) executions.set(id, execution);
  }
  return executions;
}

const resendsOf = (id: string, executions: Executions) =>
  [...executions].filter(([, { resend }]) => resend?.parentBatchId === id);

/**
 * Whether a resend may have paid rows of a batch. Example: the service refused a chunk, the batch ended, and its resend paid the
 * rows. After a restart the batch would not find the chunk, and would send it: its rows would be paid twice.
 */
const hasResend = (id: string, executions: Executions): boolean =>
  resendsOf(id, executions).some(([, execution]) => !hasPaidNothing(execution));

/**
 * Whether an open batch takes its rows from this one, directly or through resends that have ended. Generations grow, so that
 * batches which name each other as parents come to an end.
 */
const hasOpenResend = (id: string, executions: Executions, generation = 0): boolean =>
  resendsOf(id, executions).some(([child, { status, resend }]) => {
    const next = resend?.generation ?? 0;
    return next > generation && (status !== 'COMPLETED' || hasOpenResend(child, executions, next));
  });

/** A batch without its file cannot look its sent chunks up. */
async function needsOfFile(
  blobs: Looking['blobs'],
  { fileSha256 }: Execution,
): Promise<string | null> {
  if (fileSha256 === undefined || (await blobs.has(fileSha256))) return null;
  return `The copy of its file is missing. Put the file into the folder of copies (blob.url), named ${fileSha256}, and recover it again.`;
}

/** A resend takes its rows from the outcomes of its parent, so the parent comes first. */
async function needsOfResend(
  { batches }: Sources['store'],
  { batchId, parentBatchId, store }: Wanted & Readonly<{ batchId: string; parentBatchId: string }>,
): Promise<string | null> {
  const parent = await batches.find(parentBatchId);
  if (parent !== undefined && parent.endState !== null) return null;
  const first =
    parent === undefined ? ` First: bursar recover ${parentBatchId} --store ${store}.` : '';
  return `It is a resend of ${parentBatchId}, which must end first.${first} Then: bursar recover ${batchId} --store ${store}`;
}

const NOTHING_KNOWN = {
  found: 'UNKNOWN_TO_STORE',
  action: 'RESET',
  needs: null,
  file: null,
  rows: null,
  toPay: null,
  at: null,
  canceledBy: null,
  holds: [],
  chunks: { total: 0, created: 0, inDoubt: 0, unsent: 0 },
} satisfies Partial<LostBatch>;
