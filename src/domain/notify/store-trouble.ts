import type { BursarError } from '../errors/bursar-error.ts';
import type { StoreRef } from '../store/identity.ts';
import type { NotifiableEvent } from './events.ts';

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
