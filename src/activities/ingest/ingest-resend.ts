import type { BatchRecord } from '../../store/batches/types.ts';
import { cancellationSignal } from '@temporalio/activity';
import type { Ingested, Refused } from '../../contract/activities.ts';
import { type BatchInput, type BatchOptions, readBatchOptions } from '../../contract/batch.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { historyNoteOf } from '../../domain/errors/history-note.ts';
import type { HouseRules } from '../../domain/plan/rules.ts';
import type { Row } from '../../domain/rows/row.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import { resendIdOf } from '../../domain/lineage/resend-id.ts';
import { hasNumber } from '../../domain/rows/row-numbers.ts';
import { batchCodeOf } from '../../domain/sending/identity.ts';
import { ingestRows } from '../../ingest/index.ts';
import { readRowNumbers } from '../../report/resent-rows.ts';
import { createRowsHash, type RowsHash } from '../../report/rows-hash.ts';
import { unpaidRows } from '../../report/unpaid-rows.ts';
import type { Store } from '../../store/index.ts';
import type { AuditLog } from './audit-log.ts';
import { type ConfirmDeps, closeUnlessUnpaid, confirmUnpaid } from '../recheck/confirm-unpaid.ts';
import { reportAgain } from '../report/report-again.ts';
import {
  beginningOf,
  type Identity,
  isEnding,
  refusingOnlyNew,
} from '../recheck/restored-store.ts';
import { recordSubmission, takerOf } from './submission.ts';

export type ResendDeps = ConfirmDeps &
  Readonly<{
    store: Store;
    /** The account id behind an account's name. */
    accountOf(accountRef: string): string;
    /** The house rules of this worker's settings. */
    rules: HouseRules;
    audit?: AuditLog;
  }>;

/** Rows that are handed on together. */
const PAGE_ROWS = 1_000;

/** The rows of a resend, taken from the store and read once more; every try is audited, refused or not. */
export async function ingestResend(
  deps: ResendDeps,
  input: BatchInput,
): Promise<Ingested | Refused> {
  const named = { ...input, account: deps.accountOf(input.accountRef) };
  const identity = { ...named, submittedAtMs: Date.parse(input.submittedAt) };
  try {
    const summary = await refusingOnlyNew(deps, identity, () => readResend(deps, input, identity));
    await audit(deps, input, { action: 'resend', rows: summary.rows });
    return ingestedOf(summary);
  } catch (error) {
    if (!isBursarError(error) || !isEnding(error)) throw error;
    await audit(deps, input, { action: 'resend-refused', code: error.code });
    return { kind: 'refused', error: historyNoteOf(error) };
  }
}

/** Writes the resend down and takes its rows, which were proven unpaid just now, unless it has begun. */
async function readResend(
  deps: ResendDeps,
  input: BatchInput,
  identity: Identity,
): Promise<IngestSummary> {
  const { kind } = await beginningOf(deps, identity);
  // A miss that is not certain yet proves nothing about another id either.
  const isNew = kind === 'new' || kind === 'missed';
  if (isNew) await refuseForgotten(deps, input, identity);
  const batch = await register(deps, input);
  const summary = batch.summary ?? (await copyRows(deps, batch));
  if (isNew && !(await hasBegun(deps, batch))) {
    const { byBatch } = await confirmUnpaid(deps, { batchId: batch.batchId });
    await tellEarlier(deps, batch, byBatch);
  } else {
    await closeUnlessUnpaid(deps, batch.batchId);
    await tellEarlier(deps, batch, await heldByEarlier(deps, batch.batchId));
  }
  return summary;
}

/**
 * Another resend would pay the rows of a forgotten resend again: the service is searched for the id that it usually
 * has.
 */
async function refuseForgotten(
  deps: ResendDeps,
  { parentBatchId }: BatchInput,
  identity: Identity,
): Promise<void> {
  const [root] = await deps.store.lineage.line(parentBatchId ?? '');
  const parent = await deps.store.batches.find(parentBatchId ?? '');
  if (root === undefined || parent === undefined) return;
  if ((await deps.store.restores.of(parent.batchId)) === undefined) return;
  const child = resendIdOf(root.batchId, identity.generation);
  if (child === identity.batchId || (await deps.store.batches.find(child)) !== undefined) return;
  const { kind } = await beginningOf(deps, { ...identity, batchId: child });
  if (kind === 'begun') {
    throw new BursarError('RESEND_FORGOTTEN', { batchId: parent.batchId, child });
  }
}

/** How many rows of a resend each earlier batch holds. */
async function heldByEarlier(
  { store }: ResendDeps,
  batchId: string,
): Promise<ReadonlyMap<string, number>> {
  const line = await store.lineage.line(batchId);
  const own = line.find((each) => each.batchId === batchId);
  const wanted = await readRowNumbers(store, own ?? { ingestId: null });
  const held = new Map<string, number>();
  for (const earlier of line.slice(0, own === undefined ? 0 : line.indexOf(own))) {
    const numbers = await readRowNumbers(store, earlier);
    held.set(earlier.batchId, numbers.filter((row) => hasNumber(wanted, row)).length);
  }
  return held;
}

const ingestedOf = (summary: IngestSummary): Ingested => ({
  kind: 'ingested',
  rows: summary.rows,
  refusedRows: summary.refusedRows,
  chunks: summary.chunks,
  currencies: summary.currencies.map(({ currency, rows, total }) => ({ currency, rows, total })),
});

