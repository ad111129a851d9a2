import { CompiledQuery } from 'kysely';
import type { Tx } from '../database/db.ts';
import type { Schema } from '../database/schema.ts';
import type { ChangedChunk, ChangedRows } from './group-state.ts';
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
};

const ENDED_ATTEMPT = {
  ...ATTEMPT,
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

/**
 * Stores the changes of a group, with one statement a table.
 *
 * The locks of the scopes keep two groups of a batch apart. The store has two guards more, so that even a lost lock sends no chunk
 * twice: an attempt is inserted, and its number is unique; a chunk changes only while it is as it was read. Example: two workers
 * begin attempt 1 of chunk 7. The second insert fails, and with it all of its group.
 */
export async function storeGroup(tx: Tx, changed: ChangedRows): Promise<void> {
  await updateChunks(tx, changed.batchId, [...changed.chunks.values()]);
  await insertRows(tx, INTENT, changed.intents);
  await insertRows(tx, ATTEMPT, changed.begun);
  await insertRows(tx, ENDED_ATTEMPT, changed.ended);
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
  'cast(? as text)',
  'cast(? as bigint)',
].join(', ');

async function updateChunks(
  tx: Tx,
  batchId: string,
  changed: readonly ChangedChunk[],
): Promise<void> {
  if (changed.length === 0) return;
  const cells = changed.flatMap(({ row, from }) => [
    row.chunk,
    ...CHANGING.map((column) => row[column]),
    from.state,
    from.final,
  ]);
  const others = `(${marks(CHANGING.length + 3)})`;
  const values = [`(${NEW_VALUES})`, ...changed.slice(1).map(() => others)].join(', ');
  const text = `update chunk set ${SET} from (values ${values}) as new
    where chunk.batch_id = ? and chunk.chunk = new.column1
      and chunk.state = new.column${CHANGING.length + 2} and chunk.final = new.column${CHANGING.length + 3}`;
  const { numAffectedRows } = await tx.executeQuery(CompiledQuery.raw(text, [...cells, batchId]));
  if (Number(numAffectedRows) === changed.length) return;
  throw new Error(`chunks of batch ${batchId} were changed by another write meanwhile`);
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
