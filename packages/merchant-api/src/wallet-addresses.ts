import type { MerchantClient } from './client.ts';
import type { WalletFilter } from './request/list-filter.ts';

/** The requested page size. A service with a lower limit may return smaller pages. */
const FILTER: WalletFilter = { pageSize: 100 };

/** The part of a client that `walletAddresses` uses. */
export type WalletSource = {
  /** Yields every settlement wallet of the account. */
  readonly eachWallet: MerchantClient['eachWallet'];
};

/**
 * Returns the address of every settlement wallet of the account, each once.
 *
 * @throws MerchantApiError like `eachWallet`.
 */
export async function walletAddresses(
  { eachWallet }: WalletSource,
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = new Set<string>();
  for await (const { address } of eachWallet(FILTER, { signal })) addresses.add(address);
  return [...addresses];
}
