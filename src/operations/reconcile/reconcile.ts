import type { BatchRecord } from '../../store/batches/types.ts';
import { createDifferences } from '../../domain/reconcile/differences.ts';
import type { Reconciliation, WalletBalance } from '../../domain/reconcile/statement.ts';
import type { ReconciliationWriter } from '../../report/write-reconciliation.ts';
import type { Store } from '../../store/index.ts';
import { stateByRecord } from '../batch/standing.ts';
import type { OperationContext, ServiceAccess } from '../context.ts';
import { doesNotTell, NOT_OFFERED, orWhyNot } from './availability.ts';
import { concludeRows, concludeTransactions } from './conclude.ts';
import type { Read } from './patient-reads.ts';
import { readMassPayouts } from './read-mass-payouts.ts';
import { earliestMs, readSentBatch } from './read-rows.ts';
import { compareFees, statementsOf } from './statements.ts';
import { teller } from './telling.ts';
import { readWalletSide } from './wallet-side.ts';

export type ReconcileOptions = Readonly<{
  fromMs: number | undefined;
  toMs: number | undefined;
  saves: boolean;
}>;

export type ReconcileDeps = Readonly<{
  store: Store;
  service: ServiceAccess;
  read: Read;
  writer: ReconciliationWriter;
  context: OperationContext;
}>;

/**
 * Compares file, engine, mass payouts and wallet, writes the rows, and returns the statement. With `saves` it writes
 * the transactions of the batch to the store; it changes nothing else.
 */
export async function reconcile(
  deps: ReconcileDeps,
  record: BatchRecord,
  options: ReconcileOptions,
): Promise<Reconciliation> {
  const { store, read, context } = deps;
  const nowMs = context.clock.nowMs();
  const differences = createDifferences();
  const sent = await readSentBatch(store, record);
  const { fromMs = earliestMs(sent), toMs = nowMs } = options;
  const window = { fromMs, toMs };
  const payouts = await readMassPayouts(
    {
      read,
      store,
      differences,
      account: record.account,
      batchId: record.batchId,
      tell: teller(context, 'mass payouts'),
    },
    sent.chunks,
  );
  const wallet = await readWalletSide(deps, { sent, window, differences });
  const concluded = await concludeRows(
    { ...deps, differences, saves: options.saves, listed: window },
    sent,
    wallet.conclusion,
  );
  if (wallet.conclusion !== undefined) {
    await concludeTransactions({ ...deps, differences }, wallet.conclusion, wallet.nameOf);
  }
  const currencies = statementsOf({ concluded, payouts, hasTransactions: wallet.list !== null });
  if (wallet.list !== null) compareFees(currencies, { concluded, payouts, differences });
  const names = currencies.map(({ currency }) => currency);
  const [wallets, walletsAvailable] = await orWhyNot(
    deps.service,
    { operation: 'WALLET_LIST', lacks: doesNotTell },
    () => readWallets(read, names),
  );
  const found = differences.list();
  const { batchId, generation, parentBatchId, summary } = record;
  return {
    schema: 'bursar.reconciliation/v1',
    batchId,
    generation,
    parentBatchId,
    state: stateByRecord(record),
    at: new Date(nowMs).toISOString(),
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    ties: !found.some(({ mustLook }) => mustLook),
    available: {
      transactions: wallet.available,
      lookups: deps.service.api.hasOperation('LOOKUP') ? 'available' : NOT_OFFERED,
      wallets: walletsAvailable,
    },
    rows: { total: summary?.rows ?? 0, refused: summary?.refusedRows ?? 0 },
    currencies,
    matchedRows: concluded.matchedRows,
    transactions: wallet.list && {
      read: wallet.list.read,
      elsewhere: wallet.list.elsewhere,
      ofOtherBatches: wallet.conclusion?.ofOthers ?? 0,
    },
    otherBatches: wallet.others,
    wallets,
    differences: found,
  };
}

/** Pages of wallets that are read, of 100 each. No person reads more. */
const WALLET_PAGES_MAX = 10;

const WALLETS_PER_PAGE = 100;

/** Reads the present balances of the account's wallets in these currencies. */
async function readWallets(read: Read, currencies: readonly string[]): Promise<WalletBalance[]> {
  const found: WalletBalance[] = [];
  for (let pageNumber = 1; pageNumber <= WALLET_PAGES_MAX; pageNumber += 1) {
    const page = await read((api, call) =>
      api.listWallets({ pageNumber, pageSize: WALLETS_PER_PAGE }, call),
    );
    for (const { name, address, balances } of page.result) {
      const own = balances.filter(({ currency }) => currencies.includes(currency));
      found.push(...own.map(({ currency, amount }) => ({ name, address, currency, amount })));
    }
    if (pageNumber >= page.total) break;
  }
  return found;
}
