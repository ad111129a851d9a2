import { activityInfo } from '@temporalio/activity';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  defaultPayloadConverter,
  type Headers,
} from '@temporalio/common';
import type { BatchInput } from '../../contract/batch.ts';
import { HEADER_STORE } from '../../contract/store.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { isStore, type StoreIdentity } from '../../domain/store/identity.ts';
import { fileMark } from '../../store/rows/file-mark.ts';
import type { Store } from '../../store/index.ts';

/** How long an activity of an older workflow waits before Temporal tries it again. */
const RETRY_DELAY = '10s';

/** Activities that may be about a batch that the store does not have: it was refused before it was written down. */
const WITHOUT_BATCH: readonly string[] = [
  'ingestFile',
  'endsToFollow',
  'noteCancel',
  'noteRefusedApproval',
  'tell',
];

export type GuardOptions = Readonly<{
  store: Store;
  /** The store's own file; undefined where it has none. */
  file: string | undefined;
  taskQueue: string;
}>;

/** Why a worker refuses all work. */
export type Closure = Readonly<{ note: ErrorNote }>;

/**
 * Keeps a worker from touching a batch of another store. Otherwise a worker that was started in the wrong folder would
 * search its store for foreign batches, and end them.
 */
export type StoreGuard = ReturnType<typeof createStoreGuard>;

export function createStoreGuard({ store, file, taskQueue }: GuardOptions) {
  const mark = fileMark(file);
  const known = new Set<string>();
  let closure: Closure | null = null;
  let identity: StoreIdentity | undefined;

  async function hasBatch(batchId: string): Promise<boolean> {
    // A batch stays in its store for ever.
    if (!known.has(batchId) && (await store.batches.find(batchId)) !== undefined) {
      known.add(batchId);
    }
    return known.has(batchId);
  }

  return {
    /** Refuses everything from now on; null: no longer. */
    close: (next: Closure | null): void => {
      closure = next;
    },
    isClosed: (): boolean => closure !== null,
    /** Whether the file was removed, or another one stands in its place. A write would be lost. */
    isReplaced: (): boolean => fileMark(file) !== mark,
    /** Why an activity may not run here; null when it may. */
    async refusalOf({ activityType, args, storeId }: GuardedCall): Promise<ErrorNote | null> {
      if (closure !== null) return closure.note;
      identity ??= await store.identity.read();
      const { id } = identity;
      if (fileMark(file) !== mark) {
        return noteOf('STORE_IS_ANOTHER', { store: 'gone or replaced', served: id, taskQueue });
      }
      if (storeId !== undefined && !isStore(identity, storeId)) {
        // A person may have put it in the place of the other one since.
        identity = await store.identity.read();
        const facts = { store: id, served: storeId, taskQueue };
        if (!isStore(identity, storeId)) return noteOf('STORE_IS_ANOTHER', facts);
      }
      const batchId = batchOf(activityType, args);
      if (batchId === undefined || (await hasBatch(batchId))) return null;
      return noteOf('STORE_LACKS_BATCH', { batchId });
    },
  };
}

/** `storeId`: the store that the workflow names; undefined where it names none. */
export type GuardedCall = Readonly<{
  activityType: string;
  args: readonly unknown[];
  storeId: string | undefined;
}>;

/** The batch that an activity is about and that the store must have; undefined: none. */
function batchOf(activityType: string, args: readonly unknown[]): string | undefined {
  const [input] = args as [Partial<BatchInput & ReportPart> | undefined];
  if (WITHOUT_BATCH.includes(activityType)) return undefined;
  // The report of a batch that was refused, or canceled, before it was stored states that.
  const isEarlyEnd = (input?.error ?? null) !== null || input?.canceled === true;
  if (activityType === 'reportBatch' && isEarlyEnd) return undefined;
  return typeof input?.batchId === 'string' ? input.batchId : undefined;
}

type ReportPart = Readonly<{ error: unknown; canceled: boolean }>;

type Call = Readonly<{ args: unknown[]; headers: Headers }>;

/** The interceptor of a worker that calls the guard before each activity. */
export const guardActivities = (guard: StoreGuard) => ({
  inbound: {
    async execute(call: Call, next: (call: Call) => Promise<unknown>): Promise<unknown> {
      const { [HEADER_STORE]: header } = call.headers;
      const storeId =
        header === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(header);
      const { activityType } = activityInfo();
      const note = await guard.refusalOf({ activityType, args: call.args, storeId });
      if (note !== null) throw failureOf(note, storeId !== undefined);
      return next(call);
    },
  },
});

/**
 * `isNamed`: the workflow names its store, and so tries again by itself and shows a flag. Temporal tries the activities of
 * older workflows again. The SDK does not log a benign failure, of which there is one for each try.
 */
const failureOf = (note: ErrorNote, isNamed: boolean): ApplicationFailure =>
  ApplicationFailure.create({
    type: note.code,
    message: note.what,
    details: [note],
    nonRetryable: isNamed,
    category: ApplicationFailureCategory.BENIGN,
    ...(isNamed ? {} : { nextRetryDelay: RETRY_DELAY }),
  });
