import { lossesOfFacts } from '../../domain/holds/stop-loss.ts';
import {
  type AuthorityRow,
  findAuthorityRow,
  type PayGround,
  readGround,
} from '../control/authority.ts';
import { liftedHolds } from '../control/hold-records.ts';
import type { Tx } from '../database/db.ts';
import type { Schema } from '../database/schema.ts';
import { restoreOf, type StoredRestore } from '../restore/restores.ts';
import { countHeadroom } from '../sending/headroom.ts';
import { lockPayouts } from '../sending/other-owners.ts';
import { groupBy } from '../settlement/shares.ts';
import type { ReadHeadroom } from './headroom-counters.ts';
import { marks, run } from './statements.ts';
import type { ChunkWrite, StoredChunk } from './write.ts';

/** A chunk of a mass payout. */
type Owner = Readonly<{ batchId: string; chunk: number; key: string; id: string }>;

/** The facts that one group of writes needs. */
export type ReadGroup = Readonly<{
  batchId: string;
  chunks: ReadonlyMap<number, StoredChunk>;
  isEnded: boolean;
  restore: StoredRestore | undefined;
  ground: PayGround | undefined;
  /** undefined: the batch has no stop loss, or no counters yet. */
  headroom: ReadHeadroom | undefined;
  /** The chunks, of any batch, of the mass payouts of the group. */
  owners: readonly Owner[];
}>;

/** `recounts`: whether the counters of a stop loss are counted again, where a first attempt is begun. */
export async function readGroup(
  tx: Tx,
  writes: readonly ChunkWrite<unknown>[],
  recounts: boolean,
): Promise<ReadGroup> {
  const batchId = writes[0]?.at.batchId ?? '';
  const needs = writes.map((write) => write.needs ?? {});
  const numbers = [...new Set(writes.map(({ at }) => at.chunk))];
  const batch = await findAuthorityRow(tx, batchId);
  const begins = needs.some((need) => need.begins !== undefined);
  const hasFirst = needs.some((need) => need.begins?.first === true);
  const headroom =
    batch === undefined ? undefined : await readHeadroom(tx, batch, { hasFirst, recounts });
  const chunks = await readChunks(tx, batchId, {
    numbers,
    begins,
    countsLookups: needs.some((need) => need.countsLookups === true),
    rowOutcomes: headroom !== undefined || needs.some((need) => need.rowOutcomes === true),
  });
  const ids = [...new Set(needs.flatMap(({ massPayoutId }) => massPayoutId ?? []))];
  return {
    batchId,
    chunks,
    isEnded: batch !== undefined && batch.end_state !== null,
    restore: await restoreOf(tx, batchId),
    ground: begins && batch !== undefined ? await readGround(tx, batch) : undefined,
    headroom,
    owners: await readOwners(tx, ids),
  };
}

const stopLossOf = ({ options_json: options }: AuthorityRow): readonly string[] =>
  (JSON.parse(options) as { stopLoss?: readonly string[] }).stopLoss ?? [];

/** The counters of the stop loss. A batch gets them with its first attempt, when all its chunks are planned. */
async function readHeadroom(
  tx: Tx,
  batch: AuthorityRow,
  { hasFirst, recounts }: Readonly<{ hasFirst: boolean; recounts: boolean }>,
): Promise<ReadHeadroom | undefined> {
  const { batch_id: batchId } = batch;
  const rules = stopLossOf(batch);
  if (rules.length === 0 || batch.end_state !== null) return undefined;
  const stored = await run<Schema['headroom']>(
    tx,
    'select * from headroom where batch_id = ? order by currency',
    [batchId],
  );
  const begins = hasFirst && batch.released_at_ms !== null;
  if (stored.length === 0 && !begins) return undefined;
  const isNew = begins && (stored.length === 0 || recounts);
  const [accepted] = hasFirst ? await liftedHolds(tx, batchId, 'STOP_LOSS') : [];
  return {
    rules,
    accepted: accepted && lossesOfFacts(accepted.facts),
    rows: isNew ? await countHeadroom(tx, batchId) : stored,
    isNew,
  };
}

type Wanted = Readonly<{
  numbers: readonly number[];
  begins: boolean;
  countsLookups: boolean;
  rowOutcomes: boolean;
}>;

async function readChunks(
  tx: Tx,
  batchId: string,
  { numbers, begins, countsLookups, rowOutcomes }: Wanted,
): Promise<Map<number, StoredChunk>> {
  const inChunks = `batch_id = ? and chunk in (${marks(numbers.length)})`;
  const rows = await run<Schema['chunk']>(tx, `select * from chunk where ${inChunks}`, [
    batchId,
    ...numbers,
  ]);
  const keys = rows.map((row) => row.idempotency_key);
  const ofKeys = `idempotency_key in (${marks(keys.length)})`;
  const attempts = await run<Schema['attempt']>(
    tx,
    `select * from attempt where ${ofKeys} order by idempotency_key, n`,
    keys,
  );
  const intents = begins
    ? await run<{ key: string; hash: string }>(
        tx,
        `select idempotency_key as key, payload_sha256 as hash from intent where ${ofKeys}`,
        keys,
      )
    : [];
  const lookups = countsLookups
    ? await run<{ key: string; count: number }>(
        tx,
        `select idempotency_key as key, count(*) as count from lookup where ${ofKeys} group by 1`,
        keys,
      )
    : [];
  const outcomes = rowOutcomes
    ? await run<Schema['row_outcome']>(
        tx,
        `select * from row_outcome where ${inChunks} order by row`,
        [batchId, ...numbers],
      )
    : [];
  const attemptsByKey = groupBy(attempts, (attempt) => attempt.idempotency_key);
  const outcomesByChunk = groupBy(outcomes, ({ chunk }) => chunk);
  const hashByKey = new Map(intents.map(({ key, hash }) => [key, hash]));
  const countByKey = new Map(lookups.map(({ key, count }) => [key, count]));
  return new Map(
    rows.map((row) => [
      row.chunk,
      {
        row,
        attempts: attemptsByKey.get(row.idempotency_key) ?? [],
        lookups: countByKey.get(row.idempotency_key) ?? 0,
        intentSha256: hashByKey.get(row.idempotency_key),
        rowOutcomes: outcomesByChunk.get(row.chunk) ?? [],
      },
    ]),
  );
}

async function readOwners(tx: Tx, ids: readonly string[]): Promise<Owner[]> {
  if (ids.length === 0) return [];
  await lockPayouts(tx, ids);
  return run<Owner>(
    tx,
    `select batch_id as "batchId", chunk, idempotency_key as key, mass_payout_id as id
      from chunk where mass_payout_id in (${marks(ids.length)})`,
    ids,
  );
}
