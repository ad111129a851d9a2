import type { RowChange } from '../../src/domain/lineage/later-word.ts';
import type { KeptLook } from '../../src/domain/settling/looks.ts';
import type { ChunkVerdict } from '../../src/domain/settling/outcome.ts';
import { IN_FLIGHT } from '../../src/domain/settling/outcome.ts';
import type { SentRow } from '../../src/domain/settling/withdrawals.ts';
import {
  NOTHING_SENT,
  reduceSend,
  type SendEvent,
  type SendState,
} from '../../src/domain/sending/reduce.ts';
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
  verdict: ChunkVerdict;
  /** Whether a verdict on its rows stands for good, as far as people do not change it. */
  final: boolean;
  reopened: number;
  said: string | null;
  unclearSinceMs: number | null;
  /** What changed after the first report. */
  changes: readonly RowChange[];
  looks: Map<string, KeptLook>;
};

type Data = {
  chunks: Map<string, ChunkFacts>;
  proof: { lagMs: number } | null;
  /** Whether lookups contradicted themselves. */
  isDisproven: boolean;
  paused: boolean;
  /** Whether the engine itself holds the batch. */
  held: boolean;
  /** When people said that the store was brought back. */
  restoredAtMs: number | undefined;
  /** First readings of steady clocks since then, by clock. */
  readings: Map<string, number>;
};

/** The store of the engine: each write is whole or does not happen, and survives every crash. */
export type SimStore = ReturnType<typeof createStore>;

const NOTHING_KNOWN: ChunkVerdict = {
  massPayoutState: '',
  final: false,
  rest: IN_FLIGHT,
  rows: [],
};

const newFacts = (): ChunkFacts => ({
  send: NOTHING_SENT,
  verdict: NOTHING_KNOWN,
  final: false,
  reopened: 0,
  said: null,
  unclearSinceMs: null,
  looks: new Map(),
  changes: [],
});

export function createStore(world: World, careless?: Carelessness) {
  let data: Data = {
    chunks: new Map(),
    proof: null,
    isDisproven: false,
    paused: false,
    held: false,
    restoredAtMs: undefined,
    readings: new Map(),
  };
  /** When the service first contradicted itself before this store, by the agenda; for the laws alone. */
  let contradictedAtMs: number | undefined;
  const facts = (key: string): ChunkFacts => {
    const known = data.chunks.get(key) ?? newFacts();
    data.chunks.set(key, known);
    return known;
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
    /** Writes down that the mass payout of a chunk may not be all that there is. */
    disown(key: string, difference: string): void {
      const chunk = facts(key);
      const { payout } = chunk.send.record;
      if (payout === undefined) return;
      const record = { ...chunk.send.record, payout: { ...payout, differences: [difference] } };
      chunk.send = { ...chunk.send, record };
      world.note(() => `store: ${key} is disowned: ${difference}`);
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
      if (after === undefined) return false;
      // A verdict on rows that a second mass payout may pay as well is taken back.
      const isDoubled = (after.record.others?.length ?? 0) > (before.record.others?.length ?? 0);
      if (isDoubled || (after.state === 'CREATED' && before.state !== 'CREATED')) {
        chunk.verdict = NOTHING_KNOWN;
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
  chunk.verdict = { massPayoutState: '', final: true, rest: { outcome, reason }, rows: [] };
  chunk.final = true;
}
