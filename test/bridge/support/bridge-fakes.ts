import type { Connection } from '../../../src/store/database/db.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BridgeClock } from '../../../src/bridge/clock.ts';
import type { Log } from '../../../src/bridge/log.ts';
import type { Schema } from '../../../src/store/database/schema.ts';
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.ts';

export const START_MS = Date.UTC(2026, 10, 20);

/** A clock that only the test advances. A wait ends only by its signal. */
export function createFakeClock(): BridgeClock & { advance(ms: number): void } {
  let nowMs = START_MS;
  return {
    nowMs: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
    wait: (_delayMs, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      }),
  };
}

/** A log that collects its lines as text. */
export function createFakeLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write = (facts: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(facts)}`);
  };
  return { lines, debug: write, info: write, warn: write, error: write };
}

export type TestStore = { db: Connection; url: string; close(): Promise<void> };

/** Opens a store in a temporary folder. `close` deletes the folder. */
export async function openTestStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-bridge-'));
  const url = `sqlite:${join(folder, 'store.db')}`;
  const db = await openSqlite(url);
  return {
    db,
    url,
    async close() {
      await db.destroy();
      rmSync(folder, { recursive: true });
    },
  };
}

export type TestChunk = Readonly<{ batchId: string; chunk: number; massPayoutId?: string }>;

export const keyOf = ({ batchId, chunk }: TestChunk): string => `key-${batchId}-${chunk}`;
export const externalIdOf = ({ batchId, chunk }: TestChunk): string => `${batchId}/${chunk}/0`;

export async function insertChunks(db: Connection, chunks: readonly TestChunk[]): Promise<void> {
  await db.insertInto('chunk').values(chunks.map(toRow)).execute();
}

const toRow = (chunk: TestChunk): Schema['chunk'] => ({
  batch_id: chunk.batchId,
  chunk: chunk.chunk,
  currency: 'USDT_TRC20',
  row_count: 1,
  total: '1',
  first_row: 2,
  last_row: 2,
  idempotency_key: keyOf(chunk),
  external_id: externalIdOf(chunk),
  state: 'CREATED',
  attention_reason: null,
  attention_since_ms: null,
  answer_json: null,
  mass_payout_id: chunk.massPayoutId ?? null,
  differences_json: null,
  mass_state: null,
  fee: null,
  default_outcome: 'IN_FLIGHT',
  default_reason: '',
  final: 0,
  unclear_since_ms: null,
  payout_fingerprint: null,
  reopened: 0,
  open_since_ms: null,
  state_since_ms: null,
  unreadable_since_ms: null,
  resend_block_json: null,
  other_payouts_json: null,
  verified_epoch: null,
  verified_by: null,
});
