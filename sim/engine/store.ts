import type { RowChange } from '../../src/domain/lineage/merge-recheck.ts';
import type { StoredWithdrawalLookup } from '../../src/domain/settling/withdrawal-lookups.ts';
import type { ChunkOutcomes } from '../../src/domain/settling/outcome.ts';
import { IN_FLIGHT } from '../../src/domain/settling/outcome.ts';
import type { SentRow } from '../../src/domain/settling/withdrawals.ts';
import {
  NOTHING_SENT,
  reduceSend,
  type SendEvent,
  type SendState,
} from '../../src/domain/sending/reduce.ts';
import { nextEpoch } from '../../src/domain/restore/epoch.ts';
import type { Restore } from '../../src/domain/restore/verification.ts';
import type { ClockReading } from '../../src/domain/sending/send-record.ts';
import type { Carelessness } from '../careless.ts';
import type { World } from '../world.ts';

/** What is fixed about a chunk: it is never lost, since it follows from the file. */
export type SimChunk = Readonly<{
  generation: number;
  chunk: number;
  key: string;
  body: string;
  rows: readonly SentRow[];
}>;

/** What the store knows of a chunk. */
export type ChunkFacts = {
  send: SendState;
  outcomes: ChunkOutcomes;
  /** Whether the outcomes of its rows are final, as far as people do not change them. */
  final: boolean;
  reopened: number;
  payoutFingerprint: string | null;
  unclearSinceMs: number | null;
  /** What changed after the first report. */
  changes: readonly RowChange[];
  lookups: Map<string, StoredWithdrawalLookup>;
};

type Data = {
  chunks: Map<string, ChunkFacts>;
  proof: Readonly<{ lagMs: number; provenAtMs: number }> | null;
  /** Whether lookups contradicted themselves. */
  isDisproven: boolean;
  paused: boolean;
  /** Whether the engine itself holds the batch. */
  held: boolean;
  /** Older copies that took the place of the store. `readings`: the first of each steady clock since then. */
  restore: Readonly<{ epoch: number; atMs: number; readings: Map<string, number> }> | undefined;
  /** The ids of attempts on unsent lists, by key and number. */
  unsentIds: Map<string, number>;
};

/** The store of the engine: each write is whole or does not happen, and survives every crash. */
export type SimStore = ReturnType<typeof createStore>;

const NOTHING_KNOWN: ChunkOutcomes = {
  massPayoutState: '',
  final: false,
  defaultOutcome: IN_FLIGHT,
  rows: [],
};

const isOfFirst = (key: string): boolean => key.startsWith('key-0-');

const newFacts = (isDue: boolean): ChunkFacts => ({
  send: isDue ? { ...NOTHING_SENT, verification: 'due' } : NOTHING_SENT,
  outcomes: NOTHING_KNOWN,
  final: false,
  reopened: 0,
  payoutFingerprint: null,
  unclearSinceMs: null,
  lookups: new Map(),
  changes: [],
});

