import type {
  BalanceActivities,
  BalanceChecked,
  CheckBalanceInput,
} from '../contract/balance-activities.ts';
import { isBursarError, noteOf } from '../domain/errors/bursar-error.ts';
import {
  type BalanceCheck,
  checkOf,
  dossierText,
  notCheckable,
  suspectsText,
  unexplainedText,
} from '../domain/funds/balance-check.ts';
import {
  acceptedOf,
  type BalanceLine,
  type Conservation,
  factsOfLines,
  judgeConservation,
  linesOfFacts,
} from '../domain/funds/conservation.ts';
import {
  asNotEndedSince,
  between,
  type ChunkFlow,
  type FlowMode,
  outflowsOf,
  type Outflows,
  readOutflows,
  writeOutflows,
} from '../domain/funds/outflow.ts';
import { inRows, together, withdrawalsIn } from '../domain/funds/withdrawal-count.ts';
import type { Hold } from '../domain/holds/hold.ts';
import type { Money } from '../domain/plan/rules.ts';
import type { BatchFacts } from '../store/batches.ts';
import type { FlowLook, OpeningBalance } from '../store/balances.ts';
import type { Store } from '../store/store.ts';
import { atBoundary, isRefusal } from './boundary.ts';
import { putHold } from './put-hold.ts';
import { readBalances } from './read-balances.ts';
import { readWithdrawals } from './read-withdrawals.ts';
import type { Service } from './service.ts';

export type BalanceDeps = Readonly<{
  store: Pick<Store, 'balances' | 'batches' | 'chunks' | 'holds' | 'watches'>;
  service: Service;
  nowMs(): number;
  /** Whether other programs pay from the account: then its balance proves nothing. */
  isShared: boolean;
}>;

/** Compares what left the account with what the batches of the store ordered. */
export const createBalanceActivities = (deps: BalanceDeps): BalanceActivities => ({
  checkBalance: (input) => atBoundary(() => checkBalance(deps, input)),
});

type OpeningDeps = Readonly<{
  store: Pick<Store, 'balances'>;
  service: Service;
  nowMs(): number;
}>;

/** The batch that begins, and the currencies that it pays in. */
type Beginning = Pick<BatchFacts, 'batchId' | 'account'> &
  Readonly<{ currencies: readonly string[] }>;

