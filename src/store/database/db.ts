import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** A connection that can write. Only `src/store/database` has it; every other file reads by `Db` and writes by `Tx`. */
export type Connection = Kysely<Schema>;

/** Reads the store. It cannot write. */
export interface Db {
  readonly selectFrom: Connection['selectFrom'];
}

declare const DECIDED: unique symbol;

/** A transaction that holds the locks of its scopes. Only `decide` makes one, so no write is outside of a scope. */
export type Tx = Transaction<Schema> & Readonly<{ [DECIDED]: true }>;
