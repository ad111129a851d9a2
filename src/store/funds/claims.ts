import { larger } from '../engine/portable.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { sql } from 'kysely';
import { type BatchFees, feesNow } from '../../domain/fees/batch-fees.ts';
import type { FundsClaim, OpenChunk } from '../../domain/funds/claim.ts';
import { formatAmount, multiplyAmount } from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import { sumByCurrency } from '../../domain/money/sum-by-currency.ts';
import type { Money } from '../../domain/plan/rules.ts';

export type NewClaim = Readonly<{ batchId: string; account: string; dueAtMs: number | null }>;

/** The claims of an account at one moment. */
export type FundsLook = Readonly<{
  claims: readonly FundsClaim[];
  /** Claims that are made later have a larger `seq`. */
  upToSeq: number;
}>;

/** What follows from a decision about a claim; `unclear` changes nothing. */
export type FundsDecision = 'granted' | 'waits' | 'gives-up' | 'unclear';

export type ClaimQuestion = Readonly<{
  batchId: string;
  account: string;
  nowMs: number;
  /** The read of the claims before the balance was read. */
  before: FundsLook;
  /** The time in which payments of other batches began; null: none. */
  span: Span | null;
}>;

/** From its start up to, and without, its end; milliseconds since 1970. */
type Span = Readonly<{ startMs: number; endMs: number }>;

/**
 * The one ledger of the claims of open batches. A decision sees all claims of its account in the
 * transaction that stores it, and one decision about an account runs at a time: two batches cannot count on the same money.
 */
export const createFundStore = ({ db, decide: decideIn }: Access) => ({
  /** Stores that a batch will need its money; from then on it keeps its place in the queue. */
  claim: (claim: NewClaim): Promise<void> =>
    decideIn([{ account: claim.account }], (tx) => insertClaim(tx, claim)),

  /** Writes down that a batch wants its money now. */
  async ask(claim: NewClaim, nowMs: number): Promise<void> {
    await decideIn([{ account: claim.account }], async (tx) => {
      await insertClaim(tx, claim);
      await tx
        .updateTable('claim')
        .set({ asked_at_ms: nowMs })
        .where('batch_id', '=', claim.batchId)
        .where('asked_at_ms', 'is', null)
        .execute();
    });
  },

  /** The present claims on an account. */
  async look(account: string): Promise<FundsLook> {
    // Read first: a claim that is made during the read counts as later.
    const upToSeq = await lastSeq(db);
    return { upToSeq, claims: await readClaims(db, account, upToSeq) };
  },

  /**
   * Decides about a batch that has asked, and stores the decision in the same step. `decide` receives all claims, the
   * batch's own among them, and the payments that other batches began in the span. Claims that were made after the read
   * come with all their chunks, even if their batch has ended. A batch that gives up loses its place, so that no batch
   * waits behind it.
   */
  decide: <Answer extends Readonly<{ decision: FundsDecision }>>(
    about: ClaimQuestion,
    decide: (claims: readonly FundsClaim[], granted: readonly Money[]) => Answer,
  ): Promise<Answer> =>
    decideIn([{ account: about.account }], async (tx) => {
      const claims = await readClaims(tx, about.account, about.before.upToSeq);
      const answer = decide(claims, await grantedToOthers(tx, about));
      await writeDecision(tx, about, answer.decision);
      return answer;
    }),

  /** Batches that have asked for their money and may not pay yet, with the moment of asking, at most `limit`. */
  async waiting(limit: number): Promise<readonly WaitingBatch[]> {
    return db
      .selectFrom('claim')
      .select(['batch_id as batchId', sql<number>`asked_at_ms`.as('askedAtMs')])
      .where('freed_at_ms', 'is', null)
      .where('asked_at_ms', 'is not', null)
      .where(({ or, eb }) =>
        or([eb('granted_at_ms', 'is', null), eb('waiting_since_ms', 'is not', null)]),
      )
      .orderBy('seq')
      .limit(limit)
      .execute();
  },

  /** Whether a batch was let go. */
  async isGranted(batchId: string): Promise<boolean> {
    const found = await db
      .selectFrom('claim')
      .select('granted_at_ms')
      .where('batch_id', '=', batchId)
      .executeTakeFirst();
    return (found?.granted_at_ms ?? null) !== null;
  },
});

export type WaitingBatch = Readonly<{ batchId: string; askedAtMs: number }>;

/** Frees the claim of a batch that ended. Its grant is kept, since the limits of a day count it. */
export async function freeClaim(tx: Tx, batchId: string, atMs: number): Promise<void> {
  await tx
    .deleteFrom('claim')
    .where('batch_id', '=', batchId)
    .where('granted_at_ms', 'is', null)
    .execute();
  await tx
    .updateTable('claim')
    .set({ freed_at_ms: atMs })
    .where('batch_id', '=', batchId)
    .where('freed_at_ms', 'is', null)
    .execute();
}

async function insertClaim(tx: Tx, { batchId, account, dueAtMs }: NewClaim): Promise<void> {
  await tx
    .insertInto('claim')
    .values({
      batch_id: batchId,
      account,
      due_at_ms: dueAtMs,
      asked_at_ms: null,
      waiting_since_ms: null,
      granted_at_ms: null,
      freed_at_ms: null,
    })
    .onConflict((conflict) => conflict.column('batch_id').doNothing())
    .execute();
}

