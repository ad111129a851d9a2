import { isPostgresUrl } from '../../domain/store/store-url.ts';
import { openConnection } from '../engine/open.ts';

/**
 * A spool on SQLite has a file of its own beside the store, since such a file has one writer at a time: webhooks then never
 * wait for a batch that is being written down, nor does a create wait for a flood of webhooks. On PostgreSQL all bridges share
 * one spool in the store.
 */
export const spoolUrlOf = (storeUrl: string): string =>
  isPostgresUrl(storeUrl) ? storeUrl : `${storeUrl.replace(/\.db$/, '')}-spool.db`;

export type SpoolGlance = Awaited<ReturnType<typeof openSpoolGlance>>;

/** Opens the bridge's spool for reading from another process. Throws STORE_UNUSABLE. */
export async function openSpoolGlance(storeUrl: string) {
  const db = await openConnection(spoolUrlOf(storeUrl));
  return {
    /** When the newest webhook came, in milliseconds since 1970; null when none is kept, which is for days. */
    async lastReceivedAtMs(): Promise<number | null> {
      const newest = await db
        .selectFrom('spool')
        .select('received_at_ms')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      return newest?.received_at_ms ?? null;
    },
    close: () => db.destroy(),
  };
}
