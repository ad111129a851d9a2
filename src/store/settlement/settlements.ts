import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import {
  parseAmount,
  subtractAmounts,
  sumAmounts,
  formatAmount,
} from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { StatedFee } from '../../domain/report/stated-fee.ts';
import type { Share } from '../../domain/report/totals.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import {
  type ChunkOutcomes,
  type Outcome,
  shownOutcome,
  type OutcomeWithReason,
} from '../../domain/settling/outcome.ts';
import type { PayoutTimes } from '../../domain/settling/payout-times.ts';
import { type ChunkAt, forgetWithdrawalLookups } from './withdrawal-lookups.ts';
import { refuseUnpaidOfPaid, readOutcomes } from './paid-stays.ts';
import { onChunk } from '../audit/audited.ts';
import {
  replaceRows,
  type StoredRowOutcome,
  toRowOutcome,
  outcomesDetail,
} from './row-outcomes.ts';
import type { Schema } from '../database/schema.ts';
import { readStatedFees } from './stated-fees.ts';

export type { StoredRowOutcome } from './row-outcomes.ts';

/**
 * The outcomes of a chunk as they are stored. `unclearSinceMs`: since when its withdrawals are unclear. `keepsLookups`:
 * whether the withdrawal lookups serve the next read too. `payoutFingerprint`: a hash of the mass payout, while its end
 * may change. `reopened`: how often the chunk had been reopened when the mass payout was read.
 */
export type StoredOutcomes = Omit<ChunkOutcomes, 'rows'> &
  Readonly<{
    rows: readonly StoredRowOutcome[];
    fee: string | null;
    unclearSinceMs: number | null;
    keepsLookups: boolean;
    payoutFingerprint: string | null;
    reopened: number;
  }>;

/** The outcomes of a chunk's rows while its mass payout is on its way again. */
export type RowsMeanwhile = Readonly<{
  defaultOutcome: OutcomeWithReason;
  rows: readonly StoredRowOutcome[];
}>;

/** A flag on an open chunk that a person should check. */
export type Attention = Readonly<{ reason: string; sinceMs: number }>;

/** The outcomes of rows: a default for each chunk, and one for each row that differs from it. */
export const createSettlementStore = ({ db, decide }: Access, nowMs: () => number) => ({
  /**
   * Replaces the outcomes of a chunk; the default and those of single rows change together. Returns false, and changes
   * nothing, when the chunk ended or was reopened since the mass payout was read: a slower reader must not overwrite a
   * newer read.
   */
  save: (at: ChunkAt, outcomes: StoredOutcomes): Promise<boolean> =>
    decide([{ batch: at.batchId }, 'chain'], (tx) =>
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
    decide([{ batch: at.batchId }, 'chain'], (tx) =>
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
    decide([{ batch: at.batchId }, 'chain'], (tx) =>
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

  /** The outcomes of single rows of one chunk, by row number. */
  async ofChunk(batchId: string, chunk: number): Promise<Map<number, StoredRowOutcome>> {
    const rows = await db
      .selectFrom('row_outcome')
      .selectAll()
      .where('batch_id', '=', batchId)
      .where('chunk', '=', chunk)
      .execute();
    return new Map(rows.map((row) => [row.row, toRowOutcome(row)]));
  },

  /** Everything that the tie-out holds against the file: rows and amounts by currency and outcome. */
  shares: (batchId: string): Promise<Share[]> => sharesOfChunks(db, batchId),

  /** What mass payouts state as their fees, by currency, without those of which nothing was paid. */
  fees: (batchId: string): Promise<ReadonlyMap<string, StatedFee>> => readStatedFees(db, batchId),
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

/** Rows and amounts by currency and outcome: of all chunks of a batch, or of some. */
export async function sharesOfChunks(
  db: Db,
  batchId: string,
  some?: readonly number[],
): Promise<Share[]> {
  const chunks = await db
    .selectFrom('chunk')
    .select(['chunk', 'state', 'currency', 'row_count', 'total', 'default_outcome'])
    .where('batch_id', '=', batchId)
    .$if(some !== undefined, (query) => query.where('chunk', 'in', some ?? []))
    .execute();
  const rowOutcomes = await db
    .selectFrom('row_outcome')
    .select(['chunk', 'outcome', 'amount'])
    .where('batch_id', '=', batchId)
    .$if(some !== undefined, (query) => query.where('chunk', 'in', some ?? []))
    .execute();
  const byChunk = groupBy(rowOutcomes, (outcomes) => outcomes.chunk);
  return chunks.flatMap((chunk) => sharesOf(chunk, byChunk.get(chunk.chunk) ?? []));
}

/** As `Map.groupBy`, which Node.js 20 does not have. */
function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

type ChunkShare = Pick<
  Schema['chunk'],
  'state' | 'currency' | 'row_count' | 'total' | 'default_outcome'
>;

function sharesOf(
  chunk: ChunkShare,
  rowOutcomes: readonly Pick<Schema['row_outcome'], 'outcome' | 'amount'>[],
): Share[] {
  const { currency } = chunk;
  const named = rowOutcomes.map(
    (outcomes): Share => ({
      currency,
      outcome: outcomes.outcome as Outcome,
      rows: 1,
      amount: outcomes.amount,
    }),
  );
  const namedSum = sumAmounts(rowOutcomes.map((outcomes) => parseAmount(outcomes.amount)));
  const defaultOutcome: Share = {
    currency,
    outcome: shownOutcome(chunk.default_outcome as Outcome, chunk.state as ChunkState),
    rows: chunk.row_count - rowOutcomes.length,
    amount: formatAmount(subtractAmounts(parseSignedAmount(chunk.total), namedSum)),
  };
  return [defaultOutcome, ...named];
}
