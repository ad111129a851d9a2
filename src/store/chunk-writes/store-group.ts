import type { Tx } from '../database/db.ts';
import type { Schema } from '../database/schema.ts';
import type { ChangedRows } from './group-state.ts';
import { insertRows, marks, run } from './statements.ts';

/** Rows that are written with one statement. */
const ROWS_PER_STATEMENT = 500;

/** Columns of a chunk that writes change. */
const CHANGING = [
  ...(['state', 'attention_reason', 'attention_since_ms', 'answer_json'] as const),
  ...(['mass_payout_id', 'differences_json', 'other_payouts_json', 'mass_state', 'fee'] as const),
  ...(['default_outcome', 'default_reason', 'final', 'unclear_since_ms'] as const),
  ...(['payout_fingerprint', 'reopened', 'open_since_ms', 'state_since_ms'] as const),
  ...(['unreadable_since_ms', 'verified_epoch', 'verified_by'] as const),
] satisfies (keyof Schema['chunk'])[];

const ATTEMPT_END = [
  ...(['outcome', 'ended_ms', 'http_status', 'error_code'] as const),
  ...(['trace_id', 'retry_after_ms'] as const),
] satisfies (keyof Schema['attempt'])[];

const ATTEMPT = {
  table: 'attempt',
  columns: [
    ...(['idempotency_key', 'n', 'timestamp_ms', 'body_sha256'] as const),
    ...(['clock_id', 'clock_ms', 'unsent_id'] as const),
    ...ATTEMPT_END,
  ],
  onConflict: `on conflict (idempotency_key, n) do update set
    ${ATTEMPT_END.map((column) => `${column} = excluded.${column}`).join(', ')}`,
};

const INTENT = {
  table: 'intent',
  columns: ['idempotency_key', 'payload', 'payload_sha256', 'created_at_ms'] as const,
};

const LOOKUP = {
  table: 'lookup',
  columns: [
    ...(['idempotency_key', 'at_ms', 'attempts', 'result', 'server_date_ms'] as const),
    ...(['clock_id', 'clock_ms', 'elapsed_ms', 'epoch', 'n'] as const),
  ],
};

const ROW_OUTCOME = {
  table: 'row_outcome',
  columns: [
    ...(['batch_id', 'row', 'chunk', 'outcome', 'reason', 'amount'] as const),
    ...(['withdrawal_id', 'transaction_hash', 'fee', 'fee_currency'] as const),
  ],
};

const COUNTED = ['under_way_rows', 'under_way_amount', 'lost_rows', 'lost_amount'] as const;

const HEADROOM = {
  table: 'headroom',
  columns: [...(['batch_id', 'currency', 'batch_rows'] as const), ...COUNTED],
  onConflict: `on conflict (batch_id, currency) do update set
    ${COUNTED.map((column) => `${column} = excluded.${column}`).join(', ')}`,
};

/** Stores the changes of a group, with one statement a table. */
export async function storeGroup(tx: Tx, changed: ChangedRows): Promise<void> {
  await updateChunks(tx, changed.batchId, [...changed.chunks.values()]);
  await insertRows(tx, INTENT, changed.intents);
  await insertRows(tx, ATTEMPT, [...changed.attempts.values()]);
  await insertRows(tx, LOOKUP, changed.lookups);
  const { batchId, rowOutcomes, forgottenWithdrawals } = changed;
  await deleteOf(tx, 'row_outcome', { batchId, chunks: [...rowOutcomes.keys()] });
  const outcomes = [...rowOutcomes.values()].flat();
  for (let from = 0; from < outcomes.length; from += ROWS_PER_STATEMENT) {
    await insertRows(tx, ROW_OUTCOME, outcomes.slice(from, from + ROWS_PER_STATEMENT));
  }
  await insertRows(tx, HEADROOM, changed.headroom);
  await deleteOf(tx, 'withdrawal_lookup', { batchId, chunks: [...forgottenWithdrawals] });
}

const SET = CHANGING.map((column, i) => `${column} = new.column${i + 2}`).join(', ');

/** The columns of a chunk that hold numbers. */
const NUMBERS: readonly string[] = [
  ...['attention_since_ms', 'final', 'unclear_since_ms', 'reopened', 'open_since_ms'],
  ...['state_since_ms', 'unreadable_since_ms', 'verified_epoch'],
];

/** The marks of the first new row. Its types are those of all rows. */
const NEW_VALUES = [
  'cast(? as bigint)',
  ...CHANGING.map((column) => `cast(? as ${NUMBERS.includes(column) ? 'bigint' : 'text'})`),
].join(', ');

async function updateChunks(
  tx: Tx,
  batchId: string,
  rows: readonly Schema['chunk'][],
): Promise<void> {
  if (rows.length === 0) return;
  const cells = rows.flatMap((row) => [row.chunk, ...CHANGING.map((column) => row[column])]);
  const values = [
    `(${NEW_VALUES})`,
    ...rows.slice(1).map(() => `(${marks(CHANGING.length + 1)})`),
  ].join(', ');
  await run(
    tx,
    `update chunk set ${SET} from (values ${values}) as new
      where chunk.batch_id = ? and chunk.chunk = new.column1`,
    [...cells, batchId],
  );
}

async function deleteOf(
  tx: Tx,
  table: string,
  { batchId, chunks }: Readonly<{ batchId: string; chunks: readonly number[] }>,
): Promise<void> {
  if (chunks.length === 0) return;
  const text = `delete from ${table} where batch_id = ? and chunk in (${marks(chunks.length)})`;
  await run(tx, text, [batchId, ...chunks]);
}
