import { outcomesOf } from '../src/domain/settling/payout-outcomes.ts';
import type { Batch } from './engine/batch.ts';
import type { Engine } from './engine/engine.ts';
import type { ModelPayout } from './service/payouts.ts';

const DELAY_MS_MAX = 90_000;
const FORGED_STATES = ['COMPLETED', 'FAILED', 'CANCELED'];

/** Carries webhooks to the engine: late, twice, in any order, or never; and some that nobody has sent. */
export function createTeller(engine: Engine, batches: readonly Batch[]) {
  const { world } = engine;
  const { agenda, random, setting } = world;
  const { shares } = setting;

  function deliver(payout: ModelPayout, claimed: string): void {
    agenda.after(random.below(DELAY_MS_MAX), () => {
      if (engine.careless === 'trusts-webhooks') believe(engine, payout, claimed);
      for (const batch of batches) batch.hint(payout.key);
    });
  }

  return (payout: ModelPayout): void => {
    const { state } = payout;
    if (!world.strikes('webhook lost', shares.webhookLost)) deliver(payout, state);
    if (world.strikes('webhook twice', shares.webhookTwice)) deliver(payout, state);
    if (world.strikes('webhook forged', shares.forgedWebhook)) {
      deliver(payout, random.pick(FORGED_STATES));
    }
  };
}

function believe({ store }: Engine, { key }: ModelPayout, state: string): void {
  const facts = store.facts(key);
  const nothing = { findRows: () => [], lookups: new Map(), patienceOver: true };
  const outcomes = outcomesOf({
    payout: { state, withdrawalErrors: [], unreadableParts: [] },
    ...nothing,
  });
  if (facts.send.state !== 'CREATED' || !outcomes.final) return;
  facts.outcomes = outcomes;
  facts.final = true;
}
