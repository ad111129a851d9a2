import type { AuditEntry } from '../../domain/audit/chain.ts';
import type { Payee, PayeeDecision, PayeeKey } from '../../domain/payees/payee.ts';
import { appendAudit } from '../audit/append.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { Schema } from '../database/schema.ts';

/** Payees that are read or written with one statement. */
const PAYEES_PER_STATEMENT = 200;

/** Payees that are read at once. */
const PAYEES_PER_PAGE = 2_000;

/** Payees of one write, so that no payment waits long for it. */
export const PAYEES_PER_WRITE = 2_000;

/** A change of the register of an account. */
export type PayeeChange<Key extends PayeeKey> = Readonly<{
  account: string;
  /** At most {@link PAYEES_PER_WRITE}, each payee once. */
  keys: readonly Key[];
  /** The payee after the change; undefined: nothing is stored. It may be called again, so it changes nothing else. */
  next(known: Payee | undefined, key: Key): Payee | undefined;
  /** The entry for payees that changed. */
  entryOf(changed: readonly Payee[]): AuditEntry;
}>;

type Row = Schema['payee'];

/** The register of payees of each account. */
export const createPayeeStore = ({ db, decide }: Access) => ({
  /** Changes payees, with one audit entry. Returns those that changed; without any there is no entry. */
  change: <Key extends PayeeKey>(change: PayeeChange<Key>): Promise<readonly Payee[]> =>
    decide([{ account: change.account }, 'chain'], (tx) => changePayees(tx, change)),

  /** The payees of an account with one of these names. */
  find: (account: string, keys: readonly PayeeKey[]): Promise<readonly Payee[]> =>
    findPayees(db, account, keys),

  /** The payees with an address as it was written, in either case. */
  withText: (account: string, written: string): Promise<readonly Payee[]> =>
    payeesWithText(db, account, written),

  /** The payees of an account, by network and address. `after`: only those behind this one. */
  list: (account: string, after?: PayeeKey): AsyncGenerator<Payee> =>
    listPayees(db, { account, after }),

  /** The payees of all accounts with one of these canonical addresses, or with an address as written in either case. */
  ofAddress: (
    addresses: readonly string[],
    written: string,
  ): Promise<readonly (PayeeKey & Readonly<{ account: string }>)[]> =>
    db
      .selectFrom('payee')
      .select(['account', 'network', 'address'])
      .where(({ or, eb, fn }) =>
        or([
          eb('address', 'in', [...addresses, written]),
          eb(fn<string>('lower', ['written']), '=', written.toLowerCase()),
          eb(fn<string>('lower', ['address']), '=', written.toLowerCase()),
        ]),
      )
      .orderBy('account')
      .orderBy('network')
      .orderBy('address')
      .execute(),

  /** Removes payees, with one audit entry for each. Returns how many there were. */
  remove: (
    account: string,
    keys: readonly PayeeKey[],
    entryOf: (removed: Payee) => AuditEntry,
  ): Promise<number> =>
    decide([{ account }, 'chain'], async (tx) => {
      const found = await findPayees(tx, account, keys);
      for (const payee of found) {
        await tx
          .deleteFrom('payee')
          .where('account', '=', account)
          .where('network', '=', payee.network)
          .where('address', '=', payee.address)
          .execute();
        await appendAudit(tx, entryOf(payee));
      }
      return found.length;
    }),
});

async function changePayees<Key extends PayeeKey>(
  tx: Tx,
  { account, keys, next, entryOf }: PayeeChange<Key>,
): Promise<readonly Payee[]> {
  const found = await findPayees(tx, account, keys);
  const known = new Map(found.map((payee) => [nameOf(payee), payee]));
  const changed = keys.flatMap((key) => {
    const before = known.get(nameOf(key));
    const after = next(before, key);
    return after === undefined || isSame(before, after) ? [] : [after];
  });
  for (let from = 0; from < changed.length; from += PAYEES_PER_STATEMENT) {
    const rows = changed
      .slice(from, from + PAYEES_PER_STATEMENT)
      .map((payee) => toRow(account, payee));
    await tx
      .insertInto('payee')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['account', 'network', 'address']).doUpdateSet(({ ref }) => ({
          name: ref('excluded.name'),
          email: ref('excluded.email'),
          labels: ref('excluded.labels'),
          decision: ref('excluded.decision'),
          decided_by: ref('excluded.decided_by'),
          decided_at_ms: ref('excluded.decided_at_ms'),
          reason: ref('excluded.reason'),
        })),
      )
      .execute();
  }
  if (changed.length > 0) await appendAudit(tx, entryOf(changed));
  return changed;
}

