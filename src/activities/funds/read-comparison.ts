import type { FlowLook, OpeningBalance } from '../../store/funds/types.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { type BalanceComparison, compareBalance } from '../../domain/funds/compare-balance.ts';
import {
  asNotEndedSince,
  between,
  type ChunkFlow,
  type FlowMode,
  outflowsOf,
  type Outflows,
  readOutflows,
  writeOutflows,
} from '../../domain/funds/outflow.ts';
import { inRows, together, withdrawalsIn } from '../../domain/funds/withdrawal-count.ts';
import type { Money } from '../../domain/plan/rules.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import type { Store } from '../../store/index.ts';
import { isRefusal } from '../shared/boundary.ts';
import { readBalances } from './read-balances.ts';
import { readWithdrawals } from './read-withdrawals.ts';
import type { Service } from '../service/service.ts';

type OpeningDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
  pause(delayMs: number): Promise<void>;
}>;

/** The batch that begins, and the currencies that it pays in. */
type Beginning = Pick<BatchFacts, 'batchId' | 'account'> &
  Readonly<{ currencies: readonly string[] }>;

/** Questions for the list of withdrawals before a batch begins without it. With four of ten answers broken, one batch in 40 does. */
const COUNT_TRIES_MAX = 4;
/** Between two of these questions, in milliseconds. */
const COUNT_DELAY_MS = 500;

/** Stores the balance that a batch begins with. `before`: the orders from before the balance was read. */
export async function keepOpening(
  deps: OpeningDeps,
  { batchId, account, currencies }: Beginning,
  { before, balances }: Readonly<{ before: FlowLook; balances: ReadonlyMap<string, string> }>,
): Promise<void> {
  const { store, nowMs } = deps;
  const counts = await countPatiently(deps, account, currencies);
  const after = await store.balances.look(account);
  const flows = between(openingFlows(before), openingFlows(after));
  const rowFlows = between(openingFlows(before, inRows), openingFlows(after, inRows));
  await store.balances.open(batchId, {
    atMs: nowMs(),
    balances: [...balances].map(([currency, amount]) => ({ currency, amount })),
    flows: writeOutflows(flows),
    scope: before.scope,
    ...(counts === null ? {} : { withdrawals: { counts, flows: writeOutflows(rowFlows) } }),
  });
}

/** One broken answer does not switch the list off for the whole batch. */
async function countPatiently(
  { service, pause }: OpeningDeps,
  account: string,
  currencies: readonly string[],
): Promise<readonly Money[] | null> {
  for (let tries = 1; ; tries += 1) {
    const counts = await readWithdrawals(service, account, currencies);
    if (counts !== 'unanswered') return counts;
    if (tries === COUNT_TRIES_MAX) return null;
    await pause(COUNT_DELAY_MS);
  }
}

const openingFlows = (
  { chunks, quotes }: FlowLook,
  unit: (flow: ChunkFlow) => ChunkFlow = inMoney,
): Outflows => outflowsOf(chunks.map(unit), quotes, 'opening');

const inMoney = (flow: ChunkFlow): ChunkFlow => flow;

type ReadDeps = Readonly<{ store: Store; service: Service }>;

type Moment = Readonly<{
  batch: Pick<BatchFacts, 'batchId' | 'account'>;
  opening: OpeningBalance;
  mode: FlowMode;
}>;

/** Reads the balance between two reads of the store, and judges it by itself, without the results of earlier reads. */
export async function readComparison(
  { store, service }: ReadDeps,
  { batch: { batchId, account }, opening, mode }: Moment,
): Promise<BalanceComparison> {
  const { scope, withdrawals } = opening;
  const chunks = await store.chunks.list(batchId);
  const currencies = [...new Set(chunks.map(({ currency }) => currency))];
  const before = await store.balances.look(account, scope);
  const balances = await balancesNow(service, account, currencies);
  if (balances === 'unanswered') return UNANSWERED;
  const counts =
    withdrawals === undefined ? null : await readWithdrawals(service, account, currencies);
  const after = await store.balances.look(account, scope);
  const sentAgain = await store.balances.sentAgain(account, scope, opening.atMs);
  const flowsIn = (unit: (flow: ChunkFlow) => ChunkFlow, counted: FlowMode): Outflows => {
    const flowsOf = (flows: readonly ChunkFlow[], { quotes }: FlowLook) =>
      outflowsOf([...flows, ...sentAgain].map(unit), quotes, counted);
    const later = asNotEndedSince(before.chunks, after.chunks);
    return between(flowsOf(before.chunks, before), flowsOf(later, after));
  };
  const closingFlows = (unit: (flow: ChunkFlow) => ChunkFlow) => ({
    flows: flowsIn(unit, mode),
    ordered: flowsIn(unit, 'ordered'),
  });
  const byBalance: BalanceComparison =
    typeof balances === 'string'
      ? { kind: 'not-checkable', because: balances, lines: [] }
      : compareBalance({
          currencies,
          opening: { balances: mapOf(opening.balances), flows: readOutflows(opening.flows) },
          closing: { balances, ...closingFlows(inMoney) },
        });
  if (withdrawals === undefined || counts === null) return byBalance;
  if (counts === 'unanswered') {
    return byBalance.kind === 'not-checkable' ? { ...byBalance, isPassing: true } : byBalance;
  }
  const byWithdrawals = compareBalance({
    currencies: currencies.map(withdrawalsIn),
    opening: { balances: spentOf(withdrawals.counts), flows: readOutflows(withdrawals.flows) },
    closing: { balances: spentOf(counts), ...closingFlows(inRows) },
  });
  const isAlone = scope.batchIds.every((one) => one === batchId);
  return together(byBalance, byWithdrawals, { isAlone });
}

const UNANSWERED: BalanceComparison = {
  kind: 'not-checkable',
  lines: [],
  isPassing: true,
  because: 'the service did not answer the balance request',
};

/** The balances; a reason why the service shows none; 'unanswered' when it gave no usable answer this time. */
async function balancesNow(
  service: Service,
  account: string,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, string> | string> {
  try {
    return await readBalances(service, account, wanted);
  } catch (error) {
    if (!isBursarError(error)) throw error;
    return isRefusal(error) ? `the balance cannot be read (${error.code})` : 'unanswered';
  }
}

const mapOf = (amounts: readonly Money[]): ReadonlyMap<string, string> =>
  new Map(amounts.map(({ currency, amount }) => [currency, amount]));

/** Counts of withdrawals as balances that they lower. */
const spentOf = (counts: readonly Money[]): ReadonlyMap<string, string> =>
  new Map(counts.map(({ currency, amount }) => [currency, amount === '0' ? '0' : `-${amount}`]));
