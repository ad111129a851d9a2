import type { Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { HEALTH_CHECKS, type HealthCheckStore } from './health-checks.ts';

/** Wallets that are written with one statement. */
const WALLETS_PER_STATEMENT = 200;

/** The wallets of each account, as the service listed them last, and those that were made since. */
export const createOwnWalletStore = ({ db, decide }: Access, watches: HealthCheckStore) => ({
  /**
   * Makes these addresses the wallets of the account. Others are forgotten, but not one that was added since the listing
   * began, at `listedAtMs`: the list may be older than it.
   */
  async replace(account: string, addresses: readonly string[], listedAtMs: number): Promise<void> {
    await decide([{ account }], async (tx) => {
      await tx
        .deleteFrom('own_wallet')
        .where('account', '=', account)
        .where('seen_at_ms', '<', listedAtMs)
        .execute();
      await write(tx, { account, addresses, atMs: listedAtMs });
    });
    const detail = `${addresses.length} known`;
    await watches.note(HEALTH_CHECKS.ownWallets(account), {
      condition: 'OK',
      atMs: listedAtMs,
      detail,
    });
  },

  /** Remembers a wallet that was just made. */
  add: (account: string, address: string, atMs: number): Promise<void> =>
    decide([{ account }], (tx) => write(tx, { account, addresses: [address], atMs })),

  /** The addresses of the account's wallets, in alphabetical order; none before they were listed once. */
  async list(account: string): Promise<string[]> {
    const rows = await db
      .selectFrom('own_wallet')
      .select('address')
      .where('account', '=', account)
      .orderBy('address')
      .execute();
    return rows.map(({ address }) => address);
  },

  /** When they were listed last, and how many there were; undefined: never. */
  lastListed: (account: string) => watches.find(HEALTH_CHECKS.ownWallets(account)),
});

type Wallets = Readonly<{ account: string; addresses: readonly string[]; atMs: number }>;

async function write(tx: Tx, { account, addresses, atMs }: Wallets): Promise<void> {
  const rows = [...new Set(addresses)].map((address) => ({ account, address, seen_at_ms: atMs }));
  for (let from = 0; from < rows.length; from += WALLETS_PER_STATEMENT) {
    await tx
      .insertInto('own_wallet')
      .values(rows.slice(from, from + WALLETS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['account', 'address']).doUpdateSet({ seen_at_ms: atMs }),
      )
      .execute();
  }
}
