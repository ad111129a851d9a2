import type { PayoutState } from '@bursar/merchant-api/spec';
import { formatDecimal, readDecimal } from '../core/decimal.ts';
import type { SandboxMassPayout } from '../core/mass-payout.ts';
import type { Database } from './database.ts';
import { rowOrNull } from './row.ts';
import { cutOf, type ListPart } from './page.ts';

/** A mass payout with its number in the store. Numbers grow in the order of creation. */
export type StoredMassPayout = SandboxMassPayout & Digests & Readonly<{ n: number }>;

/** The hashes of a create request: one of its payload's meaning, one of its bytes. */
export type Digests = Readonly<{ payloadSha256: string; bodySha256: string }>;

export type MassPayouts = Readonly<{
  /** Returns the number of the new mass payout. */
  insert(massPayout: SandboxMassPayout, digests: Digests): number;
  byId(id: string): StoredMassPayout | null;
  /** Throws when there is none. */
  byNumber(n: number): StoredMassPayout;
  /** The latest mass payout of an account with this key. */
  byKey(account: string, idempotencyKey: string): StoredMassPayout | null;
  /** The mass payouts after a number, oldest first, at most `limit` of them. */
  page(afterN: number, limit: number): StoredMassPayout[];
  list(filter: MassPayoutFilter): StoredMassPayout[];
  due(nowMs: number, limit: number): StoredMassPayout[];
  nextDueMs(): number | null;
  move(n: number, to: MassPayoutMove): void;
}>;

/** The fields that a move changes. */
export type MassPayoutMove = Readonly<{
  state: PayoutState;
  dueMs: number | null;
  endedMs: number | null;
  confirmations: number;
}>;

export function createMassPayouts(db: Database): MassPayouts {
  const insert = db.prepare(
    `INSERT INTO mass_payout VALUES (NULL, ${Array.from({ length: 21 }, () => '?').join(', ')})`,
  );
  const byId = db.prepare('SELECT * FROM mass_payout WHERE id = ?');
  const byNumber = db.prepare('SELECT * FROM mass_payout WHERE n = ?');
  const byKey = db.prepare(
    `SELECT * FROM mass_payout WHERE idempotency_key = ? AND account = ? ORDER BY n DESC LIMIT 1`,
  );
  const page = db.prepare('SELECT * FROM mass_payout WHERE n > ? ORDER BY n LIMIT ?');
  const due = db.prepare('SELECT * FROM mass_payout WHERE due_ms <= ? ORDER BY due_ms, n LIMIT ?');
  const nextDue = db.prepare(
    'SELECT min(due_ms) AS due_ms FROM mass_payout WHERE due_ms IS NOT NULL',
  );
  const move = db.prepare(
    `UPDATE mass_payout SET state = ?, due_ms = ?, ended_ms = ?, confirmations = ? WHERE n = ?`,
  );
  const list = createMassPayoutList(db);
  return {
    insert: (massPayout, digests) =>
      Number(insert.run(toColumns(massPayout, digests)).lastInsertRowid),
    list: (filter) => (list(filter) as Row[]).map(toMassPayout),
    byId: (id) => rowOrNull(byId.get(id), toMassPayout),
    byNumber(n) {
      const found = rowOrNull(byNumber.get(n), toMassPayout);
      if (found === null) throw new Error(`There is no mass payout number ${n}.`);
      return found;
    },
    byKey: (account, key) => rowOrNull(byKey.get(key, account), toMassPayout),
    page: (afterN, limit) => (page.all(afterN, limit) as Row[]).map(toMassPayout),
    due: (nowMs, limit) => (due.all(nowMs, limit) as Row[]).map(toMassPayout),
    nextDueMs: () => (nextDue.get() as { due_ms: number | null }).due_ms,
    move: (n, { state, dueMs, endedMs, confirmations }) =>
      void move.run(state, dueMs, endedMs, confirmations, n),
  };
}

type Row = {
  n: number;
  id: string;
  account: string;
  idempotency_key: string;
  payload_sha256: string;
  body_sha256: string;
  state: PayoutState;
  due_ms: number | null;
  ended_ms: number | null;
  confirmations: number;
  created_ms: number;
  currency: string;
  name: string | null;
  comment: string | null;
  external_id: string | null;
  execution_date: string | null;
  withdrawals_count: number;
  total_amount: string;
  total_fee: string;
  fee_percent: string;
  fee_fix: string;
  fee_min: string;
};

const toColumns = (massPayout: SandboxMassPayout, digests: Digests): unknown[] => [
  massPayout.id,
  massPayout.account,
  massPayout.idempotencyKey,
  digests.payloadSha256,
  digests.bodySha256,
  massPayout.state,
  massPayout.dueMs,
  massPayout.endedMs,
  massPayout.confirmations,
  massPayout.createdMs,
  massPayout.currency,
  massPayout.name,
  massPayout.comment,
  massPayout.externalId,
  massPayout.executionDate,
  massPayout.withdrawalsCount,
  formatDecimal(massPayout.totalAmount),
  formatDecimal(massPayout.totalFee),
  formatDecimal(massPayout.tariff.percent),
  formatDecimal(massPayout.tariff.fix),
  formatDecimal(massPayout.tariff.min),
];

const toMassPayout = (row: Row): StoredMassPayout => ({
  n: row.n,
  id: row.id,
  account: row.account,
  idempotencyKey: row.idempotency_key,
  payloadSha256: row.payload_sha256,
  bodySha256: row.body_sha256,
  state: row.state,
  dueMs: row.due_ms,
  endedMs: row.ended_ms,
  confirmations: row.confirmations,
  createdMs: row.created_ms,
  currency: row.currency,
  name: row.name,
  comment: row.comment,
  externalId: row.external_id,
  executionDate: row.execution_date,
  withdrawalsCount: row.withdrawals_count,
  totalAmount: readDecimal(row.total_amount),
  totalFee: readDecimal(row.total_fee),
  tariff: {
    percent: readDecimal(row.fee_percent),
    fix: readDecimal(row.fee_fix),
    min: readDecimal(row.fee_min),
  },
});

/** A part of the mass payouts that match. */
type MassPayoutFilter = ListPart &
  Readonly<{
    account?: string | undefined;
    state?: PayoutState | undefined;
    /** A part of the id, key, name or external id, in any case. */
    search?: string | undefined;
  }>;

/** A line feed separates the texts, so that no match spans two of them. */
const SEARCHED = `lower(id || char(10) || idempotency_key || char(10) || coalesce(name, '')
  || char(10) || coalesce(external_id, ''))`;

/** Reads rows with one condition for each filter, so that SQLite uses an index where one exists. */
function createMassPayoutList(db: Database): (filter: MassPayoutFilter) => unknown[] {
  return ({ account, state, search, ...part }) => {
    const { isAfter, inOrder, start } = cutOf(part);
    const conditions = [
      [isAfter, start],
      ['state = ?', state],
      // With both filters the index of states finds fewer rows. The `+` excludes the other index.
      [state === undefined ? 'account = ?' : '+account = ?', account],
      [`instr(${SEARCHED}, lower(?))`, search],
    ] as const;
    const asked = conditions.filter(([, value]) => value !== undefined);
    const where = asked.map(([condition]) => condition).join(' AND ');
    const select = db.prepare(
      `SELECT * FROM mass_payout WHERE ${where} ORDER BY ${inOrder} LIMIT ?`,
    );
    return select.all(...asked.map(([, value]) => value), part.limit);
  };
}
