import type { Db } from './sqlite.ts';

/** That a lookup by key has found a payout which the service had accepted, and how long it took to appear. */
export type LookupProof = Readonly<{
  operation: 'MASS_GET' | 'LOOKUP';
  lagMs: number;
  provenAtMs: number;
}>;

/** What was learnt about a service: only a proven lookup makes a miss worth something. */
export const createProofStore = (db: Db) => ({
  async find(account: string, baseUrl: string): Promise<LookupProof | undefined> {
    const row = await db
      .selectFrom('lookup_proof')
      .select(['operation', 'lag_ms', 'proven_at_ms'])
      .where('account', '=', account)
      .where('base_url', '=', baseUrl)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const operation = row.operation as LookupProof['operation'];
    return { operation, lagMs: row.lag_ms, provenAtMs: row.proven_at_ms };
  },

  /** The key, other than `exceptKey`, of a mass payout that the service has accepted from this account, of its latest batch. */
  async witness(account: string, exceptKey: string): Promise<string | undefined> {
    const row = await db
      .selectFrom('batch')
      .innerJoin('chunk', 'chunk.batch_id', 'batch.batch_id')
      .select('chunk.idempotency_key')
      .where('batch.account', '=', account)
      .where('chunk.state', '=', 'CREATED')
      .where('chunk.idempotency_key', '!=', exceptKey)
      .orderBy('batch.submitted_at_ms', 'desc')
      .orderBy('chunk.chunk')
      .limit(1)
      .executeTakeFirst();
    return row?.idempotency_key;
  },

  /** Drops a proof that the service has contradicted since. */
  async forget(account: string, baseUrl: string): Promise<void> {
    await db
      .deleteFrom('lookup_proof')
      .where('account', '=', account)
      .where('base_url', '=', baseUrl)
      .execute();
  },

  /** Remembers a proof; the longest lag ever seen stays. */
  async save(account: string, baseUrl: string, proof: LookupProof): Promise<void> {
    await db
      .insertInto('lookup_proof')
      .values({
        account,
        base_url: baseUrl,
        operation: proof.operation,
        lag_ms: proof.lagMs,
        proven_at_ms: proof.provenAtMs,
      })
      .onConflict((conflict) =>
        conflict.columns(['account', 'base_url']).doUpdateSet(({ fn, ref, val }) => ({
          operation: proof.operation,
          proven_at_ms: proof.provenAtMs,
          lag_ms: fn('max', [ref('lookup_proof.lag_ms'), val(proof.lagMs)]),
        })),
      )
      .execute();
  },
});