const nameOf = ({ network, address }: PayeeKey): string => `${network} ${address}`;

const isSame = (before: Payee | undefined, after: Payee): boolean =>
  before !== undefined && JSON.stringify(toRow('', before)) === JSON.stringify(toRow('', after));

async function findPayees(db: Db, account: string, keys: readonly PayeeKey[]): Promise<Payee[]> {
  const names = new Set(keys.map(nameOf));
  const found: Payee[] = [];
  for (let from = 0; from < keys.length; from += PAYEES_PER_STATEMENT) {
    const addresses = keys.slice(from, from + PAYEES_PER_STATEMENT).map(({ address }) => address);
    const rows = await db
      .selectFrom('payee')
      .selectAll()
      .where('account', '=', account)
      .where('address', 'in', addresses)
      .execute();
    found.push(...rows.map(toPayee).filter((payee) => names.has(nameOf(payee))));
  }
  const once = new Map(found.map((payee) => [nameOf(payee), payee]));
  return [...once.values()];
}

async function payeesWithText(db: Db, account: string, written: string): Promise<Payee[]> {
  const rows = await db
    .selectFrom('payee')
    .selectAll()
    .where('account', '=', account)
    .where(({ eb, fn }) => eb(fn<string>('lower', ['written']), '=', written.toLowerCase()))
    .orderBy('network')
    .orderBy('address')
    .execute();
  return rows.map(toPayee);
}

async function* listPayees(db: Db, first: PageOf): AsyncGenerator<Payee> {
  for (let { after } = first; ; ) {
    const page = await payeePage(db, { ...first, after });
    yield* page;
    after = page.at(-1);
    if (page.length < PAYEES_PER_PAGE) return;
  }
}

type PageOf = Readonly<{ account: string; after: PayeeKey | undefined }>;

async function payeePage(db: Db, { account, after }: PageOf): Promise<Payee[]> {
  let query = db.selectFrom('payee').selectAll().where('account', '=', account);
  if (after !== undefined) {
    query = query.where(({ or, and, eb }) =>
      or([
        eb('network', '>', after.network),
        and([eb('network', '=', after.network), eb('address', '>', after.address)]),
      ]),
    );
  }
  const rows = await query.orderBy('network').orderBy('address').limit(PAYEES_PER_PAGE).execute();
  return rows.map(toPayee);
}

const toRow = (account: string, payee: Payee): Row => ({
  account,
  network: payee.network,
  address: payee.address,
  written: payee.written,
  name: payee.name,
  email: payee.email,
  labels: payee.labels.join(' '),
  added_at_ms: payee.addedAtMs,
  added_by: payee.addedBy,
  decision: payee.decision?.kind ?? null,
  decided_by: payee.decision?.by ?? null,
  decided_at_ms: payee.decision?.atMs ?? null,
  reason: payee.decision?.reason ?? null,
});

const toPayee = (row: Row): Payee => ({
  network: row.network,
  address: row.address,
  written: row.written,
  name: row.name,
  email: row.email,
  labels: row.labels === '' ? [] : row.labels.split(' '),
  addedAtMs: row.added_at_ms,
  addedBy: row.added_by,
  decision:
    row.decision === null
      ? null
      : {
          kind: row.decision as PayeeDecision,
          by: row.decided_by ?? '',
          atMs: row.decided_at_ms ?? 0,
          reason: row.reason ?? '',
        },
});
