import type { Schema } from './schema.ts';
import { Kysely } from 'kysely';

export type Db = Kysely<Schema>;

/** Carries out a write; what it answers is durable. */
export type Write = <Result>(work: (tx: Db) => Promise<Result>) => Promise<Result>;
