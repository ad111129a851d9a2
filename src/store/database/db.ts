import type { Schema } from './schema.ts';
import { Kysely } from 'kysely';

export type Db = Kysely<Schema>;

/** Runs a write. Its result is durable when it is returned. */
export type Write = <Result>(work: (tx: Db) => Promise<Result>) => Promise<Result>;
