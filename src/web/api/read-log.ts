import { callList } from './call.ts';
import type { ItemOf } from './results.ts';

export type AuditLine = ItemOf<'readAuditLog'>;

/** The newest entries of the log, the newest first, and whether the log is as it was written. */
export type NewestEntries = Readonly<{
  entries: readonly AuditLine[];
  isWhole: boolean;
  checked: number;
}>;

/** Entries that a page shows. */
const SHOWN_MAX = 300;

export async function readNewestEntries(
  batchId: string | null,
  signal: AbortSignal,
): Promise<NewestEntries> {
  const which = batchId === null ? {} : { batchId };
  const { about, items } = await callList('readAuditLog', which, signal);
  return {
    entries: items.slice(-SHOWN_MAX).toReversed(),
    isWhole: about.whole && (about.kept?.problems.length ?? 0) === 0,
    checked: about.checked,
  };
}
