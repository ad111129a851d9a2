import type { Tx } from '../../../src/store/database/db.ts';
import type { Access } from '../../../src/store/database/decide.ts';
import { type OutcomeWithReason } from '../../../src/domain/settling/outcome.ts';
import type { PayoutTimes } from '../../../src/domain/settling/payout-times.ts';
import {
  type ChunkAt,
  forgetWithdrawalLookups,
} from '../../../src/store/settlement/withdrawal-lookups.ts';
import { refuseUnpaidOfPaid, readOutcomes } from '../../../src/store/settlement/paid-stays.ts';
import { onChunk } from '../../../src/store/audit/audited.ts';
import { replaceRows, outcomesDetail } from '../../../src/store/settlement/row-outcomes.ts';
import type {
  Attention,
  RowsMeanwhile,
  StoredOutcomes,
} from '../../../src/store/settlement/outcomes.ts';
import type { Schema } from '../../../src/store/database/schema.ts';

/** The outcomes of rows: a default for each chunk, and one for each row that differs from it. */
export const createReferenceSettlements = ({ decide }: Access, nowMs: () => number) => ({
  /**
   * Replaces the outcomes of a chunk; the default and those of single rows change together. Returns false, and changes
   * nothing, when the chunk ended or was reopened since the mass payout was read: a slower reader must not overwrite a
   * newer read.
   */
  save: (at: ChunkAt, outcomes: StoredOutcomes): Promise<boolean> =>
    decide([{ batch: at.batchId }], (tx) =>
      onChunk(
        tx,
        { ...at, action: 'settle', atMs: nowMs(), outcomes: true },
        async ({ detail }) => {
          if (!(await replaceOutcomes(tx, at, outcomes))) return false;
          Object.assign(detail, outcomesDetail(outcomes));
          return true;
        },
      ),
    ),

  /**
   * Stores that the mass payout of an open chunk belongs to another request: none of its states is about these rows.
   * The send activity then asks a person.
   */
  disown: (at: ChunkAt, differences: readonly string[]): Promise<void> =>
    decide([{ batch: at.batchId }], (tx) =>
      onChunk(tx, { ...at, action: 'disown', atMs: nowMs() }, async ({ detail }) => {
        await setDifferences(tx, at, differences);
        detail['differences'] = differences;
      }),
    ),

  /**
   * Reopens a chunk: the mass payout was changed after its end, and the outcomes of its rows are open again.
   * `meanwhile` has the outcomes of its rows until the next read. Returns false when another worker reopened the
   * chunk since it was read as `reopened`, or when the batch is over: a written report stands.
   */
  reopen: (at: ChunkAt, reopened: number, meanwhile: RowsMeanwhile): Promise<boolean> =>
    decide([{ batch: at.batchId }], (tx) =>
      onChunk(tx, { ...at, action: 'reopen', atMs: nowMs(), outcomes: true }, async () => {
        const before = await readOutcomes(tx, at);
        if (!(await takeBack(tx, at, { reopened, rest: meanwhile.defaultOutcome }))) return false;
        refuseUnpaidOfPaid(at, before, { ...meanwhile, unknownStays: () => reopened > 0 });
        await replaceRows(tx, at, meanwhile.rows);
        await forgetWithdrawalLookups(tx, at);
        return true;
      }),
    ),

  /** Stores how long an open chunk has been in its state, and whether a person should check it. */
  setTimes: (at: ChunkAt, times: PayoutTimes, attention: Attention | undefined): Promise<void> =>
    decide([{ batch: at.batchId }], (tx) => setPayoutTimes(tx, at, { times, attention })),
});

async function replaceOutcomes(tx: Tx, at: ChunkAt, outcomes: StoredOutcomes): Promise<boolean> {
  // An open chunk that was never reopened has no row that is PAID.
  const before = outcomes.reopened === 0 ? undefined : await readOutcomes(tx, at);
  if (!(await setChunk(tx, at, outcomes))) return false;
  if (before !== undefined) {
    refuseUnpaidOfPaid(at, before, { ...outcomes, unknownStays: () => true });
  }
  await replaceRows(tx, at, outcomes.rows);
  if (!outcomes.keepsLookups) await forgetWithdrawalLookups(tx, at);
  return true;
}

async function setDifferences(
  tx: Tx,
  { batchId, chunk }: ChunkAt,
  differences: readonly string[],
): Promise<void> {
  await tx
    .updateTable('chunk')
    .set({ differences_json: JSON.stringify(differences) })
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .where('final', '=', 0)
    .execute();
}

async function setChunk(
  tx: Tx,
  { batchId, chunk }: ChunkAt,
  outcomes: StoredOutcomes,
): Promise<boolean> {
  const changed = await tx
    .updateTable('chunk')
    .set({
      mass_state: outcomes.massPayoutState,
      default_outcome: outcomes.defaultOutcome.outcome,
      default_reason: outcomes.defaultOutcome.reason,
      final: outcomes.final ? 1 : 0,
      unclear_since_ms: outcomes.unclearSinceMs,
      payout_fingerprint: outcomes.payoutFingerprint,
      ...(outcomes.final ? UNWATCHED : {}),
      ...(outcomes.fee === null ? {} : { fee: outcomes.fee }),
    })
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .where('final', '=', 0)
    .where('reopened', '=', outcomes.reopened)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** An ended chunk needs no check. */
const UNWATCHED: Partial<Schema['chunk']> = {
  open_since_ms: null,
  state_since_ms: null,
  unreadable_since_ms: null,
  attention_reason: null,
  attention_since_ms: null,
};

async function setPayoutTimes(
  tx: Tx,
  at: ChunkAt,
  { times, attention }: Readonly<{ times: PayoutTimes; attention: Attention | undefined }>,
): Promise<void> {
  await tx
    .updateTable('chunk')
    .set({
      open_since_ms: times.openSinceMs,
      state_since_ms: times.stateSinceMs,
      unreadable_since_ms: times.unreadSinceMs,
      attention_reason: attention?.reason ?? null,
      attention_since_ms: attention?.sinceMs ?? null,
    })
    .where('batch_id', '=', at.batchId)
    .where('chunk', '=', at.chunk)
    .where('state', '=', 'CREATED')
    .where('final', '=', 0)
    .execute();
}

async function takeBack(
  tx: Tx,
  at: ChunkAt,
  { reopened, rest: defaultOutcome }: Readonly<{ reopened: number; rest: OutcomeWithReason }>,
): Promise<boolean> {
  const changed = await tx
    .updateTable('chunk')
    .set({
      final: 0,
      default_outcome: defaultOutcome.outcome,
      default_reason: defaultOutcome.reason,
      unclear_since_ms: null,
      payout_fingerprint: null,
      reopened: reopened + 1,
    })
    .where('batch_id', '=', at.batchId)
    .where('chunk', '=', at.chunk)
    .where('state', '=', 'CREATED')
    .where('final', '=', 1)
    .where('reopened', '=', reopened)
    .where('batch_id', 'in', (query) =>
      query.selectFrom('batch').select('batch_id').where('end_state', 'is', null),
    )
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}
