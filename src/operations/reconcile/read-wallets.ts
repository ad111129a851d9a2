import type { WalletBalance } from '../../domain/reconcile/statement.ts';
import type { Read } from './patient-reads.ts';

/** Pages of wallets that are read, of 100 each. No person reads more. */
const PAGES_MAX = 10;
const PAGE_SIZE = 100;

/** Reads the present balances of the account's wallets in these currencies. */
export async function readWallets(
  read: Read,
  currencies: readonly string[],
): Promise<WalletBalance[]> {
  const found: WalletBalance[] = [];
  for (let pageNumber = 1; pageNumber <= PAGES_MAX; pageNumber += 1) {
    const page = await read((api, call) =>
      api.listWallets({ pageNumber, pageSize: PAGE_SIZE }, call),
    );
    for (const { name, address, balances } of page.result) {
      const own = balances.filter(({ currency }) => currencies.includes(currency));
      found.push(...own.map(({ currency, amount }) => ({ name, address, currency, amount })));
    }
    if (pageNumber >= page.total) break;
  }
  return found;
}
