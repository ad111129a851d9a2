import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reconciliation } from '../../../src/domain/reconcile/statement.ts';
import type { MassPayout, Transaction } from '@bursar/merchant-api';
import type { Store } from '../../../src/store/index.ts';
import { readRecords } from '../../report/support/read-csv.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { TRANSACTION } from './fake-api.ts';
import { type FakeWallet, newWallet, walletService } from './fake-wallet.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './fake-world.ts';
import { address, GOOD, withFiles } from './files.ts';
import { keyOf, playEnd, playPlan, playSettle } from './play.ts';

/** What a test may do to a batch instead of paying it whole. */
export type Went = (store: Store, batchId: string) => Promise<void>;

export const wentWell: Went = async (store, batchId) => {
  await playSettle(store, batchId, { outcome: 'PAID', massPayoutId: `mp-${batchId}` });
  await playEnd(store, batchId, { state: 'COMPLETED' });
};

/** The mass payout of a batch with the rows of `good.csv`, as an honest service tells it. */
export const massPayout = (batchId: string, more: Partial<MassPayout> = {}): MassPayout => ({
  id: `mp-${batchId}`,
  state: 'COMPLETED',
  idempotencyKey: keyOf(batchId, 0),
  account: ACCOUNT,
  currency: 'USDT_TRC20',
  totalWithdrawalAmount: '60.5',
  totalFee: '0.5',
  externalId: `${batchId}/0/0`,
  withdrawalErrors: [],
  unreadableParts: [],
  ...more,
});

/** The transaction of the n-th row of `good.csv`, from 1 up. */
export const paidRow = (n: number, more: Partial<Transaction> = {}): Transaction => ({
  ...TRANSACTION,
  amount: ['', '10.5', '20', '30'][n] ?? '1',
  opCode: 'SETTLEMENT_MASS_WITHDRAWAL',
  serviceFee: ['', '0.1', '0.2', '0.2'][n] ?? '0',
  networkFee: '1',
  addressTo: address(n),
  transactionHash: `hash-${n}`,
  createdDate: `2026-11-21T08:59:0${n}Z`,
  ...more,
});

export const ALL_PAID = [1, 2, 3].map((n) => paidRow(n));

type Options = Partial<Omit<WorldOptions, 'service'>> &
  Readonly<{
    went?: Went;
    file?: string;
    /** More flags for `submit`. */
    flags?: readonly string[];
    wallet?: Partial<FakeWallet>;
    /** Submitted and played before `payroll`. */
    others?: Readonly<Record<string, Went>>;
  }>;

/** A world in which `payroll` was started with `good.csv`, and a service whose wallet paid it. */
export async function walletWorld({
  went = wentWell,
  file = GOOD,
  wallet,
  others = {},
  flags = [],
  ...more
}: Options = {}) {
  const ids = [...Object.keys(others), 'payroll'];
  const service = newWallet({
    transactions: [...ALL_PAID],
    massPayouts: new Map(ids.map((id) => [`mp-${id}`, massPayout(id)])),
    ...wallet,
  });
  const cwd = withFiles(temporaryFolder(), { 'file.csv': file });
  const world = fakeWorld({ cwd, service: walletService(service), ...more });
  for (const id of ids) {
    const accepted = ['--accept', 'DUPLICATE_ROW', '--accept', 'SAME_FILE_AGAIN'];
    const asked = ['--id', id, '--yes', '--detach', '--no-preflight', ...accepted, ...flags];
    await world.run('submit', 'file.csv', ...asked);
    const input = world.engine.started.find(({ batchId }) => batchId === id);
    if (input === undefined) throw new Error(`batch ${id} was not started`);
    const store = await world.store();
    await playPlan(store, input, join(cwd, 'file.csv'));
    await (others[id] ?? went)(store, id);
    await store.close();
  }
  return { ...world, wallet: service, dir: join(cwd, 'runs', 'payroll') };
}

type Reconciled = Readonly<{ code: number; statement: Reconciliation; differences: string[] }>;

/** Reconciles `payroll`; differences as `CODE count amount`. */
export async function reconciled({ json }: FakeWorld, ...flags: string[]): Promise<Reconciled> {
  const { code, value } = await json('reconcile', 'payroll', ...flags);
  const statement = value as unknown as Reconciliation;
  if (statement.schema !== 'bursar.reconciliation/v1') throw new Error(JSON.stringify(value));
  const differences = statement.differences.map((one) => `${one.code} ${one.count} ${one.amount}`);
  return { code, statement, differences };
}

/** The lines of a CSV file of a report folder. */
export const linesOf = (dir: string, file = 'reconciliation.csv') =>
  readRecords(readFileSync(join(dir, file), 'utf8'));
