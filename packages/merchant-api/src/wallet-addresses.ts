import type { MerchantClient } from './client.ts';
import type { WalletFilter } from './operations/list-wallets.ts';

/** The page size that is asked for; a service that allows less may give less. */
const FILTER: WalletFilter = { pageSize: 100 };

/** The address of every settlement wallet of the account, each once. Throws `MerchantApiError` as `eachWallet` does. */
export async function walletAddresses(
  { eachWallet }: Pick<MerchantClient, 'eachWallet'>,
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = new Set<string>();
  for await (const { address } of eachWallet(FILTER, { signal })) addresses.add(address);
  return [...addresses];
}
