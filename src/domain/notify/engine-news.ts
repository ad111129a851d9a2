import type { EndState } from '../batch/batch-state.ts';
import type { BursarError } from '../errors/bursar-error.ts';
import type { DoublePayment } from '../report/report.ts';
import type { StoreRef } from '../store/identity.ts';
import type { NotifiableEvent } from './events.ts';

/** Rows that are named; `status` names all. */
const ROWS_NAMED_MAX = 20;

/** The event that rows were paid by more than one batch of a lineage, or may have been. */
export function doublePaymentNews(
  batchId: string,
  rows: readonly DoublePayment[],
): NotifiableEvent {
  const named = rows.slice(0, ROWS_NAMED_MAX).map(({ row }) => String(row));
  return {
    event: 'batch.needs_operator',
    batchId,
    key: `paid twice ${rows.length}: ${named.join(',')}`,
    data: {
      batchId,
      why: 'rows were paid twice, or may have been',
      count: rows.length,
      rows: named,
    },
  };
}

/** The event that the report of an ended batch has changed. */
export const reportChangedNews = (
  batchId: string,
  version: number,
  state: EndState,
): NotifiableEvent => ({
  event: 'report.changed',
  batchId,
  key: `report ${version}`,
  data: { batchId, version, state },
});

/** Reports a worker whose store is not that of its task queue. */
export const storeNews = ({ note }: BursarError): NotifiableEvent => ({
  event: 'store.is_another',
  batchId: null,
  // The sentence names both stores.
  key: note.what,
  data: { what: note.what, fix: note.fix },
});

/** Reports a store that lacks an entry of its own audit log: an older copy took its place, and no person declared that. */
export const olderStoreNews = ({
  id,
  audit: { seq, hash },
}: StoreRef): NotifiableEvent & Readonly<{ data: { what: string; fix: string } }> => ({
  event: 'store.is_older',
  batchId: null,
  key: `${id}/${seq}/${hash}`,
  data: {
    what: `The store is an older copy: its audit log lacks entry ${seq}, which a worker had.`,
    fix: 'No chunk is sent before it was looked up. Pause again each batch that was paused after the copy was taken.',
  },
});
