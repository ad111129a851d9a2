import type { FundsDeps, PlannedBatch } from './types.ts';
import type { Claimed, Funded, OverDayLimit, Short } from '../../contract/activities.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import { dueAtMsOf, isDue } from '../../domain/approval/due.ts';
import { BursarError, noteOf } from '../../domain/errors/bursar-error.ts';
import type { FundsClaim } from '../../domain/funds/claim.ts';
import { dayOf, type DayExcess, excessesOf } from '../../domain/funds/day-limit.ts';
import {
  type FundsVerdict,
  judgeFunds,
  type SomeShortfalls,
} from '../../domain/funds/decide-funds.ts';
import { forecast } from '../../domain/funds/forecast.ts';
import { fundsTooLow } from '../../domain/funds/too-low.ts';
import type { Money } from '../../domain/plan/rules.ts';
import { moneyText } from '../../domain/text/money-text.ts';
import type { FundsDecision, NewClaim } from '../../store/funds/claims.ts';
import { totalsOf } from '../fees/fee-rules.ts';
import { readBalances } from './read-balances.ts';
import { keepOpening } from './read-comparison.ts';
import { acceptedExcesses, excessText, putDayHold } from '../shared/rule-holds.ts';

/**
 * Pauses between reads of a balance while money is on the move, in milliseconds; about ten seconds together. A claim
 * that is still unclear after them counts against the batch.
 */
const UNCLEAR_DELAYS_MS: readonly number[] = [100, 200, 500, 1_000, 2_000, 2_000, 2_000, 2_000];

type Answer = Readonly<{ decision: FundsDecision; result: Funded | Short | OverDayLimit }>;

/**
 * Decides whether a batch may pay now. The ledger is read before and after the balance, as the service takes money
 * meanwhile. The answer is yes only if the balance is enough for every order of events in between. A balance that may
 * be enough is read again. Throws ENDS_UNREADABLE for a batch whose ends no read would show.
 */
export async function checkFunds(
  deps: FundsDeps,
  batch: PlannedBatch,
): Promise<Funded | Short | OverDayLimit> {
  refuseUnlessDue(batch, deps.nowMs());
  const result = await decidePatiently(deps, batch);
  if (result.kind === 'enough') await deps.requireReadableEnds();
  if (result.kind !== 'over-day-limit') return result;
  return { ...result, hold: await putDayHold(deps, batch.batchId, result.excesses) };
}

async function decidePatiently(deps: FundsDeps, batch: PlannedBatch): Promise<Answer['result']> {
  const acceptedDay = await acceptedExcesses(deps.store, batch.batchId);
  await deps.store.funds.ask(claimOf(batch), deps.nowMs());
  for (const delayMs of UNCLEAR_DELAYS_MS) {
    const { decision, result } = await decideOnce(deps, batch, { acceptedDay, isLast: false });
    if (decision !== 'unclear') return result;
    await deps.pause(delayMs);
  }
  const { result } = await decideOnce(deps, batch, { acceptedDay, isLast: true });
  return result;
}

/** Money that is granted weeks ahead would count against the limit of another day than the one on which it leaves. */
function refuseUnlessDue({ batchId, optionsJson, endState }: PlannedBatch, nowMs: number): void {
  if (endState !== null) throw new BursarError('BATCH_ENDED', { batchId, state: endState });
  const dueAtMs = dueAtMsOf(optionsJson);
  if (dueAtMs === null || isDue(dueAtMs, nowMs)) return;
  throw new BursarError('NOT_DUE', { batchId, at: new Date(dueAtMs).toISOString() });
}

type Asked = Readonly<{ acceptedDay: readonly DayExcess[]; isLast: boolean }>;

