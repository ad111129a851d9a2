import type { AuditEntry } from '../../domain/audit/chain.ts';
import { changesOf, isEmpty, type RecordFacts } from '../../domain/audit/facts.ts';
import { ENGINE } from '../audit/audited.ts';
import { isStoreUnavailable } from '../../domain/errors/bursar-error.ts';
import { chunkFacts, NAMES, verdictsFact } from '../audit/facts.ts';
import { appendEntries } from '../audit/append.ts';
import type { Tx } from '../database/db.ts';
import type { Decide } from '../database/decide.ts';
import { createGroupState } from './group-state.ts';
import { readGroup } from './read-group.ts';
import type { ChunkWrite, Decision, StoredChunk, WriteChunk } from './write.ts';
import { storeGroup } from './store-group.ts';

/** Writes of one batch that are decided together at most. */
const GROUP_WRITES_MAX = 64;

type End = Readonly<{ result: unknown } | { error: unknown }>;
type Group = Readonly<{ writes: ChunkWrite<unknown>[]; ends: Promise<readonly End[]> }>;

/**
 * Writes about chunks of one batch that wait for the lock together are one group. One read gives the facts of all their
 * chunks, each write is decided in order and sees the changes of the earlier ones, and one statement a table stores them.
 * A decision that throws changes nothing, and only its own write fails. When a statement fails, each write runs again as a
 * group of its own.
 */
export function createChunkWriter(decide: Decide, nowMs: () => number): WriteChunk {
  const open = new Map<string, Group>();
  /** Batches whose counters this process has counted: before that, a worker of an older version may have left them behind. */
  const counted = new Set<string>();

  const runNow = async (
    batchId: string,
    writes: readonly ChunkWrite<unknown>[],
    begin = (): void => {},
  ) => {
    const { ends, hasCounted } = await decide([{ batch: batchId }], (tx) => {
      begin();
      return runGroup(tx, writes, { nowMs, recounts: !counted.has(batchId) });
    });
    if (hasCounted) counted.add(batchId);
    return ends;
  };

  const runAlone = async (write: ChunkWrite<unknown>): Promise<End> => {
    try {
      const [end] = await runNow(write.at.batchId, [write]);
      return end ?? { error: new Error('a write of the group has no end') };
    } catch (error) {
      return { error };
    }
  };

  const openGroup = (batchId: string): Group => {
    const writes: ChunkWrite<unknown>[] = [];
    const close = (): void => {
      if (open.get(batchId)?.writes === writes) open.delete(batchId);
    };
    const ends = runNow(batchId, writes, close)
      .catch((error: unknown) => {
        // A locked or full store fails every write of a group alike.
        if (writes.length === 1 || isStoreUnavailable(error)) throw error;
        return Promise.all(writes.map(runAlone));
      })
      .finally(close);
    const group = { writes, ends };
    open.set(batchId, group);
    return group;
  };

  return async <Result>(write: ChunkWrite<Result>): Promise<Result> => {
    const { batchId } = write.at;
    const waiting = open.get(batchId);
    const isFull = (waiting?.writes.length ?? 0) >= GROUP_WRITES_MAX;
    const group = waiting === undefined || isFull ? openGroup(batchId) : waiting;
    const place = group.writes.push(write) - 1;
    const end = (await group.ends)[place];
    if (end === undefined) throw new Error('a write of the group has no end');
    if ('error' in end) throw end.error;
    return end.result as Result;
  };
}

type GroupOptions = Readonly<{ nowMs(): number; recounts: boolean }>;
type GroupEnds = Readonly<{ ends: readonly End[]; hasCounted: boolean }>;

/** Where the counters leave no room, they are counted again before that is believed. */
async function runGroup(
  tx: Tx,
  writes: readonly ChunkWrite<unknown>[],
  { nowMs, recounts }: GroupOptions,
): Promise<GroupEnds> {
  const read = await readGroup(tx, writes, recounts);
  const state = createGroupState(read);
  const entries: AuditEntry[] = [];
  const ends = writes.map((write): End => {
    try {
      const facts = state.factsOf(write.at);
      const decision = write.decide(facts);
      const { after, keep } = state.withChanges(write.at.chunk, decision.changes ?? {});
      const entry = entryOf(write, decision, { before: facts, after, atMs: nowMs() });
      keep();
      if (entry !== undefined) entries.push(entry);
      return { result: decision.result };
    } catch (error) {
      return { error };
    }
  });
  const hasCounted = read.headroom?.isNew === true;
  const isWithoutRoom = ends.some((end) => 'result' in end && end.result === 'no-room');
  if (isWithoutRoom && !hasCounted) return runGroup(tx, writes, { nowMs, recounts: true });
  await storeGroup(tx, state.changed());
  await appendEntries(tx, entries);
  return { ends, hasCounted };
}

type Change = Readonly<{ before: StoredChunk; after: StoredChunk; atMs: number }>;

/** The audit entry of a write; undefined when it changed nothing that the log holds. */
function entryOf(
  { at: { batchId, chunk }, action, actor = ENGINE, needs = {} }: ChunkWrite<unknown>,
  decision: Decision<unknown>,
  { before, after, atMs }: Change,
): AuditEntry | undefined {
  const kept = ({ row, rowOutcomes }: StoredChunk): RecordFacts => ({
    ...chunkFacts(row),
    ...(needs.rowOutcomes === true ? verdictsFact(rowOutcomes) : {}),
  });
  const changed = before === after ? {} : changesOf(kept(before), kept(after));
  const ofChunk = isEmpty(changed) ? {} : { [NAMES.chunk(chunk)]: changed };
  const facts = { ...decision.facts, ...ofChunk };
  if (isEmpty(facts)) return undefined;
  const detail = { chunk, ...decision.detail };
  return { atMs, batchId, actor, action, detail, facts };
}
