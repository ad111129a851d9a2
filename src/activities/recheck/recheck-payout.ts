import type { RecheckDeps, RecheckResult, FinishedChunk } from './types.ts';
import type { ReportedChange } from '../../domain/lineage/change.ts';
import { REOPENED_MAX } from '../../domain/lineage/follow.ts';
import {
  withdrawalsOf,
  coversAllRows,
  recheckOutcomes,
} from '../../domain/lineage/recheck-outcomes.ts';
import {
  giveUpOutcomes,
  type MergedRecheck,
  mergeRecheck,
  unknownStaysAfter,
} from '../../domain/lineage/merge-recheck.ts';
import { unpaidProof } from '../../domain/lineage/row-proof.ts';
import { isSoftEnd, type WithdrawalLookup } from '../../domain/settling/payout-outcomes.ts';
import { payoutFingerprint } from '../../domain/settling/withdrawal-lookups.ts';
import { createRowFinder, type SentRow } from '../../domain/settling/withdrawals.ts';
import type { MassPayout } from '@bursar/merchant-api';
import { inParallel } from '../shared/in-parallel.ts';
import { currentDifferences } from '../settle/settle-payout.ts';
import { sentRows } from '../send/payload.ts';
import { readWithPatience } from '../settle/settle-again.ts';
import { feeText } from '../service/verify-payout.ts';
import {
  hasLookupWorked,
  LOOKUPS_IN_PARALLEL,
  lookUpWithdrawal,
} from '../settle/look-up-withdrawals.ts';

/**
 * Reads the mass payout of such a chunk again, and the record of every withdrawal that it names: a withdrawal can be
 * sent again while the mass payout keeps its state. Changes are stored.
 */
export async function recheckPayout(
  deps: RecheckDeps,
  finished: FinishedChunk,
): Promise<RecheckResult> {
  if (finished.chunk.reopened > REOPENED_MAX) return { kind: 'hidden' };
  const payout = await readWithPatience(deps, finished);
  if (payout === 'unanswered' || payout === 'unsure') return { kind: 'unanswered' };
  if (payout === 'refused') return { kind: 'hidden' };
  if ((await currentDifferences(deps, finished, payout)).length > 0) return { kind: 'hidden' };
  const rows = await rowsOf(deps, finished);
  const lookups = await lookUpAll(deps, finished, payout);
  const findRows = createRowFinder(rows, finished.batch.code);
  const fresh = recheckOutcomes({ payout, lookups, findRows });
  const later = {
    fresh,
    coversAllRows: coversAllRows(
      { payout, lookups },
      { massPayoutState: finished.chunk.massState },
    ),
    rows: rows.map(({ row }) => row),
    unknownStays: unknownStaysAfter(await deps.store.rechecks.changes(finished.at.batchId)),
  };
  const merged = await mergeWithStored(deps, finished, later);
  const changes = withAmounts(finished, rows, merged);
  if (
    changes.length > 0 &&
    !(await write(deps, finished, { payout, recheck: merged, rows, changes }))
  ) {
    return { kind: 'unanswered' };
  }
  return { kind: 'read', changes, proves: unpaidProof(later, merged) };
}

export const rowsOf = async ({ store }: RecheckDeps, { batch, options, chunk }: FinishedChunk) =>
  sentRows({ code: batch.code, options }, await store.staging.rows(batch.ingestId, chunk.chunk));

async function lookUpAll(
  { store, service }: RecheckDeps,
  { batch }: FinishedChunk,
  payout: MassPayout,
): Promise<ReadonlyMap<string, WithdrawalLookup>> {
  const { api } = service;
  const hasWorked = await hasLookupWorked({ store, service }, batch.account);
  const lookups = new Map<string, WithdrawalLookup>();
  const canLook = api.hasOperation('LOOKUP');
  await inParallel(LOOKUPS_IN_PARALLEL, withdrawalsOf(payout), async (id) => {
    lookups.set(id, canLook ? await lookUpWithdrawal(api, id, hasWorked) : 'unavailable');
  });
  return lookups;
}

type RecheckRead = Parameters<typeof mergeRecheck>[1];

async function mergeWithStored(
  { store }: RecheckDeps,
  { at, chunk }: FinishedChunk,
  later: RecheckRead,
): Promise<MergedRecheck> {
  const known = {
    defaultOutcome: { outcome: chunk.defaultOutcome, reason: chunk.defaultReason },
    rows: await store.settlements.ofChunk(at.batchId, at.chunk),
  };
  const merged = mergeRecheck(known, later);
  const isTooOften = chunk.final && chunk.reopened >= REOPENED_MAX && merged.changes.length > 0;
  return isTooOften ? giveUpOutcomes(known, later.rows, later.fresh.massPayoutState) : merged;
}

export function withAmounts(
  { chunk }: Pick<FinishedChunk, 'chunk'>,
  rows: readonly SentRow[],
  { changes }: Pick<MergedRecheck, 'changes'>,
): ReportedChange[] {
  const amounts = new Map(rows.map(({ row, amount }) => [row, amount]));
  const { currency } = chunk;
  return changes.map((change) => ({ ...change, currency, amount: amounts.get(change.row) ?? '' }));
}

type RecheckWrite = Readonly<{
  payout: MassPayout;
  recheck: MergedRecheck;
  rows: readonly SentRow[];
  changes: readonly ReportedChange[];
}>;

function write(
  { store, nowMs }: RecheckDeps,
  { at, chunk }: FinishedChunk,
  { payout, recheck: merged, rows, changes }: RecheckWrite,
): Promise<boolean> {
  const { merged: outcomes } = merged;
  const amounts = new Map(rows.map(({ row, amount }) => [row, amount]));
  return store.rechecks.amend(at, {
    was: chunk,
    outcomes: {
      ...outcomes,
      rows: outcomes.rows.map((row) => ({
        ...row,
        chunk: chunk.chunk,
        amount: amounts.get(row.row) ?? '',
      })),
    },
    fee: feeText(payout),
    payoutFingerprint: isSoftEnd(outcomes) ? payoutFingerprint(payout) : null,
    changes,
    atMs: nowMs(),
  });
}
