import type { CreateFields } from './payload.ts';
import type { CreateLeases } from './create-leases.ts';
import type { CreatePlace } from './create-places.ts';
import type { SendObserver } from './observe-sends.ts';
import type { Service } from '../service/service.ts';
import type { PlanSeal } from '../plan/plan-integrity.ts';
import type { Store } from '../../store/index.ts';
import type { StagedRows } from '../../store/rows/staging.ts';
import type { ChunkRef } from '../../store/sending/sends.ts';
import type { LookupTrust } from '../../store/sending/lookup-verification.ts';
import type { NotifiableEvent } from '../../domain/notify/events.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { UnsentList } from '../../store/sending/unsent-list.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import type { ClockReading } from '../../domain/sending/send-record.ts';
import type { Restore } from '../../domain/restore/verification.ts';
import type { SendPolicy } from '../../domain/sending/decide.ts';
import type { LookupCheck } from '../../domain/sending/lookups.ts';
import type { SendState } from '../../domain/sending/reduce.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import type { BatchOptions } from '../../contract/batch.ts';

/** What sending needs. The rest of the policy comes from the store's proofs and the batch. */
export type SendDeps = Readonly<{
  store: Store;
  service: Service;
  /** Checks that the rest of a resend is still unpaid; closes rows that are not. */
  confirmResend: ResendGate;
  /** Whether a chunk is what its plan names. */
  seal: PlanSeal;
  policy: Omit<
    SendPolicy,
    | 'lookupVerified'
    | 'lookupProvenAtMs'
    | 'distrusted'
    | 'lookupLagMs'
    | 'stopping'
    | 'wasCreated'
    | 'lookupCheck'
    | 'clockSkewMs'
  >;
  /** Which fields creates have that no attempt has stored yet. */
  createFields: CreateFields;
  /** A request leaves at most this long after its attempt was written down, in milliseconds. */
  sendBudgetMs: number;
  nowMs(): number;
  /** Whether this worker may begin further work: it is not being stopped, and its store is in its place. */
  mayGoOn(): boolean;
  /** Notifies people; without it they receive the hold alone. */
  notify?(news: NotifiableEvent): Promise<void>;
  /** A clock that never jumps; `nowMs` may. */
  readClock(): ClockReading;
  /** The attempts that this process has begun and not sent. */
  unsent: UnsentList;
  /** The limit of the account for creates under way; without it there is none. */
  leases?: CreateLeases | undefined;
  /** Logs, counts and traces creates and lookups; without it nothing does. */
  observer?: SendObserver;
  /** Reads mass payouts right after their creates; without it the sweeps alone read them. */
  firstReader?: FirstReader;
  /** Waits between two lookups; by default as an activity sleeps. */
  pause?(delayMs: number): Promise<void>;
}>;

/** The fixed facts of one chunk under way. */
export type Sending = Readonly<{
  /** Before anything about it was read. Milliseconds since 1970. */
  begunAtMs: number;
  batch: BatchFacts;
  options: BatchOptions;
  chunk: ChunkRecord;
  ref: ChunkRef;
  /** How far a lookup by key is proven to find created mass payouts. */
  trust: LookupTrust;
  /** Why the batch was stopped; null when it was not. */
  stopped: string | null;
  /** Whether the batch saw it created. */
  wasCreated: boolean;
  /** Whether to test, after the create, that lookups by key find it. */
  proveLookup: boolean;
  /** Its place among the creates under way. */
  place: CreatePlace;
  /** Reads the rows once: the text that the seal has checked is the text that is sent. */
  readRows(): Promise<StagedRows>;
}>;

/** What is known of a chunk while there is more to do at once. */
export type ChunkSendFacts = Readonly<{
  send: SendState;
  lookupCheck?: LookupCheck;
  /** That the store was restored; missing where it lacks no send of the batch. */
  restore?: Restore;
  /** The oldest hold of its batch that was on. */
  hold: Hold | undefined;
}>;

/** Reads the mass payouts of a group. What it reads is stored. */
export type FirstReader = Readonly<{
  /** Returns whether the mass payout of the chunk is at its end. */
  read(of: Readonly<{ batch: BatchFacts; options: BatchOptions }>, chunk: number): Promise<boolean>;
  /** The hold that the ends, or the balance, put on the batch. */
  holdAfter(batch: BatchFacts): Promise<Hold | undefined>;
}>;

/** A chunk that has an attempt, and the number of the one that is to be its next. */
export type Begun = Readonly<{ chunk: number; attempt: number }>;

/** Makes sure that the rest of a resend is still unpaid, or one chunk of it that has an attempt. */
export type ResendGate = (batchId: string, begun?: Begun) => Promise<void>;
