import type { BursarError } from '../errors/bursar-error.ts';
import type { News } from './events.ts';

/** Reports a worker whose store is not that of its task queue. */
export const storeNews = ({ note }: BursarError): News => ({
  event: 'store.is_another',
  batchId: null,
  // The sentence names both stores.
  key: note.what,
  data: { what: note.what, fix: note.fix },
});
