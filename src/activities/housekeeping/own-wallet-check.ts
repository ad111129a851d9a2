import { listOwnWallets, type OwnWalletDeps } from '../plan/own-wallets.ts';
import type { HousekeepingTask } from './task.ts';

/** New wallets are rare, and each plan lists them itself, so the check lists them this seldom, in milliseconds. */
const OWN_WALLETS_EVERY_MS = 600_000;

/** Stores which addresses are the account's own: money sent there returns to the account. */
export const createOwnWalletRound = (deps: OwnWalletDeps): HousekeepingTask => ({
  name: 'own wallets',
  run: () => run(deps),
});

async function run(deps: OwnWalletDeps): Promise<string> {
  const { store, service, nowMs } = deps;
  if (!service.api.hasOperation('WALLET_LIST')) return 'the service does not list wallets';
  const last = await store.ownWallets.lastListed(service.account);
  if (last === undefined || !isFresh(last.seenAtMs, nowMs())) await listOwnWallets(deps);
  return `${(await store.ownWallets.list(service.account)).length} known`;
}

/** A clock that was set back must not stop it. */
const isFresh = (seenAtMs: number, nowMs: number): boolean =>
  nowMs >= seenAtMs && nowMs - seenAtMs < OWN_WALLETS_EVERY_MS;
