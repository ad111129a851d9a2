import type { Store } from '../../store/index.ts';
import { walletAddresses } from '@bursar/merchant-api';
import { callService, type Service } from '../service/service.ts';

/** How long one listing may take, in milliseconds: an account has few wallets, and a plan waits for it. */
const LIST_MS_MAX = 60_000;

export type OwnWalletDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
}>;

/**
 * Lists the account's own wallets, where the service can, and stores them. Throws the errors of the service; the stored
 * wallets then stay.
 */
export async function listOwnWallets({ store, service, nowMs }: OwnWalletDeps): Promise<void> {
  if (!service.api.hasOperation('WALLET_LIST')) return;
  await service.pace();
  const startedMs = nowMs();
  const signal = AbortSignal.timeout(LIST_MS_MAX);
  const addresses = await callService(service, (api) => walletAddresses(api, signal));
  await store.ownWallets.replace(service.account, addresses, startedMs);
}
