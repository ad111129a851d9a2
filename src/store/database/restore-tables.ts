import { ON_THEIR_WAY_MS } from '../../domain/restore/beginning.ts';

/**
 * What the store keeps of restores. Released: never edited. A store that was restored before had a row `store` in `watch`; its
 * time becomes the number of the last restore. The audit log has no entry that a chunk of it was verified, so what is open is verified once more.
 */
export const RESTORE_TABLES: readonly string[] = [
  'create table store_restore (epoch integer primary key, at_ms bigint not null, reason text not null)',
  `create table restored_batch (
    batch_id text primary key, epoch integer not null, finding text not null)`,
  `create table restore_clock (
    epoch integer not null, clock_id text not null, clock_ms bigint not null,
    primary key (epoch, clock_id))`,
  'alter table chunk add column verified_epoch integer',
  'alter table chunk add column verified_by text',
  'alter table lookup add column epoch integer',
  `insert into store_restore select seen_at_ms, seen_at_ms, detail from watch where subject = 'store'`,
  // What was found out before the last copy says nothing about what that one lacks.
  `insert into restored_batch
    select substr(watch.subject, 10), epoch, watch.condition from watch, store_restore
    where watch.subject like 'restored/%' and watch.seen_at_ms > store_restore.at_ms`,
  `insert into restored_batch
    select batch.batch_id, epoch, 'NEW' from batch, store_restore
    where batch.submitted_at_ms > store_restore.at_ms + ${ON_THEIR_WAY_MS}
    and batch.batch_id not in (select batch_id from restored_batch)`,
  `insert into restore_clock
    select epoch, substr(watch.subject, length('clock/' || store_restore.at_ms || '/') + 1),
      cast(watch.detail as integer)
    from watch, store_restore where watch.subject like 'clock/' || store_restore.at_ms || '/%'`,
  `delete from watch where subject = 'store' or subject like 'restored/%' or subject like 'clock/%'`,
];
