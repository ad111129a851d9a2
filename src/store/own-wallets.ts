import type { Db } from './sqlite.ts';

/** Wallets that are written with one statement. */
const WALLETS_PER_STATEMENT = 200;

/** The wallets of each account, as the service listed them last. */
export const createOwnWalletStore = (db: Db) => ({
  /** Makes these addresses the wallets of the account; others that were known are forgotten. */
  replace: (account: string, addresses: readonly string[], atMs: number): Promise<void> =>
    db.transaction().execute(async (tx) => {
      await tx.deleteFrom('own_wallet').where('account', '=', account).execute();
      const rows = [...new Set(addresses)].map((address) => ({
        account,
        address,
        seen_at_ms: atMs,
      }));
      for (let from = 0; from < rows.length; from += WALLETS_PER_STATEMENT) {
        const values = rows.slice(from, from + WALLETS_PER_STATEMENT);
        await tx.insertInto('own_wallet').values(values).execute();
      }
    }),

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
});
