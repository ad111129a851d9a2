import type { AuditEntry } from '../../domain/audit/chain.ts';
import { changesOf, isEmpty, type RecordFacts } from '../../domain/audit/facts.ts';
import { ENGINE } from '../audit/audited.ts';
import { chunkFacts, NAMES, verdictsFact } from '../audit/facts.ts';
import { appendEntries } from '../audit/log.ts';
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
 * A decision that throws changes nothing, and only its own write fails.
 */
export function createChunkWriter(decide: Decide, nowMs: () => number): WriteChunk {
  const open = new Map<string, Group>();

  const openGroup = (batchId: string): Group => {
    const writes: ChunkWrite<unknown>[] = [];
    const close = (): void => {
      if (open.get(batchId)?.writes === writes) open.delete(batchId);
    };
    const ends = decide([{ batch: batchId }, 'chain'], (tx) => {
      close();
      return runGroup(tx, writes, nowMs);
    }).finally(close);
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

async function runGroup(
  tx: Tx,
  writes: readonly ChunkWrite<unknown>[],
  nowMs: () => number,
): Promise<readonly End[]> {
  const state = createGroupState(await readGroup(tx, writes));
  const entries: AuditEntry[] = [];
  const ends = writes.map((write): End => {
    try {
      const facts = state.factsOf(write.at);
      const decision = write.decide(facts);
      const after = state.change(write.at.chunk, decision.changes ?? {});
      const entry = entryOf(write, decision, { before: facts, after, atMs: nowMs() });
      if (entry !== undefined) entries.push(entry);
      return { result: decision.result };
    } catch (error) {
      return { error };
    }
  });
  await storeGroup(tx, state.changed());
  await appendEntries(tx, entries);
  return ends;
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
