import type { Engine } from './engine/engine.ts';
import { unitsOf } from './money.ts';
import { createRandom } from './random.ts';

const MINUTE_MS = 60_000;

/** Lets the service take the money of a row a second time. It has a chance of its own, so that the worlds of all other faults stay as they are. */
export function takeTwice({ world, ledger, bank }: Engine, seed: number): void {
  const random = createRandom(seed ^ 0x2545_f491);
  if (!random.happens(0.2)) return;
  world.agenda.after(random.below(10 * MINUTE_MS), () => {
    if (!ledger.takeTwice()) return;
    world.count('row taken twice in silence');
    // Somebody sees what the account lacks, and tops it up by exactly that.
    if (!random.happens(0.5)) return;
    world.agenda.after(random.below(30 * MINUTE_MS), () => bank.topUp(ledger.takenTwice()));
  });
}

/** Lets money arrive at the account, which hides as much that left. It has a chance of its own, so that the worlds of all other faults stay as they are. */
export function topUp({ world, bank }: Engine, seed: number): void {
  const random = createRandom(seed ^ 0x1b87_3593);
  if (!random.happens(0.15)) return;
  const amount = unitsOf(random.pick(['0.000000000000000001', '7', '1000000']));
  world.agenda.after(random.below(60 * MINUTE_MS), () => bank.topUp(amount));
}

const DENIALS = 3;

/**
 * Lets the service call mass payouts failed whose rows the engine has called paid. It has a chance of its own, so that the worlds
 * of all other faults stay as they are. An engine that never called them paid would have to believe the service.
 */
export function denyPaidRows({ world, service, shown }: Engine, seed: number): void {
  const random = createRandom(seed ^ 0x5bd1_e995);
  if (world.setting.restoreAfterMs !== null || !random.happens(0.3)) return;
  for (let n = 0; n < DENIALS; n += 1) {
    world.agenda.after(random.below(5 * 60 * MINUTE_MS), () => {
      const payout = service.payouts.all.find(({ key, withdrawals, isDenied }) => {
        const paid = withdrawals.filter(({ state }) => state === 'COMPLETED');
        const isAtEnd = withdrawals.every(({ state }) => state !== 'IN_PROGRESS');
        const rows = paid.map(({ row }) => row.row);
        return !isDenied && isAtEnd && rows.length > 0 && shown.hasPaid(key, rows);
      });
      if (payout !== undefined) service.payouts.deny(payout);
    });
  }
}