/** Keeps the balance that a batch begins with. `before`: what was ordered before the balance was read. */
export async function keepOpening(
  { store, service, nowMs }: OpeningDeps,
  { batchId, account, currencies }: Beginning,
  { before, balances }: Readonly<{ before: FlowLook; balances: ReadonlyMap<string, string> }>,
): Promise<void> {
  const counts = await readWithdrawals(service, account, currencies);
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

const openingFlows = (
  { chunks, quotes }: FlowLook,
  unit: (flow: ChunkFlow) => ChunkFlow = inMoney,
): Outflows => outflowsOf(chunks.map(unit), quotes, 'opening');

const inMoney = (flow: ChunkFlow): ChunkFlow => flow;

/**
 * Looks at the balance after the last end of a batch, and concludes. A difference is looked at again while `isPatient`: returned
 * money and fees may be booked late. After that it holds the batch until a later read explains it or a person accepts it.
 */
async function checkBalance(
  deps: BalanceDeps,
  { batchId, isPatient }: CheckBalanceInput,
): Promise<BalanceChecked> {
  const { store, nowMs } = deps;
  const batch = await store.batches.find(batchId);
  const known = await store.balances.find(batchId);
  // A batch that ended before it asked for money has no opening balance.
  if (batch === undefined || known === undefined) return { kind: 'done' };
  const unusable = await whyUnusable(deps, batch);
  if (unusable !== null) return conclude(deps, batchId, notCheckable(unusable));
  const found = await judgeNow(deps, { batch, opening: known.opening, mode: 'settled' });
  if (found === 'unanswered') {
    if (isPatient) return { kind: 'again' };
    return conclude(deps, batchId, notCheckable('the service did not answer the balance request'));
  }
  if (found.kind === 'differs') {
    if (isPatient) return { kind: 'again' };
    return { kind: 'held', hold: await holdFor({ store, nowMs }, batchId, found.lines) };
  }
  const accepted = await acceptedHolds(store, batchId);
  const lifts = accepted.map(({ released }) => released);
  return conclude(deps, batchId, checkOf(found, lifts));
}

/** Writes the result down. A hold that is still on was put on for a difference that is gone. */
async function conclude(
  { store, nowMs }: BalanceDeps,
  batchId: string,
  proven: BalanceCheck,
): Promise<BalanceChecked> {
  const createdAgain = await store.balances.createdAgain(batchId);
  const check = createdAgain.length === 0 ? proven : { ...proven, createdAgain };
  const reason = 'a later read of the balance shows no difference';
  for (const { n, kind } of await store.holds.open(batchId)) {
    if (kind !== 'BALANCE') continue;
    await store.holds.expire({ batchId, n, reason, atMs: nowMs() });
  }
  await store.balances.conclude(batchId, check, nowMs());
  return { kind: 'done' };
}

/** Why a balance of this account proves nothing; null when it may. */
async function whyUnusable(
  { store, isShared }: BalanceDeps,
  batch: Checked,
): Promise<string | null> {
  if (isShared) return 'other programs pay from the account (funds.shared)';
  const restoredAtMs = await store.watches.restoredAtMsOf(batch);
  return restoredAtMs === undefined
    ? null
    : 'the store was brought back from an older copy, which may not know every create';
}

/** The batch whose balance is checked. */
type Checked = Pick<BatchFacts, 'batchId' | 'account' | 'submittedAtMs'>;

type Moment = Readonly<{ batch: Checked; opening: OpeningBalance; mode: FlowMode }>;

/** Reads the balance between two looks at the store, and judges it; 'unanswered': the service did not answer. */
async function judgeNow(
  { store, service }: BalanceDeps,
  { batch: { batchId, account }, opening, mode }: Moment,
): Promise<Conservation | 'unanswered'> {
  const { scope, withdrawals } = opening;
  const chunks = await store.chunks.list(batchId);
  const currencies = [...new Set(chunks.map(({ currency }) => currency))];
  const before = await store.balances.look(account, scope);
  const balances = await balancesNow(service, account);
  if (balances === 'unanswered') return balances;
  const counts =
    withdrawals === undefined ? null : await readWithdrawals(service, account, currencies);
  const after = await store.balances.look(account, scope);
  const sentAgain = await store.balances.sentAgain(account, scope, opening.atMs);
  const closingFlows = (unit: (flow: ChunkFlow) => ChunkFlow): Outflows => {
    const flowsOf = (flows: readonly ChunkFlow[], { quotes }: FlowLook) =>
      outflowsOf([...flows, ...sentAgain].map(unit), quotes, mode);
    const later = asNotEndedSince(before.chunks, after.chunks);
    return between(flowsOf(before.chunks, before), flowsOf(later, after));
  };
  const holds = await acceptedHolds(store, batchId);
  const accepted = acceptedOf(holds.map(({ facts }) => linesOfFacts(facts)));
  const byBalance: Conservation =
    typeof balances === 'string'
      ? { kind: 'not-checkable', because: balances, lines: [] }
      : judgeConservation({
          ...{ currencies, accepted },
          opening: { balances: mapOf(opening.balances), flows: readOutflows(opening.flows) },
          closing: { balances, flows: closingFlows(inMoney) },
        });
  if (withdrawals === undefined || counts === null) return byBalance;
  const byWithdrawals = judgeConservation({
    ...{ currencies: currencies.map(withdrawalsIn), accepted },
    opening: { balances: spentOf(withdrawals.counts), flows: readOutflows(withdrawals.flows) },
    closing: { balances: spentOf(counts), flows: closingFlows(inRows) },
  });
  const isAlone = scope.batchIds.every((one) => one === batchId);
  return together(byBalance, byWithdrawals, { isAlone });
}

const mapOf = (amounts: readonly Money[]): ReadonlyMap<string, string> =>
  new Map(amounts.map(({ currency, amount }) => [currency, amount]));

/** Counts of withdrawals as balances that they lower. */
const spentOf = (counts: readonly Money[]): ReadonlyMap<string, string> =>
  new Map(counts.map(({ currency, amount }) => [currency, amount === '0' ? '0' : `-${amount}`]));

async function balancesNow(
  service: Service,
  account: string,
): Promise<ReadonlyMap<string, string> | string> {
  try {
    return await readBalances(service, account);
  } catch (error) {
    if (!isBursarError(error)) throw error;
    return isRefusal(error) ? `the balance cannot be read (${error.code})` : 'unanswered';
  }
}

/** Holds by which a person let a difference pass, the oldest first. */
const acceptedHolds = async ({ holds }: Pick<Store, 'holds'>, batchId: string) =>
  (await holds.lifted(batchId, 'BALANCE')).toReversed();

async function holdFor(
  deps: Readonly<{ store: Pick<Store, 'balances' | 'holds'>; nowMs(): number }>,
  batchId: string,
  lines: readonly BalanceLine[],
): Promise<Hold> {
  const { what: reason } = noteOf('BALANCE_DIFFERS', {
    ...{ unexplained: unexplainedText(lines), dossier: dossierText(lines) },
    suspects: suspectsText(await deps.store.balances.createdAgain(batchId)),
  });
  return putHold(deps, batchId, { kind: 'BALANCE', reason, facts: factsOfLines(lines) });
}

/** How many shortest polls lie between two looks at a balance while batches pay: 30 seconds by default. */
const POLLS_PER_LOOK = 6;

export type BalanceGuard = ReturnType<typeof createBalanceGuard>;

/**
 * While a batch pays, looks at the balance of its account at a bounded pace. Holds the batch as soon as more left the account than
 * all its batches ordered. Everything that was ordered counts here, so that a return that is booked late raises no alarm.
 */
export function createBalanceGuard(deps: BalanceDeps) {
  const lookedAtMs = new Map<string, number>();
  return async (batch: Checked, pollMinMs: number): Promise<Hold | undefined> => {
    const nowMs = deps.nowMs();
    const last = lookedAtMs.get(batch.batchId);
    lookedAtMs.set(batch.batchId, last ?? nowMs);
    if (last === undefined || nowMs - last < pollMinMs * POLLS_PER_LOOK) return undefined;
    lookedAtMs.set(batch.batchId, nowMs);
    const known = await deps.store.balances.find(batch.batchId);
    if (known === undefined || (await whyUnusable(deps, batch)) !== null) return undefined;
    const moment = { batch, opening: known.opening, mode: 'ordered' } as const;
    const found = await judgeNow(deps, moment);
    if (found === 'unanswered' || found.kind !== 'differs') return undefined;
    return holdFor(deps, batch.batchId, found.lines);
  };
}
