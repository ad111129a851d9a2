import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyBatch } from '../../src/report/verify/verify-batch.ts';
import { createFiles } from '../../src/files/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import type { Payroll } from '../people/payroll.ts';
import { readRecords } from './csv.ts';
import type { FileRow, ToldBatch, ToldRow } from './evidence.ts';
import { keyOf } from './identity.ts';
import { writableDb } from '../../src/store/database/writable.ts';

export type Reports = Readonly<{ dir: string; account: string }>;

/** What the report of a batch says; without one, nothing is told of any row. */
export function toldOf({ dir, account }: Reports, payroll: Payroll, parent?: ToldBatch): ToldBatch {
  const { batchId, state, generation, approvedAtMs } = payroll;
  const folder = join(dir, batchId);
  const records = (name: string): Record<string, string>[] =>
    existsSync(join(folder, name)) ? readRecords(readFileSync(join(folder, name), 'utf8')) : [];
  const told = records('report.csv').map(
    ({ address = '', amount = '', currency = '', outcome = '' }): ToldRow => {
      return { address, amount, currency, outcome };
    },
  );
  const addressesIn = (name: string): string[] => records(name).map(({ address = '' }) => address);
  const rows = parent === undefined ? payroll.rows : resentRows(parent);
  const mayPay = parent === undefined ? rows : unpaidRows(parent);
  const isResend = parent !== undefined;
  // While nobody answers whether its rows are still unpaid, a resend is refused: they stay with its parent.
  const isRefused = isResend && state === 'REJECTED';
  return {
    batchId,
    state,
    isResend,
    told,
    approvedAtMs,
    rows: isRefused ? [] : rows,
    resendable: addressesIn('resend.csv'),
    // How the rows were cut into chunks is the engine's affair: no chunk holds less than a row.
    keys: mayPay.map((_, chunk) => keyOf({ account, batchId, chunk, generation })),
    investigated: addressesIn('investigate.csv'),
  };
}

/** What a batch tells to be unpaid for certain. */
const unpaidRows = ({ rows, told }: ToldBatch): FileRow[] =>
  rows.filter((_, at) => ['FAILED', 'NOT_SENT'].includes(told[at]?.outcome ?? ''));

/** A resend pays what its parent offers no more: of some rows that becomes known only after it has begun. */
function resentRows(parent: ToldBatch): FileRow[] {
  const offered = new Set(parent.resendable);
  return unpaidRows(parent).filter(({ address }) => !offered.has(address));
}

/** Where a run keeps its records, its copies of files, and its reports. */
type Kept = Readonly<{ storeUrl: string; blobUrl: string; disk: string }>;

/** What the engine's own records say; read when nobody writes them any more. */
export async function readRecordsOf(
  { storeUrl, blobUrl, disk }: Kept,
  batchIds: readonly string[],
) {
  const store = await openStore(storeUrl);
  try {
    const blobs = createFiles(blobUrl);
    const unproven: string[] = [];
    for (const batchId of batchIds) {
      const asked = { batchId, reportDir: join(disk, 'runs', batchId), head: null };
      try {
        const { result, problems } = await verifyBatch({ store, blobs }, asked);
        unproven.push(...problems.map(({ what }) => `${batchId} ${result}: ${what}`));
      } catch (error) {
        unproven.push(`${batchId} could not be verified: ${(error as Error).message}`);
      }
    }
    return { unproven, ...(await sendsOf(store)) };
  } finally {
    await store.close();
  }
}

/** Sends of which the engine did not know what became of them, and chunks of them that it found. */
async function sendsOf(store: Store) {
  const attempts = await writableDb(store)
    .selectFrom('attempt')
    .innerJoin('chunk', 'chunk.idempotency_key', 'attempt.idempotency_key')
    .select(['attempt.idempotency_key as key', 'attempt.outcome', 'chunk.mass_payout_id as payout'])
    .execute();
  const accepted = new Set(
    attempts.filter(({ outcome }) => outcome === 'ACCEPTED').map(({ key }) => key),
  );
  const inDoubt = attempts.filter(({ outcome }) => ['AMBIGUOUS', 'PENDING'].includes(outcome));
  const found = inDoubt.filter(({ key, payout }) => payout !== null && !accepted.has(key));
  return {
    sends: attempts.length,
    ambiguous: inDoubt.length,
    recovered: new Set(found.map(({ key }) => key)).size,
  };
}
