import type { BatchBalance, FlowLook, FlowScope, OpeningBalance } from './types.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { type BatchFees, feesNow } from '../../domain/fees/batch-fees.ts';
import type { BalanceCheck, CreatedAgain } from '../../domain/funds/balance-check.ts';
import type { ChunkFlow, QuotedFees } from '../../domain/funds/outflow.ts';
import {
  addAmounts,
  type Amount,
  formatAmount,
  subtractAmounts,
  ZERO,
} from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { Money } from '../../domain/plan/rules.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import { appendAudit } from '../audit/append.ts';
import { MAY_HAVE_CREATED } from '../../domain/sending/evidence.ts';
import { readCreatedAgain } from '../sending/created-again.ts';
import { readChanges, rowChangesOf } from '../recheck/changes.ts';
import { ENGINE } from '../audit/audited.ts';

/** The balances that a batch began and ended with. */
export const createBalanceStore = ({ db, decide }: Access) => ({
  /** The orders of the batches of an account. Without a scope: the batches that hold a claim now. */
  look: (account: string, scope?: FlowScope): Promise<FlowLook> =>
    decide([{ account }], (tx) => look(tx, account, scope)),

  /**
   * What left through batches outside of the scope since then: they ended before, and people sent rows of theirs again in the
   * interface of the service.
   */
  sentAgain: (account: string, scope: FlowScope, sinceMs: number): Promise<ChunkFlow[]> =>
    readSentAgain(db, { account, scope, sinceMs }),

  /** The chunks of a batch of which more than one create may have arrived: their rows may be paid twice. */
  createdAgain: (batchId: string): Promise<CreatedAgain[]> =>
    readCreatedAgain(db, batchId, MAY_HAVE_CREATED),

  /** Creates that left again, with those that were refused as too many: the service should have taken none of those. */
  createdAfterThrottling: (batchId: string): Promise<CreatedAgain[]> =>
    readCreatedAgain(db, batchId, [...MAY_HAVE_CREATED, 'THROTTLED']),

  /** Keeps the opening balance; a later one replaces it until the batch is released to pay. */
  open: (batchId: string, opening: OpeningBalance): Promise<void> =>
    decide([{ batch: batchId }], (tx) => keepOpening(tx, batchId, JSON.stringify(opening))),

  async find(batchId: string): Promise<BatchBalance | undefined> {
    const row = await db
      .selectFrom('balance_check')
      .select(['opening_json', 'check_json'])
      .where('batch_id', '=', batchId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      opening: JSON.parse(row.opening_json) as OpeningBalance,
      check: row.check_json === null ? null : (JSON.parse(row.check_json) as BalanceCheck),
    };
  },

  /**
   * Stores the present result of the balance reads of a batch, with an audit entry. `judge` gets the stored result in
   * the same transaction, so of two workers neither loses a difference that the other has found. A check of null is not
   * stored.
   */
  conclude: <Judged extends Judgement>(
    batchId: string,
    judge: (before: BalanceCheck | null) => Judged,
    atMs: number,
  ): Promise<Judged> =>
    decide([{ batch: batchId }], async (tx) => {
      const before = await readJson(tx, batchId);
      const judged = judge(before === null ? null : (JSON.parse(before) as BalanceCheck));
      const { check } = judged;
      if (check !== null && JSON.stringify(check) !== before) {
        await writeCheck(tx, { batchId, check, atMs });
      }
      return judged;
    }),
});

async function keepOpening(tx: Tx, batchId: string, opening_json: string): Promise<void> {
  await tx
    .insertInto('balance_check')
    .values({ batch_id: batchId, opening_json, check_json: null })
    .onConflict((conflict) =>
      conflict
        .column('batch_id')
        .doUpdateSet({ opening_json })
        .where('balance_check.batch_id', 'in', (query) =>
          query.selectFrom('batch').select('batch_id').where('released_at_ms', 'is', null),
        ),
    )
    .execute();
}

/** The result of a read that is stored; null: none. */
type Judgement = Readonly<{ check: BalanceCheck | null }>;

async function writeCheck(
  tx: Tx,
  { batchId, check, atMs }: Readonly<{ batchId: string; check: BalanceCheck; atMs: number }>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('balance_check')
    .set({ check_json: JSON.stringify(check) })
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const { result, because, lines } = check;
  const detail = { result, because, lines };
  await appendAudit(tx, { atMs, batchId, actor: ENGINE, action: 'check-balance', detail });
}

async function readJson(db: Db, batchId: string): Promise<string | null> {
  const row = await db
    .selectFrom('balance_check')
    .select('check_json')
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  return row?.check_json ?? null;
}

async function look(db: Db, account: string, given?: FlowScope): Promise<FlowLook> {
  const claims = await db
    .selectFrom('claim')
    .select(['batch_id', 'seq', 'freed_at_ms'])
    .where('account', '=', account)
    .execute();
  const isIn = (claim: (typeof claims)[number]): boolean =>
    given === undefined
      ? claim.freed_at_ms === null
      : claim.seq > given.afterSeq || given.batchIds.includes(claim.batch_id);
  const batchIds = claims.filter(isIn).map(({ batch_id }) => batch_id);
  const scope = { batchIds, afterSeq: Math.max(0, ...claims.map(({ seq }) => seq)) };
  return { scope, chunks: await readFlows(db, batchIds), quotes: await readQuotes(db, batchIds) };
}