export function createStore(world: World, careless?: Carelessness) {
  let data: Data = {
    chunks: new Map(),
    proof: null,
    isDisproven: false,
    paused: false,
    held: false,
    restore: undefined,
    unsentIds: new Map(),
  };
  let attempts = 0;
  /** When the service first contradicted itself before this store, by the agenda; for the laws alone. */
  let contradictedAtMs: number | undefined;
  const facts = (key: string): ChunkFacts => {
    const known = data.chunks.get(key) ?? newFacts(isConcerned(key));
    data.chunks.set(key, known);
    return known;
  };
  /** A store is only restored while the first batch is under way: it lacks nothing of later ones. */
  const isConcerned = (key: string): boolean =>
    data.restore !== undefined && careless !== 'trusts-older-store' && isOfFirst(key);
  const tellAll = (event: SendEvent): void => {
    for (const [key, chunk] of data.chunks) {
      if (isConcerned(key)) chunk.send = reduceSend(chunk.send, event) ?? chunk.send;
    }
  };
  return {
    facts,
    flags: () => data,
    copy: (): Data => structuredClone(data),
    contradictedAtMs: () => contradictedAtMs,
    noteContradiction(): void {
      contradictedAtMs ??= world.agenda.nowMs();
    },
    restore(older: Data): void {
      data = structuredClone(older);
      contradictedAtMs = undefined;
    },
    /** Writes down one more older copy: what was not sent has to be verified. */
    raise(atMs: number): void {
      const epoch = nextEpoch(data.restore?.epoch, atMs);
      data.restore = { epoch, atMs, readings: new Map() };
      tellAll({ kind: 'store-restored' });
    },
    /** What lookups have shown counts no more. */
    doubtLookups: (): void => tellAll({ kind: 'lookups-disproven' }),
    /** The restore that concerns a chunk, with the first reading of a clock since then. */
    restoreOf(key: string, { clock, ms }: ClockReading): Restore | undefined {
      if (!isConcerned(key)) return undefined;
      const { epoch, atMs, readings } = data.restore as NonNullable<Data['restore']>;
      readings.set(clock, readings.get(clock) ?? ms);
      return { epoch, atMs, seen: { clock, ms: readings.get(clock) ?? ms } };
    },
    /** Writes down that the mass payout of a chunk may not be all that there is. */
    disown(key: string, difference: string): void {
      const chunk = facts(key);
      const { payout } = chunk.send.record;
      if (payout === undefined) return;
      const record = { ...chunk.send.record, payout: { ...payout, differences: [difference] } };
      chunk.send = { ...chunk.send, record };
      world.note(() => `store: ${key} is disowned: ${difference}`);
    },
    /** An attempt on an unsent list. `began` stores its id; `end` ends it as one that never left, while it is open. */
    listed(key: string, n: number) {
      const [id, name] = [(attempts += 1), `${key}/${n}`];
      return {
        began: () => data.unsentIds.set(name, id),
        end: (endedMs: number): boolean => {
          const { record } = facts(key).send;
          const isPending = record.attempts.some((one) => one.n === n && one.outcome === 'PENDING');
          if (!isPending || data.unsentIds.get(name) !== id) return false;
          return this.apply(key, {
            kind: 'attempt-ended',
            end: { n, outcome: 'NOT_SENT', endedMs },
          });
        },
      };
    },
    /** Writes an event down; answers whether it counted. */
    apply(key: string, event: SendEvent): boolean {
      const chunk = facts(key);
      const before = chunk.send;
      const isSilent =
        careless === 'silent-second' && 'payout' in event && event.payout !== undefined;
      const { payout: _, ...forgetful } = before.record;
      const after = reduceSend(isSilent ? { ...before, record: forgetful } : before, event);
      world.note(() => `store: ${key} ${JSON.stringify(event)}${after ? '' : ' came too late'}`);
      if (after === undefined) {
        world.count('write too late');
        return false;
      }
      // Outcomes of rows that a second mass payout may pay as well are taken back.
      const isDoubled = (after.record.others?.length ?? 0) > (before.record.others?.length ?? 0);
      if (isDoubled || (after.state === 'CREATED' && before.state !== 'CREATED')) {
        chunk.outcomes = NOTHING_KNOWN;
        chunk.final = false;
      }
      chunk.send = after;
      if (event.kind === 'rejected') conclude(chunk, 'FAILED', 'refused');
      if (event.kind === 'not-sent') conclude(chunk, 'NOT_SENT', 'stopped');
      if (event.kind === 'abandoned') conclude(chunk, 'UNKNOWN', 'given up');
      return true;
    },
  };
}

function conclude(chunk: ChunkFacts, outcome: 'FAILED' | 'NOT_SENT' | 'UNKNOWN', reason: string) {
  chunk.outcomes = {
    massPayoutState: '',
    final: true,
    defaultOutcome: { outcome, reason },
    rows: [],
  };
  chunk.final = true;
}
