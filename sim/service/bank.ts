import { createRandom } from '../random.ts';
import type { World } from '../world.ts';
import type { Ledger } from './ledger.ts';

/** The account as the service shows it. */
export type Bank = ReturnType<typeof createBank>;

const BALANCE = 10n ** 36n;

/**
 * An account that people top up, and of which some reads get no answer. It has a chance of its own, so that the worlds of all other
 * faults stay as they are. Where the service accepts creates after its window, the balance alone may show a second one: there every
 * read is answered, and nothing arrives.
 */
export function createBank(world: World, ledger: Ledger, seed: number) {
  const random = createRandom(seed ^ 0x3c6e_f372);
  const isPlain = world.setting.kind === 'late';
  const silent = isPlain || !random.happens(0.3) ? 0 : random.pick([0.3, 0.8]);
  let arrived = 0n;
  return {
    /** All top-ups so far, in units of `unitsOf`. */
    arrived: (): bigint => arrived,
    topUp(amount: bigint): void {
      if (isPlain) return;
      arrived += amount;
      world.count('account topped up');
    },
    /** The balance before the first create: a batch does not begin without an answer. */
    opening: (): bigint => BALANCE + arrived - ledger.taken(),
    /** The balance, in units of `unitsOf`; undefined: no answer. */
    read(): bigint | undefined {
      if (!random.happens(silent)) return BALANCE + arrived - ledger.taken();
      world.count('balance not answered');
      return undefined;
    },
  };
}