async function lastSeq(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('claim')
    .select(({ fn }) => fn.max<number | null>('seq').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Claims of batches that have not ended, and all that are newer than `newerThan`, in the order of the queue. */
async function readClaims(db: Db, account: string, newerThan: number): Promise<FundsClaim[]> {
  const rows = await db
    .selectFrom('claim')
    .innerJoin('batch', 'batch.batch_id', 'claim.batch_id')
    .select(['claim.batch_id', 'seq', 'due_at_ms', 'asked_at_ms', 'waiting_since_ms'])
    .select(['granted_at_ms', 'fees_json', 'options_json'])
    .where('claim.account', '=', account)
    .where(({ or, eb }) => or([eb('freed_at_ms', 'is', null), eb('seq', '>', newerThan)]))
    .orderBy('seq')
    .execute();
  const chunks = await readChunks(db, account, newerThan);
  return rows.map((row) => ({
    batchId: row.batch_id,
    seq: row.seq,
    beforeScheduled: goesBeforeScheduled(row.options_json),
    dueAtMs: row.due_at_ms,
    askedAtMs: row.asked_at_ms,
    waitingSinceMs: row.waiting_since_ms,
    grantedAtMs: row.granted_at_ms,
    fees: feesOf(row.fees_json),
    open: chunks.get(row.batch_id) ?? [],
  }));
}

/** Batches that were submitted before there was a choice do not. */
const goesBeforeScheduled = (optionsJson: string): boolean =>
  (JSON.parse(optionsJson) as Readonly<{ beforeScheduled?: boolean }>).beforeScheduled ?? false;

/**
 * ASSUMED: the service takes amount and fee from the balance when it accepts a mass payout; the spec does not state it.
 */
const OPEN_STATES = ['PLANNED', 'SENDING', 'NEEDS_OPERATOR'];

/** Chunks that no mass payout was accepted for, by batch; of claims that are newer than `newerThan`, all. */
async function readChunks(
  db: Db,
  account: string,
  newerThan: number,
): Promise<ReadonlyMap<string, OpenChunk[]>> {
  const rows = await db
    .selectFrom('claim')
    .innerJoin('chunk', 'chunk.batch_id', 'claim.batch_id')
    .select(['claim.batch_id', 'chunk.chunk', 'chunk.currency', 'chunk.total', 'chunk.state'])
    .where('claim.account', '=', account)
    // Of claims alone, so that the chunks of the many that are freed are never read.
    .where(({ or, eb }) => or([eb('freed_at_ms', 'is', null), eb('seq', '>', newerThan)]))
    .where(({ or, eb }) => or([eb('chunk.state', 'in', OPEN_STATES), eb('seq', '>', newerThan)]))
    .execute();
  const chunks = new Map<string, OpenChunk[]>();
  for (const { batch_id, chunk, currency, total, state } of rows) {
    const open = chunks.get(batch_id) ?? [];
    open.push({ chunk, currency, total, sending: state === 'SENDING' });
    chunks.set(batch_id, open);
  }
  return chunks;
}

const feesOf = (json: string | null): Money[] =>
  (feesNow(json === null ? null : (JSON.parse(json) as BatchFees)) ?? []).map(
    ({ currency, fee }) => ({ currency, amount: fee }),
  );

/** Of batches that were granted money in the span: the amounts that they pay, or may have paid if they ended. */
async function grantedToOthers(
  db: Db,
  { batchId, account, span }: ClaimQuestion,
): Promise<Money[]> {
  if (span === null) return [];
  const rows = await db
    .selectFrom('claim')
    .innerJoin('chunk', 'chunk.batch_id', 'claim.batch_id')
    .select(({ fn }) => ['currency', 'total', fn.countAll<number>().as('chunks')])
    .where('claim.account', '=', account)
    .where('claim.batch_id', '!=', batchId)
    .where('granted_at_ms', '>=', span.startMs)
    .where('granted_at_ms', '<', span.endMs)
    .where('chunk.state', 'not in', ['NOT_SENT', 'REJECTED'])
    .groupBy(['currency', 'total'])
    .execute();
  const lines = rows.map(({ currency, total, chunks }) => ({
    currency,
    amount: formatAmount(multiplyAmount(parseSignedAmount(total), chunks)),
  }));
  return sumByCurrency(lines);
}

async function writeDecision(
  tx: Tx,
  { batchId, nowMs }: ClaimQuestion,
  decision: FundsDecision,
): Promise<void> {
  const open = tx
    .updateTable('claim')
    .where('batch_id', '=', batchId)
    .where('freed_at_ms', 'is', null);
  switch (decision) {
    case 'granted':
      // The worker that decided this may have been frozen, and the grant counts on the day of the latest decision.
      await open
        .set({
          granted_at_ms: larger(sql`coalesce(granted_at_ms, 0)`, sql`${nowMs}`),
          waiting_since_ms: null,
        })
        .execute();
      return;
    case 'waits':
      await open.set({ waiting_since_ms: nowMs }).where('waiting_since_ms', 'is', null).execute();
      return;
    case 'gives-up':
      // An earlier grant may be on its way, with any result of this read.
      await tx
        .deleteFrom('claim')
        .where('batch_id', '=', batchId)
        .where('granted_at_ms', 'is', null)
        .execute();
      return;
    case 'unclear':
  }
}
