import type { RowNumber } from '../rows/row.ts';
import {
  hidesName,
  outcomesOf,
  type MassPayoutFacts,
  namedBy,
  type MassPayoutReads,
} from '../settling/payout-outcomes.ts';
import type { ChunkOutcomes, RowOutcome, OutcomeWithReason } from '../settling/outcome.ts';
import type { RowFinder, WithdrawalRecord } from '../settling/withdrawals.ts';

/** A mass payout and the withdrawals of {@link withdrawalsOf}, all read just now. */
export type FreshRead = MassPayoutReads & Readonly<{ findRows: RowFinder }>;

/** The withdrawals without whose own records an end is not believed once more: also those of a mass payout that FAILED. */
export const withdrawalsOf = (payout: MassPayoutFacts): string[] => {
  const entries = payout.state === 'FAILED' ? payout.withdrawalErrors : namedBy(payout);
  return [...new Set(entries.map(({ withdrawalId }) => withdrawalId))];
};

/**
 * Whether a read covered every row; else it covered only rows with an outcome of their own. It did when each withdrawal
 * was answered by its own record. It also did when no withdrawal can ever be read, and the mass payout has another
 * state than `known`: then the earlier outcomes no longer hold. It did not while a part that cannot be read may name a withdrawal.
 */
export function coversAllRows(
  { lookups, payout }: MassPayoutReads,
  stored: Readonly<{ massPayoutState: string | null }>,
): boolean {
  if (hidesName(payout)) return false;
  const unanswered = [...lookups.values()].filter((lookup) => typeof lookup === 'string');
  const hasChanged = payout.state !== stored.massPayoutState;
  return unanswered.every((lookup) => lookup === 'unavailable' && hasChanged);
}

/**
 * The outcomes of the rows by present reads alone, without waiting. It differs from `judgeChunk` in one case: a mass
 * payout that FAILED does not decide about a withdrawal whose own record has another state. People can send single
 * withdrawals again.
 */
export function recheckOutcomes({ payout, lookups, findRows }: FreshRead): ChunkOutcomes {
  const outcome = outcomesOf({ payout, lookups, findRows, patienceOver: true });
  if (payout.state !== 'FAILED' || outcome.defaultOutcome.outcome !== 'FAILED') return outcome;
  const contradicting = [...lookups.values()].filter(
    (lookup): lookup is WithdrawalRecord => typeof lookup !== 'string' && !hasFailed(lookup),
  );
  const rows = new Map<RowNumber, RowOutcome>();
  let isMapped = true;
  for (const record of contradicting) {
    const candidates = findRows(record);
    isMapped &&= candidates.length === 1;
    for (const row of candidates) rows.set(row, { row, ...contradiction(record) });
  }
  const defaultOutcome = isMapped ? outcome.defaultOutcome : UNMAPPED;
  return {
    ...outcome,
    defaultOutcome: defaultOutcome,
    rows: [...rows.values()].sort((a, b) => a.row - b.row),
  };
}

const hasFailed = ({ state }: WithdrawalRecord): boolean =>
  state === 'FAILED' || state === 'CANCELED';

const contradiction = ({ state }: WithdrawalRecord): OutcomeWithReason => ({
  outcome: 'UNKNOWN',
  reason: `the mass payout FAILED, but the record of this withdrawal says ${state}`,
});

const UNMAPPED: OutcomeWithReason = {
  outcome: 'UNKNOWN',
  reason:
    'the mass payout FAILED, but a withdrawal of it that cannot be told from this row did not',
};