async function readQuotes(db: Db, batchIds: readonly string[]): Promise<QuotedFees> {
  if (batchIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('batch')
    .select(['batch_id', 'fees_json'])
    .where('batch_id', 'in', batchIds)
    .execute();
  return new Map(rows.map(({ batch_id, fees_json }) => [batch_id, quotesOf(fees_json)]));
}

const quotesOf = (json: string | null): Money[] | null =>
  feesNow(json === null ? null : (JSON.parse(json) as BatchFees))?.map(({ currency, fee }) => ({
    currency,
    amount: fee,
  })) ?? null;

async function readFlows(db: Db, batchIds: readonly string[]): Promise<ChunkFlow[]> {
  if (batchIds.length === 0) return [];
  const chunks = await db
    .selectFrom('chunk')
    .select(['batch_id', 'chunk', 'currency', 'state', 'final', 'total', 'fee', 'default_outcome'])
    .select('row_count')
    .select(({ exists, or, eb, selectFrom }) =>
      or([
        eb('mass_payout_id', 'is not', null),
        exists(
          selectFrom('attempt')
            .select('n')
            .whereRef('attempt.idempotency_key', '=', 'chunk.idempotency_key'),
        ),
      ]).as('is_ordered'),
    )
    .where('batch_id', 'in', batchIds)
    .execute();
  const named = await readNamed(db, batchIds);
  return chunks.map((chunk) => {
    const own = named.get(JSON.stringify([chunk.batch_id, chunk.chunk])) ?? NONE;
    const others = subtractAmounts(parseSignedAmount(chunk.total), own.all);
    const defaultOutcome = chunk.default_outcome as Outcome;
    return {
      batchId: chunk.batch_id,
      chunk: chunk.chunk,
      currency: chunk.currency,
      state: chunk.state as ChunkState,
      isOrdered: Boolean(chunk.is_ordered),
      final: chunk.final === 1,
      total: chunk.total,
      fee: chunk.fee,
      paid: formatAmount(defaultOutcome === 'PAID' ? addAmounts(own.paid, others) : own.paid),
      open: formatAmount(isOpen(defaultOutcome) ? addAmounts(own.open, others) : own.open),
      rows: rowsOf(own.rows, { total: chunk.row_count, defaultOutcome }),
    };
  });
}

type RowCount = Readonly<{ all: number; paid: number; open: number }>;
type Named = Readonly<{ all: Amount; paid: Amount; open: Amount; rows: RowCount }>;

const NO_ROWS: RowCount = { all: 0, paid: 0, open: 0 };
const NONE: Named = { all: ZERO, paid: ZERO, open: ZERO, rows: NO_ROWS };

function rowsOf(
  named: RowCount,
  { total, defaultOutcome }: Readonly<{ total: number; defaultOutcome: Outcome }>,
): ChunkFlow['rows'] {
  const others = total - named.all;
  return {
    total,
    paid: named.paid + (defaultOutcome === 'PAID' ? others : 0),
    open: named.open + (isOpen(defaultOutcome) ? others : 0),
  };
}

/** The rows that have an outcome of their own, summed up by chunk. */
async function readNamed(db: Db, batchIds: readonly string[]): Promise<Map<string, Named>> {
  const outcomes = await db
    .selectFrom('row_outcome')
    .select(['batch_id', 'chunk', 'outcome', 'amount'])
    .where('batch_id', 'in', batchIds)
    .execute();
  const named = new Map<string, Named>();
  for (const { batch_id, chunk, outcome, amount } of outcomes) {
    const name = JSON.stringify([batch_id, chunk]);
    const known = named.get(name) ?? NONE;
    const exact = parseSignedAmount(amount);
    named.set(name, {
      all: addAmounts(known.all, exact),
      paid: outcome === 'PAID' ? addAmounts(known.paid, exact) : known.paid,
      open: isOpen(outcome as Outcome) ? addAmounts(known.open, exact) : known.open,
      rows: {
        all: known.rows.all + 1,
        paid: known.rows.paid + (outcome === 'PAID' ? 1 : 0),
        open: known.rows.open + (isOpen(outcome as Outcome) ? 1 : 0),
      },
    });
  }
  return named;
}

const isOpen = (outcome: Outcome): boolean => outcome === 'UNKNOWN' || outcome === 'IN_FLIGHT';

async function readSentAgain(
  db: Db,
  { account, scope, sinceMs }: Readonly<{ account: string; scope: FlowScope; sinceMs: number }>,
): Promise<ChunkFlow[]> {
  const ended = await db
    .selectFrom('recheck_change')
    .innerJoin('claim', 'claim.batch_id', 'recheck_change.batch_id')
    .select('recheck_change.batch_id')
    .distinct()
    .where('claim.account', '=', account)
    .where('recheck_change.at_ms', '>=', sinceMs)
    .where('claim.seq', '<=', scope.afterSeq)
    .$if(scope.batchIds.length > 0, (query) =>
      query.where('recheck_change.batch_id', 'not in', [...scope.batchIds]),
    )
    .execute();
  const flows: ChunkFlow[] = [];
  for (const { batch_id: batchId } of ended) {
    const noted = (await readChanges(db, batchId)).filter(({ atMs }) => atMs >= sinceMs);
    for (const { currency, amount, after } of rowChangesOf(noted)) {
      if (after !== 'PAID' && !isOpen(after)) continue;
      flows.push({
        batchId,
        chunk: null,
        currency,
        state: 'CREATED',
        isOrdered: true,
        final: true,
        // The fee of one row that was sent again stands nowhere.
        total: amount,
        fee: null,
        paid: '0',
        open: amount,
        rows: { total: 1, paid: 0, open: 1 },
      });
    }
  }
  return flows;
}
