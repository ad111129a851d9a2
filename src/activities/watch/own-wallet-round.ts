import type { Store } from '../../store/store.ts';
import { WATCH_SUBJECTS } from '../../store/watches.ts';
import { callService, type Service } from '../service.ts';
import type { Round } from './round.ts';

/** New wallets are rare, so they are listed this seldom, in milliseconds. */
const OWN_WALLETS_EVERY_MS = 600_000;
/** The page size that is asked for; a service that allows less may give less. */
const PAGE_SIZE = 100;

export type OwnWalletDeps = Readonly<{
  store: Pick<Store, 'watches'>;
  service: Service;
  /** Keeps the addresses of an account's own wallets. */
  replace(account: string, addresses: readonly string[], atMs: number): Promise<void>;
  nowMs(): number;
}>;

/** Keeps in mind which addresses are the account's own: money that is sent there goes round in a circle. */
export const createOwnWalletRound = (deps: OwnWalletDeps): Round => ({
  name: 'own wallets',
  run: () => run(deps),
});

async function run({ store, service, replace, nowMs }: OwnWalletDeps): Promise<string> {
  const { account } = service;
  if (!service.api.hasOperation('WALLET_LIST')) return 'the service does not list wallets';
  const subject = WATCH_SUBJECTS.ownWallets(account);
  const last = await store.watches.find(subject);
  if (last !== undefined && isFresh(last.seenAtMs, nowMs())) return last.detail;
  const addresses = await listAddresses(service);
  const atMs = nowMs();
  await replace(account, addresses, atMs);
  const detail = `${addresses.length} known`;
  await store.watches.note(subject, { condition: 'OK', atMs, detail });
  return detail;
}

/** A clock that was set back must not stop it. */
const isFresh = (seenAtMs: number, nowMs: number): boolean =>
  nowMs >= seenAtMs && nowMs - seenAtMs < OWN_WALLETS_EVERY_MS;

async function listAddresses(service: Service): Promise<readonly string[]> {
  await service.pace();
  return callService(service, async (api) => {
    const addresses = new Set<string>();
    for await (const { address } of api.eachWallet({ pageSize: PAGE_SIZE })) addresses.add(address);
    return [...addresses];
  });
}
