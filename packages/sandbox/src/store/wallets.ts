import type { Blockchain } from '../core/blockchains.ts';
import { firstWallets, type SandboxWallet } from '../core/wallets.ts';
import type { Database } from './database.ts';
import { offsetOf, type StoredPage, type PageRequest, prepareByOrder } from './page.ts';
import { rowOrNull } from './row.ts';

export type StoredWallet = SandboxWallet & Readonly<{ n: number }>;

/** ASSUMED: the spec does not show the names that `properties` accepts. */
export const WALLET_PROPERTIES = ['name', 'address', 'blockchain'] as const;

export type WalletProperty = (typeof WALLET_PROPERTIES)[number];

export type WalletQuery = Readonly<{
  accounts: readonly string[];
  blockchain: string | null;
  /** Only the wallets that hold a balance in this currency, on its blockchain. */
  holding: Readonly<{ currency: string; blockchain: Blockchain }> | null;
  /** A part of the name or of the address. The case of ASCII letters does not count. */
  nameOrAddress: string | null;
  page: PageRequest<WalletProperty>;
}>;

export type Wallets = Readonly<{
  /** Creates the first wallets of an account. Later calls for the same account change nothing. */
  open(account: string): void;
  /** Returns the wallet that holds the balances of an account on a blockchain. */
  holderOf(account: string, blockchain: Blockchain): StoredWallet;
  insert(wallet: SandboxWallet): void;
  countOf(account: string): number;
  /** Returns the wallet with exactly this address, if one of these accounts has it. */
  byAddress(address: string, accounts: readonly string[]): StoredWallet | null;
  rename(n: number, name: string): void;
  query(query: WalletQuery): StoredPage<StoredWallet>;
  /** Returns the wallets after a number, oldest first, of one account or of all. */
  list(
    page: Readonly<{ afterN: number; limit: number; account?: string | undefined }>,
  ): StoredWallet[];
}>;

export function createWallets(db: Database): Wallets {
  const insert = db.prepare('INSERT INTO wallet VALUES (NULL, ?, ?, ?, ?, ?)');
  const count = db.prepare('SELECT count(*) AS count FROM wallet WHERE account = ?');
  const holder = db.prepare(
    'SELECT * FROM wallet WHERE account = ? AND blockchain = ? AND holds_balances = 1',
  );
  const byAddress = db.prepare('SELECT * FROM wallet WHERE address = ?');
  const rename = db.prepare('UPDATE wallet SET name = ? WHERE n = ?');
  const list = db.prepare('SELECT * FROM wallet WHERE n > ? ORDER BY n LIMIT ?');
  const listOf = db.prepare('SELECT * FROM wallet WHERE account = ? AND n > ? ORDER BY n LIMIT ?');

  const wallets: Wallets = {
    open(account) {
      if (wallets.countOf(account) > 0) return;
      for (const wallet of firstWallets(account)) wallets.insert(wallet);
    },
    holderOf(account, blockchain) {
      const found = rowOrNull(holder.get(account, blockchain), toWallet);
      if (found === null) throw new Error(`The account has no wallet on ${blockchain}.`);
      return found;
    },
    insert: ({ account, address, blockchain, name, holdsBalances }) =>
      void insert.run(account, address, blockchain, name, holdsBalances ? 1 : 0),
    countOf: (account) => (count.get(account) as { count: number }).count,
    byAddress(address, accounts) {
      const found = rowOrNull(byAddress.get(address), toWallet);
      return found !== null && accounts.includes(found.account) ? found : null;
    },
    rename: (n, name) => void rename.run(name, n),
    list({ afterN, limit, account }) {
      const rows =
        account === undefined ? list.all(afterN, limit) : listOf.all(account, afterN, limit);
      return (rows as WalletRow[]).map(toWallet);
    },
    query: createQuery(db),
  };
  return wallets;
}

const MATCHING = `
  FROM wallet
  WHERE account IN (SELECT value FROM json_each(?1))
    AND (?2 IS NULL OR blockchain = ?2)
    AND (?3 IS NULL OR holds_balances AND blockchain = ?4 AND EXISTS (
      SELECT 1 FROM balance
      WHERE balance.account = wallet.account AND balance.currency = ?3
    ))
    AND (?5 IS NULL OR instr(lower(name), lower(?5)) OR instr(lower(address), lower(?5)))`;

function createQuery(db: Database): Wallets['query'] {
  const count = db.prepare(`SELECT count(*) AS count ${MATCHING}`);
  const select = prepareByOrder<WalletProperty>(
    db,
    ({ property, sort }) =>
      `SELECT * ${MATCHING} ORDER BY ${property} ${sort}, n ${sort} LIMIT ?6 OFFSET ?7`,
  );
  return ({ accounts, blockchain, holding, nameOrAddress, page }) => {
    const filters = [
      JSON.stringify(accounts),
      blockchain,
      holding?.currency ?? null,
      holding?.blockchain ?? null,
      nameOrAddress,
    ];
    const rows = select(page).all(...filters, page.pageSize, offsetOf(page)) as WalletRow[];
    const { count: totalElements } = count.get(...filters) as { count: number };
    return { items: rows.map(toWallet), totalElements };
  };
}

type WalletRow = {
  n: number;
  account: string;
  address: string;
  blockchain: Blockchain;
  name: string;
  holds_balances: number;
};

const toWallet = (row: WalletRow): StoredWallet => ({
  n: row.n,
  account: row.account,
  address: row.address,
  blockchain: row.blockchain,
  name: row.name,
  holdsBalances: row.holds_balances === 1,
});
