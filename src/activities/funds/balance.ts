import type {
  BalanceActivities,
  BalanceChecked,
  CheckBalanceInput,
} from '../../contract/balance-activities.ts';
import { noteOf } from '../../domain/errors/bursar-error.ts';
import {
  checkOf,
  dossierText,
  seenLines,
  suspectsText,
  unexplainedText,
} from '../../domain/funds/balance-check.ts';
import {
  type BalanceLine,
  type BalanceComparison,
  factsOfLines,
  linesOfFacts,
} from '../../domain/funds/compare-balance.ts';
import {
  type BalanceDifference,
  judgeDifference,
  largestOf,
} from '../../domain/funds/difference.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import type { Store } from '../../store/index.ts';
import { atBoundary } from '../shared/boundary.ts';
import { isFromOlderStore } from '../recheck/restored-store.ts';
import { putHold } from '../shared/put-hold.ts';
import { readComparison } from './read-comparison.ts';
import type { Service } from '../service/service.ts';

export type BalanceDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
  /** Whether other programs pay from the account: then its balance proves nothing. */
  isShared: boolean;
}>;

/** Compares the money that left the account with the orders of the store's batches. */
export const createBalanceActivities = (deps: BalanceDeps): BalanceActivities => ({
  checkBalance: (input) => atBoundary(() => checkBalance(deps, input)),
});

/**
 * Reads the balance after the last end of a batch, and concludes. Money that left without explanation is read again
 * while `isPatient`: returned money may be booked late. After that it holds the batch, and money beyond all orders
 * holds it at once.
 */
async function checkBalance(
  deps: BalanceDeps,
  { batchId, isPatient }: CheckBalanceInput,
): Promise<BalanceChecked> {
  const { store } = deps;
  const batch = await store.batches.find(batchId);
  const known = await store.balances.find(batchId);
  // A batch that ended before it asked for money has no opening balance.
  if (batch === undefined || known === undefined) return { kind: 'done' };
  const unusable = await whyUnusable(deps, batch);
  const found: BalanceComparison =
    unusable === null
      ? await readComparison(deps, { batch, opening: known.opening, mode: 'settled' })
      : { kind: 'not-checkable', because: unusable, lines: [] };
  const proven = await conclude(deps, batchId, {
    found,
    isWritten: (one) => stepAfter(one, isPatient) !== 'again' || one.kind === 'differs',
  });
  switch (stepAfter(proven, isPatient)) {
    case 'again':
      return { kind: 'again' };
    case 'hold':
      return { kind: 'held', hold: await holdFor(deps, batchId, proven.lines) };
    case 'end':
      await expireHolds(deps, batchId);
      return { kind: 'done' };
  }
}

function stepAfter(proven: BalanceDifference, isPatient: boolean): 'again' | 'hold' | 'end' {
  if (proven.kind === 'differs') return isPatient && !proven.isCertain ? 'again' : 'hold';
  const mayProveMore = proven.kind === 'not-checkable' && proven.isPassing === true;
  return isPatient && mayProveMore ? 'again' : 'end';
}

type Read = Readonly<{
  found: BalanceComparison;
  /** Whether it is written down what all reads prove together. */
  isWritten(proven: BalanceDifference): boolean;
}>;

/** Returns the result of the last read and all earlier ones together. */
async function conclude(
  { store, nowMs }: BalanceDeps,
  batchId: string,
  { found, isWritten }: Read,
): Promise<BalanceDifference> {
  const lifted = (await store.holds.lifted(batchId, 'BALANCE')).toReversed();
  const accepted = lifted.map(({ facts, released }) => ({ lines: linesOfFacts(facts), released }));
  const open = (await store.holds.open(batchId)).filter(({ kind }) => kind === 'BALANCE');
  const held = open.flatMap(({ facts }) => linesOfFacts(facts));
  const limits = largestOf(accepted.map(({ lines }) => lines));
  const people = accepted.map(({ released: { by, reason, at } }) => ({ by, reason, at }));
  const createdAgain = await store.balances.createdAgain(batchId);
  const { proven } = await store.balances.conclude(
    batchId,
    (before) => {
      const seen = [...seenLines(before), ...held];
      const judged = judgeDifference({ seen, found, accepted: limits });
      const check = checkOf(judged, people);
      const named = createdAgain.length === 0 ? check : { ...check, createdAgain };
      return { proven: judged, check: isWritten(judged) ? named : null };
    },
    nowMs(),
  );
  return proven;
}

/** Takes off the holds of a difference that is settled. */
async function expireHolds({ store, nowMs }: BalanceDeps, batchId: string): Promise<void> {
  const reason = 'the difference in the balance is settled';
  for (const { n, kind } of await store.holds.open(batchId)) {
    if (kind !== 'BALANCE') continue;
    await store.holds.expire({ batchId, n, reason, atMs: nowMs() });
  }
}

/** The batch whose balance is checked. */
type Checked = Pick<BatchFacts, 'batchId' | 'account' | 'submittedAtMs'>;

/** Why a balance of this account proves nothing; null when it may. */
async function whyUnusable(
  { store, isShared }: BalanceDeps,
  batch: Checked,
): Promise<string | null> {
  if (isShared) return 'other programs pay from the account (funds.shared)';
  return (await store.restores.of(batch.batchId)) === undefined
    ? null
    : 'the store was brought back from an older copy, which may not know every create';
}

async function holdFor(
  deps: BalanceDeps,
  batchId: string,
  lines: readonly BalanceLine[],
): Promise<Hold> {
  const { balances } = deps.store;
  const again = await balances.createdAgain(batchId);
  // A service that took a create which it refused as too many breaks its own rule, so these chunks are named only where
  // no other explains the difference.
  const suspects = again.length > 0 ? again : await balances.createdAfterThrottling(batchId);
  const { what: reason } = noteOf('BALANCE_DIFFERS', {
    unexplained: unexplainedText(lines),
    dossier: dossierText(lines),
    suspects: suspectsText(suspects),
  });
  return putHold(deps, batchId, { kind: 'BALANCE', reason, facts: factsOfLines(lines) });
}

/** How many shortest polls lie between two reads of a balance while batches pay: 30 seconds by default. */
const POLLS_PER_LOOK = 6;

export type BalanceGuard = ReturnType<typeof createBalanceGuard>;

/**
 * While a batch pays, reads the balance of its account at a bounded pace. Holds the batch as soon as more left the
 * account than all its batches ordered. Every ordered row counts here, so that a return that is booked late raises no
 * alarm.
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
    const found = await readComparison(deps, moment);
    // Its sends are found and adopted before the balance proves anything.
    if (found.kind === 'differs' && (await isFromOlderStore(deps, batch))) return undefined;
    const isWritten = (one: BalanceDifference): boolean => one.kind === 'differs' && one.isCertain;
    const proven = await conclude(deps, batch.batchId, { found, isWritten });
    return isWritten(proven) ? holdFor(deps, batch.batchId, proven.lines) : undefined;
  };
}
