import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { StoreRef } from '../domain/store/identity.ts';

/** The store that a workflow was started with. Missing in workflows that older programs started. */
export type OfStore = Readonly<{ store?: StoreRef }>;

/** In the memo of housekeeping and of batches: the store that they work with. */
export const MEMO_STORE = 'store';

/** Header of every activity of a workflow that names its store: the id of that store. */
export const HEADER_STORE = 'bursar-store';

/**
 * Signal to any workflow: find out whether the workers have its store. With a note, its sender has seen that they have not.
 */
export const SIGNAL_CHECK_STORE = 'checkStore';

export type CheckStore = Readonly<{ note?: ErrorNote }>;

/**
 * Codes of failures that mean that a worker lacks the store of the workflow, or the copy of its file. They never end a workflow:
 * another store, or a restored one, may have paid its rows.
 */
export const STORE_TROUBLES: readonly string[] = [
  'STORE_IS_ANOTHER',
  'STORE_LACKS_BATCH',
  'BLOB_MISSING',
];

/** Workers write the id of their store behind this in the name under which Temporal lists them. */
const IN_WORKER_NAME = ' store:';

export const workerName = (place: string, storeId: string): string =>
  `${place}${IN_WORKER_NAME}${storeId}`;

/** The id of the store in the name of a worker; undefined for programs that do not write it. */
export const storeOfWorker = (name: string): string | undefined => name.split(IN_WORKER_NAME)[1];
