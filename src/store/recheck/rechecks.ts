import type { Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { Scopes } from '../engine/scopes.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import type { ReportedChange } from '../../domain/lineage/change.ts';
import { unknownStaysAfter } from '../../domain/lineage/merge-recheck.ts';
import type { ChunkOutcomes } from '../../domain/settling/outcome.ts';
import type { Facts } from '../../domain/audit/facts.ts';
import { appendAudit } from '../audit/append.ts';
import { changeFacts, NAMES, versionFacts } from '../audit/facts.ts';
import { refuseUnpaidOfPaid, readOutcomes } from '../settlement/paid-stays.ts';
import { blockLaterGenerations } from './resend-blocks.ts';
import {
  type RecheckChange,
  type Moved,
  type NotedChange,
  readChanges,
  rowChangesOf,
} from './changes.ts';
import { openEnds } from './open-ends.ts';
import { ROWS_IN_FLIGHT } from '../batches/chunks.ts';
import { type ChunkAt, forgetWithdrawalLookups } from '../settlement/withdrawal-lookups.ts';
import { ENGINE, onBatch, onChunk, type AuditNotes } from '../audit/audited.ts';
import type { Schema } from '../database/schema.ts';
import { lockPayouts, otherOwners } from '../sending/other-owners.ts';
import type { ChunkRef, LookedUpPayout } from '../sending/sends.ts';
import { replaceRows, type StoredRowOutcome, outcomesDetail } from '../settlement/row-outcomes.ts';

export type { RecheckChange, NotedChange } from './changes.ts';

/** New outcomes of a chunk of an ended batch. `was`: the chunk as it stood when its mass payout was read. */
export type Amendment = Readonly<{
  was: Readonly<{ currency: string; final: boolean; reopened: number }>;
  outcomes: Omit<ChunkOutcomes, 'rows'> & Readonly<{ rows: readonly StoredRowOutcome[] }>;
  fee: string | null;
  payoutFingerprint: string | null;
  changes: readonly ReportedChange[];
  atMs: number;
}>;

/** A mass payout of a chunk that was thought never to have been created. */
export type PayoutFoundLater = Readonly<{
  found: LookedUpPayout;
  currency: string;
  /** The changes of its rows, by what they are now. */
  changesTo(after: 'IN_FLIGHT' | 'UNKNOWN'): readonly ReportedChange[];
  atMs: number;
}>;

/** A written report, and what is new in it. */
export type PublishedReport = Readonly<{
  /** The version before, as the store has it. */
  was: number;
  version: number;
  state: EndState;
  atMs: number;
  /** The last change that it holds. */
  upToSeq: number;
}>;

/** What is learnt of batches that are over. Each change is written down together with what follows from it for resends. */
export const createRecheckStore = ({ db, decide }: Access) => ({
  /**
   * Replaces the outcomes of a chunk of an ended batch, and blocks resends of rows that are not unpaid any more.
   * Returns false, and changes nothing, when another worker changed the chunk since it was read.
   */
  amend: (at: ChunkAt, amendment: Amendment): Promise<boolean> =>
    decide(ofLineage(at), (tx) => amend(tx, at, amendment)),

  /**
   * Gives a chunk that was refused or never sent the mass payout that the service has under its key after all. One that is
   * not the ordered one leaves its rows UNKNOWN for good. Returns their outcome now; undefined when the chunk
   * was changed meanwhile.
   */
  adopt: (ref: ChunkRef, find: PayoutFoundLater): Promise<'IN_FLIGHT' | 'UNKNOWN' | undefined> =>
    decide(ofLineage(ref), (tx) =>
      onChunk(
        tx,
        { ...ref, action: 'found-late', atMs: find.atMs, outcomes: true },
        async (notes) => {
          const { found, atMs, currency } = find;
          await lockPayouts(tx, [found.id]);
          const differences = [...found.differences, ...(await otherOwners(tx, ref, found.id))];
          if (!(await adoptPayout(tx, ref, { ...found, differences }))) return undefined;
          const after = differences.length === 0 ? 'IN_FLIGHT' : 'UNKNOWN';
          await replaceRows(tx, ref, []);
          Object.assign(notes.detail, { massPayoutId: found.id, differences });
          const change = { at: ref, changes: find.changesTo(after), atMs, was: { currency } };
          await noteChange(tx, change, notes);
          return after;
        },
      ),
    ),

  /** Chunks of a batch that is over whose ends people can change, or that are on their way again. */
  openEnds: (batchId: string, reopenedMax: number): Promise<number[]> =>
    openEnds(db, batchId, reopenedMax),

  /** Writes down, once, that rows of a batch went into a resend, or came back. */
  noteOnce: (batchId: string, change: Moved, atMs: number): Promise<void> =>
    decide([{ batch: batchId }], (tx) => noteOnce(tx, { batchId, chunk: null, change, atMs })),

  /** All changes of a batch after its report. */
  all: (batchId: string): Promise<NotedChange[]> => readChanges(db, batchId),

  /** The changes of single rows after the first report, in order. */
  async changes(batchId: string): Promise<ReportedChange[]> {
    return rowChangesOf(await readChanges(db, batchId));
  },

  /** Changes that no report holds yet. */
  pending: (batchId: string): Promise<NotedChange[]> => readChanges(db, batchId, null),

  /** Changes that a version of the report was written for. */
  toldIn: (batchId: string, version: number): Promise<NotedChange[]> =>
    readChanges(db, batchId, version),

  /** Makes a report the newest, and its end state the one of the batch. Returns false when another one was written meanwhile. */
  publish: (batchId: string, report: PublishedReport): Promise<boolean> =>
    decide([{ batch: batchId }, 'chain'], (tx) => publish(tx, batchId, report)),
});

/** A change blocks chunks of later generations too, which are other batches. */
const ofLineage = ({ batchId }: ChunkAt): Scopes => [{ batch: batchId }, 'store'];

async function noteOnce(tx: Tx, one: NewChange & Readonly<{ change: Moved }>): Promise<void> {
  const { batchId, change, atMs } = one;
  const known = await readChanges(tx, batchId);
  const text = JSON.stringify(change);
  if (known.some((other) => JSON.stringify(other.change) === text)) return;
  const facts = await insertChange(tx, one);
  const { kind: action, ...detail } = change;
  await appendAudit(tx, { atMs, batchId, actor: ENGINE, action, detail, facts });
}

function amend(tx: Tx, at: ChunkAt, amendment: Amendment): Promise<boolean> {
  const act = { ...at, action: 'amend', atMs: amendment.atMs, outcomes: true } as const;
  return onChunk(tx, act, async (notes) => {
    if (!(await amendOutcomes(tx, at, amendment))) return false;
    Object.assign(notes.detail, outcomesDetail(amendment.outcomes));
    await noteChange(tx, { at, ...amendment }, notes);
    return true;
  });
}

async function amendOutcomes(tx: Tx, at: ChunkAt, amendment: Amendment): Promise<boolean> {
  const before = await readOutcomes(tx, at);
  if (!(await amendChunk(tx, at, amendment))) return false;
  const unknownStays = unknownStaysAfter(rowChangesOf(await readChanges(tx, at.batchId)));
  refuseUnpaidOfPaid(at, before, { ...amendment.outcomes, unknownStays });
  await replaceRows(tx, at, amendment.outcomes.rows);
  await forgetWithdrawalLookups(tx, at);
  return true;
}

async function amendChunk(tx: Tx, at: ChunkAt, amendment: Amendment): Promise<boolean> {
  const { was, outcomes, fee, payoutFingerprint: fingerprint } = amendment;
  const changed = await tx
    .updateTable('chunk')
    .set({
      mass_state: outcomes.massPayoutState,
      default_outcome: outcomes.defaultOutcome.outcome,
      default_reason: outcomes.defaultOutcome.reason,
      final: outcomes.final ? 1 : 0,
      unclear_since_ms: null,
      payout_fingerprint: fingerprint,
      reopened: was.reopened + (was.final ? 1 : 0),
      ...(fee === null ? {} : { fee }),
    })
    .where('batch_id', '=', at.batchId)
    .where('chunk', '=', at.chunk)
    .where('state', '=', 'CREATED')
    .where('final', '=', was.final ? 1 : 0)
    .where('reopened', '=', was.reopened)
    .where('batch_id', 'in', (query) =>
      query.selectFrom('batch').select('batch_id').where('end_state', 'is not', null),
    )
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

async function adoptPayout(tx: Tx, ref: ChunkRef, found: LookedUpPayout): Promise<boolean> {
  const isOurs = found.differences.length === 0;
  const unlike = `the service has a mass payout under this key that is not what was asked for (${found.differences.join('; ')})`;
  const changed = await tx
    .updateTable('chunk')
    .set({
      mass_payout_id: found.id,
      mass_state: found.state,
      fee: found.fee,
      differences_json: JSON.stringify(found.differences),
      unclear_since_ms: null,
      // An empty fingerprint is that of no payout, so its rows are read; null would leave the chunk out of the next recheck.
      ...(isOurs
        ? { state: 'CREATED', ...ROWS_IN_FLIGHT, payout_fingerprint: '' }
        : { state: 'ABANDONED', default_outcome: 'UNKNOWN', default_reason: unlike, final: 1 }),
    })
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .where('state', 'in', ['REJECTED', 'NOT_SENT'])
    .where('mass_payout_id', 'is', null)
    .where('batch_id', 'in', (query) =>
      query.selectFrom('batch').select('batch_id').where('end_state', 'is not', null),
    )
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

type Noted = Pick<Amendment, 'changes' | 'atMs'> &
  Readonly<{ at: ChunkAt; was: Readonly<{ currency: string }> }>;

/** Stores a change, and blocks the chunks of later generations whose rows are not unpaid any more. */
async function noteChange(
  tx: Tx,
  { at, changes, atMs, was }: Noted,
  notes: AuditNotes,
): Promise<void> {
  const { batchId } = at;
  const change = { kind: 'outcomes', rows: changes } as const;
  Object.assign(notes.facts, await insertChange(tx, { ...at, change, atMs }));
  const rows = changes
    .filter(({ after }) => after !== 'FAILED' && after !== 'NOT_SENT')
    .map(({ row }) => row);
  await blockLaterGenerations(tx, { batchId, currency: was.currency, rows, atMs });
}

type NewChange = Readonly<{
  batchId: string;
  chunk: number | null;
  change: RecheckChange;
  atMs: number;
}>;

async function insertChange(tx: Tx, one: NewChange): Promise<Facts> {
  const row = await tx
    .insertInto('recheck_change')
    .values({
      batch_id: one.batchId,
      chunk: one.chunk,
      at_ms: one.atMs,
      detail_json: JSON.stringify(one.change),
      version: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { [NAMES.change(row.seq)]: changeFacts(row) };
}

async function publish(tx: Tx, batchId: string, report: PublishedReport): Promise<boolean> {
  const before = await tx
    .selectFrom('batch')
    .select(['end_state', 'ended_at_ms'])
    .where('batch_id', '=', batchId)
    .where('report_version', '=', report.was)
    .executeTakeFirst();
  if (before === undefined || before.end_state === null) return false;
  const first = { version: 1, at_ms: before.ended_at_ms ?? 0, state: before.end_state };
  const { version, state, atMs } = report;
  const versions: Omit<Schema['report_version'], 'batch_id'>[] = [
    first,
    { version, at_ms: atMs, state },
  ];
  await onBatch(tx, { batchId, atMs, action: 'report-version' }, async ({ detail, facts }) => {
    Object.assign(detail, { version, state });
    for (const one of versions) {
      const written = await tx
        .insertInto('report_version')
        .values({ batch_id: batchId, ...one })
        .onConflict((conflict) => conflict.columns(['batch_id', 'version']).doNothing())
        .executeTakeFirst();
      if (written.numInsertedOrUpdatedRows === 0n) continue;
      facts[NAMES.version(one.version)] = versionFacts(one);
    }
    await tx
      .updateTable('batch')
      .set({ report_version: version, end_state: state })
      .where('batch_id', '=', batchId)
      .execute();
    const notes = await tx
      .updateTable('recheck_change')
      .set({ version })
      .where('batch_id', '=', batchId)
      .where('version', 'is', null)
      .where('seq', '<=', report.upToSeq)
      .returning('seq')
      .execute();
    for (const { seq } of notes) facts[NAMES.change(seq)] = { version };
  });
  return true;
}
