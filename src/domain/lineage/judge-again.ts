import type { RowNumber } from '../rows/row.ts';
import {
  judgeChunk,
  type MassPayoutFacts,
  namedBy,
  type WithdrawalLook,
} from '../settling/judge.ts';
import type { ChunkVerdict, RowVerdict, Verdict } from '../settling/outcome.ts';
import type { RowFinder, WithdrawalRecord } from '../settling/withdrawals.ts';

/** A mass payout and its withdrawals, all asked for just now. */
export type FreshRead = Readonly<{
  payout: MassPayoutFacts;
  /** By withdrawal id, of every id of {@link idsToLookAt}. */
  looks: ReadonlyMap<string, WithdrawalLook>;
  findRows: RowFinder;
}>;

/** The withdrawals without whose own records an end is not believed once more: also those of a mass payout that FAILED. */
export const idsToLookAt = (payout: MassPayoutFacts): string[] => {
  const entries = payout.state === 'FAILED' ? payout.withdrawalErrors : namedBy(payout);
  return [...new Set(entries.map(({ withdrawalId }) => withdrawalId))];
};

/**
 * Whether a read spoke of every row; else only rows with a verdict of their own were told anything. It did when each
 * withdrawal was answered by its own record. It also did when none ever can be, and the mass payout says another state than
 * `known` one: then what is known of its rows is known no more.
 */
export function isAllTold(
  { looks, payout }: Pick<FreshRead, 'looks' | 'payout'>,
  known: Readonly<{ massPayoutState: string | null }>,
): boolean {
  const unanswered = [...looks.values()].filter((look) => typeof look === 'string');
  const isNews = payout.state !== known.massPayoutState;
  return unanswered.every((look) => look === 'unavailable' && isNews);
}

/**
 * The rows' outcomes by reads of now alone, with nothing that is still waited for. As `judgeChunk`, but a mass payout that
 * FAILED is not believed about a withdrawal whose own record says something else: people can send single withdrawals again.
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
