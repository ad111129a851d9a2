import type { Settings } from '../../config.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import type { Store } from '../../store/index.ts';
import type { OperationContext } from '../context.ts';
import { callService } from './call-service.ts';
import { withService } from './preflight.ts';

/** How long one listing may take, in milliseconds. */
const LIST_MS_MAX = 60_000;

type Places = Readonly<{ settings: Settings; store: Store | null }>;

/**
 * The addresses of the account's own wallets, as the service lists them now. A store keeps them, so that the same plan
 * can be made again. Where the list cannot be read, a person is notified and the addresses in the store are used.
 */
export async function freshOwnWallets(
  { settings, store }: Places,
  context: OperationContext,
): Promise<readonly string[]> {
  try {
    return await withService(settings, context, async (service) => {
      const { api, account } = service;
      if (!api.hasOperation('WALLET_LIST')) return await knownOwnWallets(store, account);
      const { walletAddresses } = await import('@bursar/merchant-api');
      const startedMs = context.clock.nowMs();
      const signal = AbortSignal.any([context.interrupted, AbortSignal.timeout(LIST_MS_MAX)]);
      const addresses = await callService(service, () => walletAddresses(api, signal));
      await store?.ownWallets.replace(account, addresses, startedMs);
      return addresses;
    });
  } catch (error) {
    if (!isBursarError(error)) throw error;
    const { code } = error;
    context.say(
      `The account's own wallets could not be listed now (${code}): a new one is not known here.`,
    );
    return knownOwnWallets(store, settings.api.account);
  }
}

/** The addresses in the store. */
export const knownOwnWallets = async (
  store: Store | null,
  account: string | undefined,
): Promise<readonly string[]> =>
  account === undefined ? [] : ((await store?.ownWallets.list(account)) ?? []);