async function decideOnce(deps: FundsDeps, batch: PlannedBatch, asked: Asked): Promise<Answer> {
  const { batchId, account } = batch;
  const before = await deps.store.funds.look(account);
  const ordered = await deps.store.balances.look(account);
  const currencies = totalsOf(batch.summary).map(({ currency }) => currency);
  const balances = await readBalances(deps.service, account, currencies);
  const nowMs = deps.nowMs();
  const today = dayOf(nowMs);
  const isLimited = dayLimitsOf(batch).length > 0;
  const answer = await deps.store.funds.decide(
    { batchId, account, nowMs, before, span: isLimited ? today : null },
    (claims, granted): Answer => {
      const { fundsWaitMs } = optionsOf(batch);
      const looks = { before: before.claims, after: claims };
      const own = ownClaim(claims, batchId);
      const verdict = judgeFunds({ own, looks, balances, nowMs });
      if (verdict.kind === 'enough') return holdAgainstDay(batch, { ...asked, ...today, granted });
      const result = shortOf(verdict.shortfalls);
      if (mustLookAgain(verdict, own) && !asked.isLast) return { decision: 'unclear', result };
      return { decision: fundsWaitMs === null ? 'gives-up' : 'waits', result };
    },
  );
  if (answer.decision === 'granted') {
    await keepOpening(deps, { batchId, account, currencies }, { before: ordered, balances });
  }
  return answer;
}

/** People are notified once of the missing amount when a batch begins to wait, so that figure must be right. */
const mustLookAgain = (verdict: ShortVerdict, { waitingSinceMs }: FundsClaim): boolean =>
  verdict.kind === 'unclear' || (waitingSinceMs === null && !verdict.isExact);

type ShortVerdict = Exclude<FundsVerdict, { kind: 'enough' }>;

const shortOf = (shortfalls: SomeShortfalls): Short => ({
  kind: 'short',
  error: fundsTooLow(shortfalls),
  short: shortfalls.map(({ currency, short }) => ({ currency, amount: short })),
});

/** Lets a batch go that can be paid, unless more would be paid on this day than its limit allows. */
function holdAgainstDay(
  batch: PlannedBatch,
  given: Readonly<{ day: string; granted: readonly Money[]; acceptedDay: readonly DayExcess[] }>,
): Answer {
  const { day, granted, acceptedDay } = given;
  const own = totalsOf(batch.summary);
  const limits = dayLimitsOf(batch);
  const excesses = excessesOf({ day, limits, own, granted, accepted: acceptedDay });
  const [first] = excesses;
  if (first === undefined) return { decision: 'granted', result: { kind: 'enough' } };
  const error = { ...noteOf('DAY_LIMIT_PASSED', first), what: excessText(excesses) };
  return { decision: 'waits', result: { kind: 'over-day-limit', error, excesses } };
}

const dayLimitsOf = ({ rules }: PlannedBatch): readonly Money[] => rules?.limits.day ?? [];

function ownClaim(claims: readonly FundsClaim[], batchId: string): FundsClaim {
  const own = claims.find((claim) => claim.batchId === batchId);
  if (own !== undefined) return own;
  // Another try of this activity, which Temporal gave up for dead, has given the place up. The next try takes a new
  // one.
  throw new Error(`batch ${batchId} has lost its place while it was decided`);
}

/**
 * Takes the batch's place in the queue for the balance. Returns the amount that the account will lack when its time
 * comes.
 */
export async function claimFunds(deps: FundsDeps, batch: PlannedBatch): Promise<Claimed> {
  await deps.store.funds.claim(claimOf(batch));
  const { claims } = await deps.store.funds.look(batch.account);
  const wanted = new Set(totalsOf(batch.summary).map(({ currency }) => currency));
  const balances = await readBalances(deps.service, batch.account, [...wanted]);
  const steps = forecast({ nowMs: deps.nowMs(), balances, claims, runs: [] });
  const step = steps.find((one) => one.demands.some(({ name }) => name === batch.batchId));
  const short = (step?.short ?? []).filter(({ currency }) => wanted.has(currency));
  const outlook = step === undefined || short.length === 0 ? null : outlookText(step.atMs, short);
  return { kind: 'claimed', short, outlook };
}

const outlookText = (atMs: number, short: readonly Money[]): string =>
  `At ${new Date(atMs).toISOString()} the account will be ${short
    .map(({ amount, currency }) => moneyText(amount, currency))
    .join(', ')} short of all that is due by then or asked first.`;

const claimOf = (batch: PlannedBatch): NewClaim => {
  const { batchId, account, optionsJson } = batch;
  return { batchId, account, dueAtMs: dueAtMsOf(optionsJson) };
};

/** Batches that were submitted before there was a choice have none. */
const optionsOf = ({ optionsJson }: PlannedBatch) => {
  const { fundsWaitMs = null } = JSON.parse(optionsJson) as Partial<BatchOptions>;
  return { fundsWaitMs };
};
