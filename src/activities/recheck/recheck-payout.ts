import type { LateDeps, LateLook, Past } from './types.ts';
import type { ReportedChange } from '../../domain/lineage/change.ts';
import { REOPENED_MAX } from '../../domain/lineage/follow.ts';
import { idsToLookAt, isAllTold, judgeAgain } from '../../domain/lineage/judge-again.ts';
import {
  givenUp,
  type LaterWord,
  laterWord,
  unknownStaysAfter,
} from '../../domain/lineage/later-word.ts';
import { proofBy } from '../../domain/lineage/row-proof.ts';
import { isSoftEnd, type WithdrawalLook } from '../../domain/settling/judge.ts';
import { saidOf } from '../../domain/settling/looks.ts';
import { createRowFinder, type SentRow } from '../../domain/settling/withdrawals.ts';
import type { MassPayout } from '@bursar/merchant-api';
import { inParallel } from '../shared/in-parallel.ts';
import { strangenessNow } from '../settle/judge-payout.ts';
import { sentRows } from '../send/payload.ts';
import { readWithPatience } from '../settle/settle-again.ts';
import { feeText } from '../service/verify-payout.ts';
import { hasLookupWorked, LOOKS_IN_PARALLEL, lookAt } from '../settle/withdrawal-looks.ts';

/**
 * Reads the mass payout of such a chunk again, and the record of every withdrawal that it names: a withdrawal can be
 * sent again while the mass payout keeps its state. Changes are stored.
 */
export async function lookAtCreated(deps: LateDeps, past: Past): Promise<LateLook> {
  if (past.chunk.reopened > REOPENED_MAX) return { kind: 'hidden' };
  const payout = await readWithPatience(deps, past);
  if (payout === 'unanswered' || payout === 'unsure') return { kind: 'unanswered' };
  if (payout === 'refused') return { kind: 'hidden' };
  if ((await strangenessNow(deps, past, payout)).length > 0) return { kind: 'hidden' };
  const rows = await rowsOf(deps, past);
  const looks = await lookAtAll(deps, past, payout);
  const findRows = createRowFinder(rows, past.batch.code);
  const fresh = judgeAgain({ payout, looks, findRows });
  const later = {
    fresh,
    isAllTold: isAllTold({ payout, looks }, { massPayoutState: past.chunk.massState }),
    rows: rows.map(({ row }) => row),
    unknownStays: unknownStaysAfter(await deps.store.late.changes(past.at.batchId)),
  };
  const word = await wordOf(deps, past, later);
  const changes = withAmounts(past, rows, word);
  if (changes.length > 0 && !(await write(deps, past, { payout, word, rows, changes }))) {
    return { kind: 'unanswered' };
  }
  return { kind: 'told', changes, proves: proofBy(later, word) };
}

export const rowsOf = async ({ store }: LateDeps, { batch, options, chunk }: Past) =>
  sentRows({ code: batch.code, options }, await store.staging.rows(batch.ingestId, chunk.chunk));

async function lookAtAll(
  { store, service }: LateDeps,
  { batch }: Past,
  payout: MassPayout,
): Promise<ReadonlyMap<string, WithdrawalLook>> {
  const { api } = service;
  const hasWorked = await hasLookupWorked({ store, service }, batch.account);
  const looks = new Map<string, WithdrawalLook>();
  const canLook = api.hasOperation('LOOKUP');
  await inParallel(LOOKS_IN_PARALLEL, idsToLookAt(payout), async (id) => {
    looks.set(id, canLook ? await lookAt(api, id, hasWorked) : 'unavailable');
  });
  return looks;
}

type Later = Parameters<typeof laterWord>[1];

async function wordOf({ store }: LateDeps, { at, chunk }: Past, later: Later): Promise<LaterWord> {
  const known = {
    rest: { outcome: chunk.restOutcome, reason: chunk.restReason },
    rows: await store.settlements.ofChunk(at.batchId, at.chunk),
  };
  const word = laterWord(known, later);
  const isTooOften = chunk.final && chunk.reopened >= REOPENED_MAX && word.changes.length > 0;
  return isTooOften ? givenUp(known, later.rows, later.fresh.massPayoutState) : word;
}

export function withAmounts(
  { chunk }: Pick<Past, 'chunk'>,
  rows: readonly SentRow[],
  { changes }: Pick<LaterWord, 'changes'>,
): ReportedChange[] {
  const amounts = new Map(rows.map(({ row, amount }) => [row, amount]));
  const { currency } = chunk;
  return changes.map((change) => ({ ...change, currency, amount: amounts.get(change.row) ?? '' }));
}

type News = Readonly<{
  payout: MassPayout;
  word: LaterWord;
  rows: readonly SentRow[];
  changes: readonly ReportedChange[];
}>;

function write(
  { store, nowMs }: LateDeps,
  { at, chunk }: Past,
  { payout, word, rows, changes }: News,
): Promise<boolean> {
  const { verdict } = word;
  const amounts = new Map(rows.map(({ row, amount }) => [row, amount]));
  return store.late.amend(at, {
    was: chunk,
    verdict: {
      ...verdict,
      rows: verdict.rows.map((row) => ({
        ...row,
        chunk: chunk.chunk,
        amount: amounts.get(row.row) ?? '',
      })),
    },
    fee: feeText(payout),
    said: isSoftEnd(verdict) ? saidOf(payout) : null,
    changes,
    atMs: nowMs(),
  });
}
