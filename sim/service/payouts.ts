import type {
  SentRow,
  WithdrawalError,
  WithdrawalRecord,
} from '../../src/domain/settling/withdrawals.ts';
import type { MassPayoutFacts } from '../../src/domain/settling/payout-outcomes.ts';
import type { World } from '../world.ts';
import type { Ledger } from './ledger.ts';

export type Withdrawal = {
  readonly id: string;
  readonly row: SentRow;
  state: 'CONFIRMED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  /** Whether it failed once and was paid after all. */
  resolved: boolean;
  failed: boolean;
};

export type ModelPayout = {
  readonly id: string;
  readonly key: string;
  readonly body: string;
  /** From when on it can be seen. */
  readonly visibleMs: number;
  readonly withdrawals: readonly Withdrawal[];
  state: string;
  /** Whether a person has sent withdrawals of it again. */
  isResent: boolean;
  /** Whether the service calls all of it failed, though rows of it were paid. */
  isDenied: boolean;
};

const MINUTE_MS = 60_000;

/** Lets mass payouts come to their ends, and people change some of them afterwards. */
export type Payouts = ReturnType<typeof createPayouts>;

export function createPayouts(world: World, ledger: Ledger, tell: (payout: ModelPayout) => void) {
  const { random, agenda, setting } = world;
  const { shares } = setting;
  const all: ModelPayout[] = [];

  function move(payout: ModelPayout, state: string): void {
    payout.state = state;
    world.note(() => `service: ${payout.id} is ${state}`);
    tell(payout);
  }

  function begin(payout: ModelPayout): void {
    if (world.strikes('canceled by the merchant', shares.merchantCancels)) {
      return move(payout, 'CANCELED');
    }
    const wholeFails = world.strikes('mass payout failed', shares.wholeFails);
    move(payout, 'IN_PROGRESS');
    for (const withdrawal of payout.withdrawals) {
      const fails = wholeFails || world.strikes('row failed', shares.rowFails);
      agenda.after(random.between(1_000, 4 * MINUTE_MS), () => end(payout, withdrawal, fails));
    }
  }

  function end(payout: ModelPayout, withdrawal: Withdrawal, fails: boolean): void {
    withdrawal.state = fails ? 'FAILED' : 'COMPLETED';
    withdrawal.resolved = withdrawal.failed && !fails;
    withdrawal.failed ||= fails;
    if (!fails) ledger.pay(withdrawal.row, payout.id);
    world.note(() => `service: row ${withdrawal.row.row} of ${payout.id} ${withdrawal.state}`);
    const states = payout.withdrawals.map(({ state }) => state);
    if (states.some((state) => state !== 'FAILED' && state !== 'COMPLETED')) return;
    if (states.every((state) => state === 'COMPLETED')) move(payout, 'COMPLETED');
    else move(payout, states.every((state) => state === 'FAILED') ? 'FAILED' : 'PARTIAL');
  }

  return {
    all: all as readonly ModelPayout[],
    create(
      payout: Omit<ModelPayout, 'withdrawals' | 'state' | 'isResent' | 'isDenied'>,
      rows: readonly SentRow[],
    ) {
      const withdrawals = rows.map((row, i): Withdrawal => {
        return {
          id: `${payout.id}-w${i}`,
          row,
          state: 'CONFIRMED',
          resolved: false,
          failed: false,
        };
      });
      const made: ModelPayout = { ...payout, withdrawals, state: 'CONFIRMED', ...NEW };
      all.push(made);
      ledger.hold(made);
      world.note(() => `service: created ${made.id} for ${made.key}`);
      agenda.after(random.between(500, 2 * MINUTE_MS), () => begin(made));
      return made;
    },
    /** The service calls a mass payout failed of which it has paid rows, and called them paid. */
    deny(payout: ModelPayout): void {
      world.count('paid rows called failed');
      payout.isDenied = true;
      tell(payout);
    },
    /** A person sends failed withdrawals of a mass payout again, in the service's own interface. */
    resend(payout: ModelPayout, mayBePaid: (row: number) => boolean): void {
      const failed = payout.withdrawals.filter(
        ({ state, row }) => state === 'FAILED' && mayBePaid(row.row),
      );
      // Whatever became of them, the service would go on to call them failed.
      if (payout.isDenied) return;
      if (failed.length === 0 || (payout.state !== 'PARTIAL' && payout.state !== 'FAILED')) return;
      world.count('resent by a person in the service');
      world.note(() => `person: resends ${failed.length} rows of ${payout.id} in the service`);
      payout.isResent = true;
      for (const withdrawal of failed) {
        withdrawal.state = 'IN_PROGRESS';
        const failsAgain = random.happens(0.3);
        agenda.after(random.between(1_000, 3 * MINUTE_MS), () =>
          end(payout, withdrawal, failsAgain),
        );
      }
      // Some services go on to call it what it was.
      if (random.happens(0.5)) move(payout, 'IN_PROGRESS');
    },
  };
}

const NEW = { isResent: false, isDenied: false } as const;

/** What the service says of a mass payout. */
export const factsOf = ({ state, withdrawals, isDenied }: ModelPayout): MassPayoutFacts =>
  isDenied
    ? { state: 'FAILED', withdrawalErrors: withdrawals.map(denied).map(toError), ...WHOLE }
    : {
        state,
        withdrawalErrors: withdrawals.filter(({ failed }) => failed).map(toError),
        ...WHOLE,
      };

/** Every part of the model's answers can be read. */
const WHOLE = { unreadableParts: [] } as const;

const denied = (withdrawal: Withdrawal): Withdrawal => ({
  ...withdrawal,
  state: 'FAILED',
  failed: true,
  resolved: false,
});

const toError = ({ id, resolved, state }: Withdrawal): WithdrawalError => ({
  withdrawalId: id,
  errors: [
    { status: resolved ? 'SUCCESS' : state, errorResolved: resolved, errorMessage: 'no luck' },
  ],
});

export const recordOf = (
  { id, state: real, row }: Withdrawal,
  { isDenied }: Pick<ModelPayout, 'isDenied'>,
): WithdrawalRecord => ({
  id,
  state: isDenied ? 'FAILED' : real,
  depositAddress: row.address,
  amount: row.amount,
  comment: row.comment,
});
