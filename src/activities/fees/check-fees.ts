import type { FundsDeps, PlannedBatch } from '../funds/types.ts';
import type { FeesStopped, FeesWithin, Quoted } from '../../contract/activities.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type FeeQuotes, isFeeQuotes } from '../../domain/fees/batch-fees.ts';
import { type FeeVerdict, judgeFees } from '../../domain/fees/drift.ts';
import { quoteFees } from './quote-fees.ts';
import { rulesOf } from './fee-rules.ts';
import { requireLiftedFees } from '../shared/rule-holds.ts';

/** The quotes of the plan: made once, and kept from then on. */
export async function quotePlan(deps: FundsDeps, batch: PlannedBatch): Promise<Quoted> {
  const quotes =
    batch.fees === null ? await quoteFees(deps.service, batch.summary) : batch.fees.quotes;
  if (batch.fees === null) await deps.store.batches.setFees(batch.batchId, { quotes });
  const verdict = judgeFees({ ...rulesOf(batch), quotes, before: null });
  return { kind: 'quoted', fees: quotes, stopped: stoppedBy(verdict, quotes) };
}

/** Quotes the fees again; the quotes are stored before they are judged. */
export async function checkFees(
  deps: FundsDeps,
  batch: PlannedBatch,
): Promise<FeesWithin | FeesStopped> {
  const before = batch.fees;
  const atMs = deps.nowMs();
  const quotes = await quoteAgain(deps, batch);
  await deps.store.batches.setFees(batch.batchId, {
    ...(before ?? { quotes }),
    newest: { quotes, atMs },
  });
  const verdict = judgeFees({ ...rulesOf(batch), quotes, before });
  return verdict.kind === 'within' ? verdict : { ...verdict, quotes };
}

export async function acceptFees(
  deps: FundsDeps,
  batch: PlannedBatch,
  quotes: FeeQuotes,
): Promise<void> {
  if (!isFeeQuotes(quotes)) {
    throw new BursarError('INPUT_INVALID', { activity: 'acceptFees', problem: 'no such quotes' });
  }
  await requireLiftedFees(deps.store, batch, quotes);
  const accepted = { quotes, atMs: deps.nowMs() };
  await deps.store.batches.setFees(batch.batchId, { ...(batch.fees ?? { quotes }), accepted });
}

/**
 * How often a service is called that quoted the fees with the plan and does not quote them now; and the pause between.
 */
const TRIES_MAX = 3;
const TRY_DELAY_MS = 2_000;

/** A fee that was quoted once and is not quoted now would stop the batch, so one odd answer is not enough for that. */
async function quoteAgain(deps: FundsDeps, batch: PlannedBatch): Promise<FeeQuotes> {
  for (let tries = 1; ; tries += 1) {
    const quotes = await quoteFees(deps.service, batch.summary);
    const wasTold = (batch.fees?.quotes ?? null) !== null;
    if (quotes !== null || !wasTold || tries === TRIES_MAX) return quotes;
    await deps.pause(TRY_DELAY_MS);
  }
}

const stoppedBy = (verdict: FeeVerdict, quotes: FeeQuotes): FeesStopped | null =>
  verdict.kind === 'within' ? null : { ...verdict, quotes };