/** Writes the resend down, unless it is; only one that was stated to be the only one is ever begun. */
async function register(deps: ResendDeps, input: BatchInput): Promise<BatchRecord> {
  const { store, accountOf } = deps;
  const { batchId, parentBatchId, statement = '' } = input;
  if (parentBatchId === null) throw new BursarError('INTERNAL', { message: 'not a resend' });
  const known = await store.batches.find(batchId);
  if (known === undefined && statement.trim() === '') {
    throw new BursarError('RESEND_UNSTATED', { expected: 'nothing was resent elsewhere' });
  }
  const account = accountOf(input.accountRef);
  const batch = await store.lineage.registerResend({
    batchId,
    parentBatchId,
    account,
    code: batchCodeOf(account, batchId),
    accountRef: input.accountRef,
    fileName: input.file.name,
    fileSha256: input.file.sha256,
    submittedBy: input.submittedBy,
    submittedAtMs: Date.parse(input.submittedAt),
    optionsJson: JSON.stringify(input.options),
    generation: input.generation,
    takenBy: takerOf(deps, input),
  });
  await recordSubmission(deps, input);
  if (batch.endState === null) return batch;
  throw new BursarError('BATCH_ENDED', { batchId, state: batch.endState });
}

/** Whether a run of it that was reset or forgotten sent something: then it is settled, with any present decision. */
const hasBegun = async ({ store }: ResendDeps, { batchId }: BatchRecord): Promise<boolean> =>
  (await store.chunks.list(batchId)).some(
    // A chunk that was blocked before it was sent is closed.
    ({ state, resendBlock }) =>
      state !== 'PLANNED' && (state !== 'NOT_SENT' || resendBlock === null),
  );

/** Copies every row that may be sent again. Its number, address, amount, comment and reference stay the same. */
async function copyRows({ store, rules }: ResendDeps, batch: BatchRecord): Promise<IngestSummary> {
  const { batchId, generation } = batch;
  const options = readBatchOptions(batch.optionsJson);
  const line = await store.lineage.line(batchId);
  const earlier = line.filter((each) => each.generation < generation);
  let unclear = 0;
  const hash = createRowsHash();
  const rows = unpaidRows(store, earlier, () => {
    unclear += 1;
  });
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  try {
    const source = {
      name: batch.fileName,
      fileSha256: batch.fileSha256,
      sizeBytes: earlier[0]?.summary?.sizeBytes ?? 0,
      pages: pagesOf(rows, hash),
    };
    const { chunkRows, canaryRows } = options;
    const how = { chunkRows, canaryRows, limits: rules.limits, signal: cancellationSignal() };
    const summary = await ingestRows(source, how, sink);
    await flush();
    if (summary.rows === 0) {
      throw new BursarError('RESEND_NOTHING', { batchId: batch.parentBatchId ?? '', unclear });
    }
    refuseOthers(batchId, { rows: summary.rows, rowsSha256: hash.sha256() }, options);
    await store.staging.publish(batchId, ingestId, summary);
    return summary;
  } catch (error) {
    await store.staging.discard(ingestId);
    throw error;
  }
}

/** Refuses any rows but the confirmed ones. */
function refuseOthers(
  batchId: string,
  { rows, rowsSha256 }: Readonly<{ rows: number; rowsSha256: string }>,
  { expectCount, rowsSha256: expected = rowsSha256 }: BatchOptions,
): void {
  if (expectCount !== null && expectCount !== rows) {
    throw new BursarError('RESEND_OUTDATED', {
      batchId,
      count: Math.abs(expectCount - rows),
      rows: `${expectCount} rows were confirmed, and ${rows} are left`,
    });
  }
  if (expected === rowsSha256) return;
  const others = 'as many are left, and they are others than were confirmed';
  throw new BursarError('RESEND_OUTDATED', { batchId, count: rows, rows: others });
}

async function* pagesOf(
  rows: ReturnType<typeof unpaidRows>,
  hash: RowsHash,
): AsyncGenerator<Row[]> {
  let page: Row[] = [];
  for await (const { line } of rows) {
    const { row, address, amount, currency, comment, reference, name } = line.row;
    hash.add(line.row);
    page.push({ row, address, amount, currency, comment, reference, name });
    if (page.length < PAGE_ROWS) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** The rows leave the resend lists of the earlier batches, so that no person sends them again from there. */
async function tellEarlier(
  deps: ResendDeps,
  { batchId }: BatchRecord,
  byBatch: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [earlier, rows] of byBatch) {
    await deps.store.rechecks.noteOnce(earlier, { kind: 'resent', batchId, rows }, deps.nowMs());
    await reportAgain(deps, earlier);
  }
}

async function audit(
  { audit: log, nowMs, rules }: ResendDeps,
  input: BatchInput,
  { action, ...more }: Readonly<{ action: string; rows?: number; code?: string }>,
): Promise<void> {
  const { batchId, submittedBy, parentBatchId, generation, options, statement = '' } = input;
  const { expectCount, expectTotals } = options;
  const detail = { parentBatchId, generation, statement, expectCount, expectTotals, ...more };
  // Any caller can give these words. The signed submit, with the words that were signed, has an entry of its own.
  const actor = unsignedActor(rules.approval, submittedBy);
  await log?.append({ atMs: nowMs(), batchId, actor, action, detail });
}
