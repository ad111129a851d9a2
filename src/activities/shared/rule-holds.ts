import type { BatchRecord } from '../../store/batches/types.ts';
import { BursarError, noteOf } from '../../domain/errors/bursar-error.ts';
import { feesNow, type FeeQuotes } from '../../domain/fees/batch-fees.ts';
import { feeFacts, type FeeVerdict, judgeFees } from '../../domain/fees/drift.ts';
import { dayOf, type DayExcess } from '../../domain/funds/day-limit.ts';
import type { Hold, HoldKind } from '../../domain/holds/hold.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { Store } from '../../store/index.ts';
import { rulesOf } from '../fees/fee-rules.ts';

/** Kinds of holds that the fee rules put on. */
export const FEE_KINDS: readonly HoldKind[] = ['FEE_DRIFT', 'FEE_CAP'];

type RuleStore = Store;

/**
 * The hold of the fee rules, with quotes of the store; undefined when they need none. The caller is a workflow, and its
 * words are not evidence: people would approve "fees rose by 1 percent" and the store would accept 500 percent.
 */
export function feeHoldOf(
  batch: BatchRecord | undefined,
): Pick<Hold, 'kind' | 'reason' | 'facts'> | undefined {
  const verdict = batch === undefined ? null : feeVerdict(batch);
  if (verdict === null || verdict.kind === 'within') return undefined;
  const { kind, reason, facts } = verdict;
  return { kind: kind === 'drift' ? 'FEE_DRIFT' : 'FEE_CAP', reason, facts };
}

function feeVerdict(batch: BatchRecord): FeeVerdict | null {
  const { summary, fees } = batch;
  if (summary === null) return null;
  // A service that does not quote fees any more is judged by that.
  const quotes = fees?.newest === undefined ? feesNow(fees) : fees.newest.quotes;
  // The plan's own quotes have nothing earlier to be compared with.
  const isFirst = fees?.newest === undefined && fees?.accepted === undefined;
  const before = isFirst ? null : fees;
  return judgeFees({ ...rulesOf({ ...batch, summary }), quotes, before });
}

/** Names every excess: a lift of the hold lets all of them pass. */
export const excessText = (excesses: readonly DayExcess[]): string =>
  excesses.map((one) => noteOf('DAY_LIMIT_PASSED', one).what).join(' ');

/** Holds a batch for the limit of the day, with the figures that were found. A hold with other figures gives way. */
export const putDayHold = (
  { store, nowMs }: Readonly<{ store: Store; nowMs(): number }>,
  batchId: string,
  excesses: readonly DayExcess[],
): Promise<Hold> => {
  const facts = Object.fromEntries(excesses.map((one, i) => [String(i), JSON.stringify(one)]));
  const hold = { kind: 'DAY_LIMIT', reason: excessText(excesses), by: ENGINE, facts } as const;
  return store.holds.put(batchId, { ...hold, replaces: true }, nowMs());
};

/** The excesses that a DAY_LIMIT hold names. */
const excessesIn = (facts: Hold['facts']): DayExcess[] =>
  Object.values(facts).map((text) => JSON.parse(text) as DayExcess);

/**
 * Why the rule that put a hold on allows the payment now; null when it does not. It is decided from the store: the newest fees that the service
 * quoted, the day, and whether the batch was granted its money since.
 */
export async function whyOutdated(
  store: RuleStore,
  batch: BatchRecord,
  { hold, nowMs }: Readonly<{ hold: Hold; nowMs: number }>,
): Promise<string | null> {
  if (FEE_KINDS.includes(hold.kind)) {
    return (feeVerdict(batch)?.kind ?? 'within') === 'within' ? LETS_PASS : null;
  }
  if (hold.kind !== 'DAY_LIMIT') return null;
  const today = dayOf(nowMs).day;
  const isPast = excessesIn(hold.facts).every(({ day }) => day < today);
  if (isPast) return 'a new day has begun';
  return (await store.funds.isGranted(batch.batchId)) ? LETS_PASS : null;
}

const LETS_PASS = 'the rule lets it pass now';

/** Why fees are in the way of a release; null: they are within the rules, or people accepted them. */
export function feesInTheWay(batch: BatchRecord): string | null {
  const verdict = batch.fees === null ? null : feeVerdict(batch);
  return verdict === null || verdict.kind === 'within' ? null : verdict.reason;
}

/** Throws HOLD_NEEDS_APPROVAL unless people lifted a hold that names these very fees. */
export async function requireLiftedFees(
  store: Store,
  batch: BatchRecord,
  quotes: FeeQuotes,
): Promise<void> {
  const lifted = await Promise.all(
    FEE_KINDS.map((kind) => store.holds.lifted(batch.batchId, kind)),
  );
  const { fees } = feeFacts(quotes, null);
  if (lifted.flat().some(({ facts }) => facts['fees'] === fees)) return;
  throw new BursarError('HOLD_NEEDS_APPROVAL', { batchId: batch.batchId, hold: `fees of ${fees}` });
}

/** The excesses of the limit of a day that people let pass, the newest first. */
export async function acceptedExcesses({ holds }: Store, batchId: string): Promise<DayExcess[]> {
  return (await holds.lifted(batchId, 'DAY_LIMIT')).flatMap(({ facts }) => excessesIn(facts));
}
