import type { RowNumber } from '../rows/row.ts';
import {
  judgeChunk,
  type MassPayoutFacts,
  namedBy,
  type MassPayoutReads,
} from '../settling/judge.ts';
import type { ChunkVerdict, RowVerdict, Verdict } from '../settling/outcome.ts';
import type { RowFinder, WithdrawalRecord } from '../settling/withdrawals.ts';

/** A mass payout and the withdrawals of {@link idsToLookAt}, all read just now. */
export type FreshRead = MassPayoutReads & Readonly<{ findRows: RowFinder }>;

/** The withdrawals without whose own records an end is not believed once more: also those of a mass payout that FAILED. */
export const idsToLookAt = (payout: MassPayoutFacts): string[] => {
  const entries = payout.state === 'FAILED' ? payout.withdrawalErrors : namedBy(payout);
  return [...new Set(entries.map(({ withdrawalId }) => withdrawalId))];
};

/**
 * Whether a read covered every row; else it covered only rows with a verdict of their own. It did when each withdrawal
 * was answered by its own record. It also did when no withdrawal can ever be read, and the mass payout has another
 * state than `known`: then the earlier outcomes no longer hold.
 */
export function isAllTold(
  { looks, payout }: MassPayoutReads,
  known: Readonly<{ massPayoutState: string | null }>,
): boolean {
  const unanswered = [...looks.values()].filter((look) => typeof look === 'string');
  const isNews = payout.state !== known.massPayoutState;
  return unanswered.every((look) => look === 'unavailable' && isNews);
}

/**
 * The outcomes of the rows by present reads alone, without waiting. It differs from `judgeChunk` in one case: a mass
 * payout that FAILED does not decide about a withdrawal whose own record has another state. People can send single
 * withdrawals again.
 */
export function judgeAgain({ payout, looks, findRows }: FreshRead): ChunkVerdict {
  const verdict = judgeChunk({ payout, looks, findRows, patienceOver: true });
  if (payout.state !== 'FAILED' || verdict.rest.outcome !== 'FAILED') return verdict;
  const strange = [...looks.values()].filter(
    (look): look is WithdrawalRecord => typeof look !== 'string' && !hasFailed(look),
  );
  const rows = new Map<RowNumber, RowVerdict>();
  let isMapped = true;
  for (const record of strange) {
    const candidates = findRows(record);
    isMapped &&= candidates.length === 1;
    for (const row of candidates) rows.set(row, { row, ...contradiction(record) });
  }
  const rest = isMapped ? verdict.rest : UNMAPPED;
  return { ...verdict, rest, rows: [...rows.values()].sort((a, b) => a.row - b.row) };
}

const hasFailed = ({ state }: WithdrawalRecord): boolean =>
  state === 'FAILED' || state === 'CANCELED';

const contradiction = ({ state }: WithdrawalRecord): Verdict => ({
  outcome: 'UNKNOWN',
  reason: `the mass payout FAILED, but the record of this withdrawal says ${state}`,
});

const UNMAPPED: Verdict = {
  outcome: 'UNKNOWN',
  reason:
    'the mass payout FAILED, but a withdrawal of it that cannot be told from this row did not',
};
