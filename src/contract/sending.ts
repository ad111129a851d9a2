import type { Hold } from '../domain/holds/hold.ts';
import type { VerificationProgress } from '../domain/restore/progress.ts';
import type { OperatorReason } from '../domain/sending/decide.ts';
import type { Refused } from './activities.ts';
import type { Resolve, SignedActResult } from './messages.ts';

export type SendChunkInput = Readonly<{
  batchId: string;
  chunk: number;
  digest: string;
  /** Whether to test, after the create, that lookups by key find it. */
  proveLookup: boolean;
  /** Why the batch was stopped: ambiguous creates are cleared up, and no new create leaves. Null: it was not stopped. */
  stopped: string | null;
  /** Whether the batch saw it created: a store without its mass payout is then an older copy. */
  wasCreated: boolean;
}>;

/** Where the sending of a chunk stands after one activity. */
export type SendStep = Readonly<
  | { kind: 'created' }
  /** `inDoubt`: a create may have arrived; nothing but time, a webhook or the service's answer settles it. */
  | {
      kind: 'waiting';
      delayMs: number;
      why: string;
      inDoubt: boolean;
      /** Set while the chunk must be verified in a restored store: how far its batch is. */
      verifying?: VerificationProgress;
    }
  /** Without a reason: a person has an open question from before. */
  /** `lookAgainMs`: when the question may have an answer without a person. Missing in histories of older workers. */
  | { kind: 'needs-operator'; reason?: OperatorReason; lookAgainMs?: number }
  /** The batch may create nothing now. */
  | { kind: 'held'; hold: Hold }
  /** Another chunk, the first of its currency, must be paid before. */
  | { kind: 'behind'; chunk: number }
  /** `halt`: no other chunk will fare better (a wrong key, for one). */
  | { kind: 'rejected'; reason: string; halt: boolean }
  | { kind: 'abandoned' }
  /** The chunk was closed before it was sent. */
  | { kind: 'closed' }
>;

/** Sends many chunks of one batch side by side, for a bounded time. */
export type SendChunksInput = Readonly<{
  batchId: string;
  digest: string;
  /** Begun in this order. */
  chunks: readonly number[];
  /** Chunks that are sent side by side at most. */
  lanes: number;
  /** After this long no further chunk is begun, in milliseconds. */
  forMs: number;
  /** Why the batch was stopped; see `SendChunkInput`. */
  stopped: string | null;
  /** Those of the chunks that the batch saw created. */
  created: readonly number[];
  /** Whether mass payouts may be at their end right after their create. Missing in histories of older workers. */
  readsFirst?: boolean;
}>;

/** Where the chunks of a group stand. The next group takes a chunk that is in no list. */
export type SentChunks = Readonly<{
  /** Chunks that have their mass payout. */
  created: readonly number[];
  steps: readonly Readonly<{ chunk: number; step: SendStep }>[];
  /** Chunks whose sending threw an error; sent by itself, each shows its own. */
  failed: readonly number[];
  /** Those of the created chunks that are at their end. Missing in histories of older workers. */
  settled?: readonly number[];
  /** Set when those ends have put a stop to the batch. */
  hold?: Hold;
}>;

/** Sends the chunks of a batch. */
export type SendActivities = Readonly<{
  sendChunk(input: SendChunkInput): Promise<SendStep>;
  /**
   * Sends chunks until its time is over, or until a chunk needs more than one activity. Chunks under way are ended
   * first.
   */
  sendChunks(input: SendChunksInput): Promise<SentChunks>;
  /** Takes the answer of a person for a chunk. Under a policy it counts once enough people have signed it. */
  answerChunk(input: { batchId: string; answer: Resolve }): Promise<SignedActResult | Refused>;
}>;
