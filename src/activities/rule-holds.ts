import type { PutHoldInput } from '../contract/activities.ts';
import { BursarError, noteOf } from '../domain/errors/bursar-error.ts';
import { feesNow, type FeeQuotes } from '../domain/fees/batch-fees.ts';
import { feeFacts, type FeeVerdict, judgeFees } from '../domain/fees/drift.ts';
import { dayOf, type DayExcess } from '../domain/funds/day-limit.ts';
import type { Hold, HoldKind } from '../domain/holds/hold.ts';
import { ENGINE } from '../store/recorded.ts';
import type { BatchRecord } from '../store/batches.ts';
import type { Store } from '../store/store.ts';
import { rulesOf } from './fee-rules.ts';

const FEE_KINDS: readonly HoldKind[] = ['FEE_DRIFT', 'FEE_CAP'];

type RuleStore = Pick<Store, 'batches' | 'funds' | 'holds'>;

/**
 * The hold of a rule, in the words of the rule. The caller is a workflow, and its words are not evidence: people would approve
 * "fees rose by 1 percent" and the store would accept 500 percent. So reason and facts come from the quotes in the store, and
 * from the figures of the day.
 */
export function worded(batch: BatchRecord | undefined, input: PutHoldInput): PutHoldInput {
  if (input.kind === 'DAY_LIMIT') return { ...input, reason: dayReason(input), by: ENGINE };
  if (!FEE_KINDS.includes(input.kind)) return input;
  const verdict = batch === undefined ? null : feeVerdict(batch);
  // Without facts the hold accepts no fees.
  if (verdict === null || verdict.kind === 'within') return { ...input, facts: {}, by: ENGINE };
  const { reason, facts } = verdict;
  return { ...input, reason, facts, by: ENGINE };
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

function dayReason({ facts, reason }: Pick<PutHoldInput, 'facts' | 'reason'>): string {
  const excesses = excessesIn(facts);
  return excesses.length === 0 ? reason : excessText(excesses);
}

/** Names every excess: whoever lifts a hold lets all of them pass. */
export const excessText = (excesses: readonly DayExcess[]): string =>
  excesses.map((one) => noteOf('DAY_LIMIT_PASSED', one).what).join(' ');

/** The excesses that a DAY_LIMIT hold names. */
export const excessesIn = (facts: Hold['facts']): DayExcess[] =>
  Object.values(facts).map((text) => JSON.parse(text) as DayExcess);

/**
 * Whether the rule that put a hold on allows the payment now. It is decided from the store: the newest fees that the service
 * quoted, the day, and whether the batch was granted its money since.
 */
export async function isOutdated(
  store: RuleStore,
  batch: BatchRecord,
  { hold, nowMs }: Readonly<{ hold: Hold; nowMs: number }>,
): Promise<boolean> {
  if (FEE_KINDS.includes(hold.kind)) return (feeVerdict(batch)?.kind ?? 'within') === 'within';
  if (hold.kind !== 'DAY_LIMIT') return false;
  const today = dayOf(nowMs).day;
  const isPast = excessesIn(hold.facts).every(({ day }) => day < today);
  return isPast || (await store.funds.isGranted(batch.batchId));
}

/** Why fees are in the way of a release; null: they are within the rules, or people accepted them. */
export function feesInTheWay(batch: BatchRecord): string | null {
  const verdict = batch.fees === null ? null : feeVerdict(batch);
  return verdict === null || verdict.kind === 'within' ? null : verdict.reason;
}

/** Throws HOLD_NEEDS_APPROVAL unless people lifted a hold that names these very fees. */
export async function requireLiftedFees(
  store: Pick<Store, 'holds'>,
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

/** Of the excesses that a caller calls accepted, those that a lifted hold names. */
export async function liftedExcesses(
  store: Pick<Store, 'holds'>,
  batchId: string,
  given: readonly DayExcess[],
): Promise<DayExcess[]> {
  if (given.length === 0) return [];
  const lifted = await store.holds.lifted(batchId, 'DAY_LIMIT');
  const named = lifted.flatMap(({ facts }) => excessesIn(facts));
  const isNamed = (one: DayExcess): boolean =>
    named.some(({ day, currency, total }) => {
      return day === one.day && currency === one.currency && total === one.total;
    });
  return given.filter(isNamed);
}
