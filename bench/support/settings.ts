import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../src/config.ts';
import { KNOWN_ENDPOINTS, OPERATIONS } from '@bursar/merchant-api/spec';

/** Chunks that are sent side by side, by the engine and by the bare loop. */
export const CHUNKS_IN_FLIGHT = 16;

/** The service settles at once, and the engine polls right after sending: a second poll is an exception. */
const POLL_MS = 1_000;

export type Place = Readonly<{
  folder: string;
  /** Address of the service. */
  url: string;
  chunkRows: number;
  taskQueue: string;
}>;

/** Settings of a stack in a folder of its own; nothing but the three known operations is ever called. */
export function settingsEnv({ folder, url, chunkRows, taskQueue }: Place): Env {
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, 'bench-secret', { mode: 0o600 });
  return {
    ...unknownOperationsOff(),
    BURSAR_API_BASE_URL: url,
    BURSAR_API_KEY: 'bench-key',
    BURSAR_API_SECRET_FILE: secretFile,
    BURSAR_API_ACCOUNT: '0xbe0c000000000000000000000000000000000001',
    BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
    BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
    BURSAR_REPORT_DIR: join(folder, 'runs'),
    BURSAR_BATCH_CHUNK_ROWS: String(chunkRows),
    BURSAR_BATCH_CHUNKS_IN_FLIGHT: String(CHUNKS_IN_FLIGHT),
    BURSAR_POLL_MIN_MS: String(POLL_MS),
    BURSAR_POLL_MAX_MS: String(POLL_MS),
    BURSAR_TASK_QUEUE: taskQueue,
    NO_COLOR: '1',
  };
}

/** An endpoint without a path is an operation that the service does not have. */
const unknownOperationsOff = (): Env =>
  Object.fromEntries(
    OPERATIONS.filter((operation) => !(operation in KNOWN_ENDPOINTS)).map((operation) => [
      `BURSAR_API_ENDPOINT_${operation}`,
      '',
    ]),
  );

/** The environment without the settings of whoever runs the bench: they must not change what is measured. */
export const withoutSettings = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !name.startsWith('BURSAR_') || name === 'BURSAR_TEMPORAL_CLI',
    ),
  );
