import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import type { Db } from '../database/db.ts';
import { type AuthorityFacts, mayPay, type PayVerdict } from '../../domain/approval/authority.ts';
import { dueAtMsOf, isReleased, type ReleaseTimes } from '../../domain/approval/due.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { type ApprovedBatch, questionOfBatch } from '../../domain/approval/question.ts';
import { type ApprovalProgress, standingOf } from '../../domain/approval/standing.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import type { HouseRules } from '../../domain/plan/rules.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import type { OperatorAnswer } from '../../domain/sending/send-record.ts';
import { allHolds, openHolds } from './hold-records.ts';
import type { Schema } from '../database/schema.ts';
import { readStatements } from './statements.ts';
import { readBatchSubmission } from '../batches/submissions.ts';

/** The columns of a batch that decide whether it may pay. */
export const PAY_COLUMNS = [
  'batch_id',
  'submitted_by',
  'digest',
  'rules_json',
  'options_json',
  'released_at_ms',
  'planned_at_ms',
  'canceled_json',
  'end_state',
] as const;

export type AuthorityRow = Pick<Schema['batch'], (typeof PAY_COLUMNS)[number]>;

/** A chunk that is about to be sent, and the answer that a person gave for it. */
export type ChunkToSend = Readonly<{
  chunk: number;
  idempotencyKey: string;
  answer: OperatorAnswer | null;
}>;

/** What decides whether a batch may pay. `facts`: those of its policy; undefined: it has none. */
export type PayGround = Readonly<{
  row: AuthorityRow;
  isHeld: boolean;
  facts: AuthorityFacts | undefined;
}>;

/** Reads it in the transaction of the attempt. */
export async function readGround(db: Db, row: AuthorityRow): Promise<PayGround> {
  const isHeld = (await openHolds(db, row.batch_id)).length > 0;
  return { row, isHeld, facts: policyIn(row) === null ? undefined : await readFacts(db, row) };
}

/** Decides whether a chunk of the batch may be sent. */
export function mayPayNow({ row, isHeld, facts }: PayGround, chunk: ChunkToSend): PayVerdict {
  const isStopped = row.canceled_json !== null || row.end_state !== null;
  if (isStopped) return { kind: 'held' };
  if (row.digest === null || !isReleased(releaseTimesOf(row))) return { kind: 'unreleased' };
  if (isHeld) return { kind: 'held' };
  return facts === undefined ? { kind: 'may-pay' } : mayPay({ ...facts, answer: answerOf(chunk) });
}

/** Everything in the store that decides whether a batch may pay, without an answer about a chunk. */
export async function readFacts(db: Db, row: AuthorityRow): Promise<AuthorityFacts> {
  const batch = await approvedBatch(db, row);
  return {
    batch: {
      ...batch,
      ...releaseTimesOf(row),
      plannedAtMs: row.planned_at_ms,
      isStopped: row.canceled_json !== null || row.end_state !== null,
    },
    submissions: await readBatchSubmission(db, row.batch_id),
    statements: await readStatements(db, row.batch_id),
    holds: await allHolds(db, row.batch_id),
    answer: null,
  };
}

export const releaseTimesOf = ({
  released_at_ms: releasedAtMs,
  options_json: options,
}: AuthorityRow): ReleaseTimes => ({
  releasedAtMs,
  dueAtMs: dueAtMsOf(options),
});

/** The answer "not created" of a chunk; null when there is no such answer. */
export function answerOf(chunk: ChunkToSend): AuthorityFacts['answer'] {
  if (chunk.answer?.kind !== 'not-created') return null;
  const { attempts, about = attempts, atMs } = chunk.answer;
  const { chunk: number, idempotencyKey } = chunk;
  return { chunk: number, idempotencyKey, answer: 'not-created', attempts: about, atMs };
}

/** The present state of the approvals of a plan, or of one hold of it; null when the plan needs none. */
export async function readStanding(
  db: Db,
  batchId: string,
  { hold, atMs }: Readonly<{ hold: Hold | null; atMs: number }>,
): Promise<ApprovalProgress | null> {
  const question = questionOfBatch(await approvedBatch(db, await authorityRow(db, batchId)), hold);
  if (question === null) return null;
  return standingOf(question, await readStatements(db, batchId), atMs);
}

export const findAuthorityRow = (db: Db, batchId: string): Promise<AuthorityRow | undefined> =>
  db.selectFrom('batch').select(PAY_COLUMNS).where('batch_id', '=', batchId).executeTakeFirst();

/** @throws BATCH_NOT_FOUND */
export async function authorityRow(db: Db, batchId: string): Promise<AuthorityRow> {
  const row = await findAuthorityRow(db, batchId);
  if (row === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  return row;
}

/** The approval policy of a plan; null when it has none, or is not made yet. */
export const policyIn = ({ rules_json: rules }: AuthorityRow): ApprovalPolicy | null =>
  rules === null ? null : (JSON.parse(rules) as HouseRules).approval;

async function approvedBatch(db: Db, row: AuthorityRow): Promise<ApprovedBatch> {
  const totals = row.digest === null ? null : await totalsOf(db, row.batch_id, row.digest);
  return {
    batchId: row.batch_id,
    submittedBy: row.submitted_by,
    digest: row.digest,
    rules: row.rules_json === null ? null : (JSON.parse(row.rules_json) as HouseRules),
    summary: totals === null ? null : { currencies: totals },
  };
}

/** Totals of plans, by batch and digest: the digest covers every row, so that the totals of one digest never change. */
const knownTotals = new Map<string, readonly CurrencyTotal[]>();
const TOTALS_MAX = 100;

async function totalsOf(
  db: Db,
  batchId: string,
  digest: string,
): Promise<readonly CurrencyTotal[] | null> {
  const name = `${batchId} ${digest}`;
  const known = knownTotals.get(name);
  if (known !== undefined) return known;
  const { summary_json: summary } = await db
    .selectFrom('batch')
    .select('summary_json')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  if (summary === null) return null;
  const { currencies } = JSON.parse(summary) as IngestSummary;
  const totals = currencies.map(({ currency, total }) => ({ currency, total }));
  const [oldest] = knownTotals.size < TOTALS_MAX ? [] : knownTotals.keys();
  if (oldest !== undefined) knownTotals.delete(oldest);
  knownTotals.set(name, totals);
  return totals;
}
