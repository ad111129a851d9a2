import { unitsOf } from '../money.ts';
import type { World } from '../world.ts';
import type { ModelPayout, Withdrawal } from './payouts.ts';

/** What really happened to the money: the oracle by which the engine is judged. */
export type Ledger = ReturnType<typeof createLedger>;

/** What the service charges for each row. */
export const FEE = unitsOf('0.000000000000000001');

export function createLedger(world: World) {
  const paid = new Map<number, { payoutId: string; amount: bigint }[]>();
  const held = new Map<number, { payout: ModelPayout; withdrawal: Withdrawal }[]>();
  /** There nobody can keep a second create from being made; the engine must tell of it. */
  const mayOrderTwice = ['half-blind', 'late'].includes(world.setting.kind);
  const orderedTwice = new Set<number>();
  let left = 0n;
  let fees = 0n;
  let twice = 0n;
  const isLive = ({ payout, withdrawal }: { payout: ModelPayout; withdrawal: Withdrawal }) =>
    payout.state !== 'CANCELED' && withdrawal.state !== 'FAILED';
  return {
    /** A mass payout came to be. */
    hold(payout: ModelPayout): void {
      for (const withdrawal of payout.withdrawals) {
        const { row } = withdrawal.row;
        const others = (held.get(row) ?? []).filter(isLive);
        if (others.length > 0 && mayOrderTwice) orderedTwice.add(row);
        else if (others.length > 0) {
          const names = others.map((other) => other.payout.id).join(', ');
          world.broke('I1', `row ${row} is in ${payout.id} and still alive in ${names}`);
        }
        held.set(row, [...(held.get(row) ?? []), { payout, withdrawal }]);
      }
    },
    pay({ row, amount }: { row: number; amount: string }, payoutId: string): void {
      const before = paid.get(row) ?? [];
      if (before.length > 0 && !mayOrderTwice) {
        world.broke('I1', `row ${row} was paid by ${before[0]?.payoutId} and by ${payoutId}`);
      }
      const exact = unitsOf(amount);
      paid.set(row, [...before, { payoutId, amount: exact }]);
      left += exact + FEE;
      fees += FEE;
    },
    /** The service takes the money of a paid row a second time, and shows nothing of it. */
    takeTwice(): boolean {
      const [payment] = [...paid.values()].flat();
      if (payment === undefined) return false;
      twice += payment.amount + FEE;
      return true;
    },
    /** What was taken a second time, in units of `unitsOf`. */
    takenTwice: (): bigint => twice,
    isPaid: (row: number): boolean => paid.has(row),
    isOrderedTwice: (row: number): boolean => orderedTwice.has(row),
    hasOrderedTwice: (): boolean => orderedTwice.size > 0,
    /** What was paid for the row, without fees. */
    paidFor: (row: number): bigint =>
      (paid.get(row) ?? []).reduce((sum, { amount }) => sum + amount, 0n),
    /** Whether the row may still be paid by what the service has. */
    isLive: (row: number): boolean => (held.get(row) ?? []).some(isLive),
    /** Whether the row was paid, or may be, by what was created under any other key. */
    besides: (key: string, row: number): 'paid' | 'live' | 'nothing' => {
      const others = (held.get(row) ?? []).filter(({ payout }) => payout.key !== key);
      if (others.some(({ withdrawal }) => withdrawal.state === 'COMPLETED')) return 'paid';
      return others.some(isLive) ? 'live' : 'nothing';
    },
    /** Whether a person has changed what became of the row. */
    isTouched: (row: number): boolean =>
      (held.get(row) ?? []).some(({ payout }) => payout.isResent),
    /**
     * What the balance lacks, in units of `unitsOf`: the service takes the money of a row when it accepts the row, and
     * returns it when the row fails.
     */
    taken: (): bigint =>
      [...held.values()]
        .flat()
        .filter((one) => isLive(one) && one.withdrawal.state !== 'COMPLETED')
        .reduce((sum, { withdrawal }) => sum + unitsOf(withdrawal.row.amount) + FEE, left + twice),
    /** What left the account, and what of it were fees; in units of `unitsOf`. */
    money: (): Readonly<{ left: bigint; fees: bigint }> => ({ left, fees }),
  };
}
