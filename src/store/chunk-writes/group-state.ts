import type { Schema } from '../database/schema.ts';
import type { ChunkAt } from '../settlement/withdrawal-lookups.ts';
import { createHeadroomCounters } from './headroom-counters.ts';
import type { ReadGroup } from './read-group.ts';
import { wellFormed, wellFormedText } from './well-formed.ts';
import type { ChunkChanges, ChunkFacts, StoredChunk } from './write.ts';

/** A chunk as it becomes, and the two columns by which it may be sent, as they were read. */
export type ChangedChunk = Readonly<{
  row: Schema['chunk'];
  from: Readonly<{ state: string; final: number }>;
}>;

/** All that a group of writes changes, by table. Of a row that changed twice, the last one. */
export type ChangedRows = Readonly<{
  batchId: string;
  chunks: ReadonlyMap<number, ChangedChunk>;
  /** Attempts that the store does not have, and others that end. */
  begun: readonly Schema['attempt'][];
  ended: readonly Schema['attempt'][];
  intents: readonly Schema['intent'][];
  lookups: readonly Schema['lookup'][];
  /** By chunk. */
  rowOutcomes: ReadonlyMap<number, readonly Schema['row_outcome'][]>;
  forgottenWithdrawals: ReadonlySet<number>;
  headroom: readonly Schema['headroom'][];
}>;

/** The chunks of a group while its writes are decided one after another. */
export function createGroupState(read: ReadGroup) {
  const { batchId } = read;
  const present = new Map(read.chunks);
  const chunks = new Map<number, ChangedChunk>();
  const attempts = new Map<string, Schema['attempt']>();
  const storedAttempts = attemptsOf(read.chunks.values());
  const intents: Schema['intent'][] = [];
  const lookups: Schema['lookup'][] = [];
  const rowOutcomes = new Map<number, readonly Schema['row_outcome'][]>();
  const forgottenWithdrawals = new Set<number>();

  const counters = read.headroom && createHeadroomCounters(read.headroom, read.chunks.values());

  const find = (chunk: number): StoredChunk => {
    const found = present.get(chunk);
    if (found === undefined) throw new Error(`batch ${batchId} has no chunk ${chunk}`);
    return found;
  };

  return {
    factsOf: ({ chunk }: ChunkAt): ChunkFacts => {
      const stored = find(chunk);
      return {
        ...stored,
        restore: read.restore,
        isEnded: read.isEnded,
        ground: () => read.ground ?? missing('the ground to pay'),
        stopLoss: read.headroom?.rules ?? [],
        risk: () => counters?.risk(withoutOpen(present, chunk)) ?? missing('the headroom'),
        otherOwners: (id) => otherOwners(read, present, { id, chunk }),
      };
    },

    /** The chunk with the changes of a write, and a function that keeps them. */
    withChanges(chunk: number, given: ChunkChanges) {
      const changes = readable(given);
      const after = changed(find(chunk), changes);
      return { after, keep: () => keep(chunk, changes, after) };
    },

    changed: (): ChangedRows => ({
      batchId,
      chunks,
      ...byPresence([...attempts.values()], storedAttempts),
      intents,
      lookups,
      rowOutcomes,
      forgottenWithdrawals,
      headroom: counters?.changed(present.values()) ?? [],
    }),
  };

  function rowAsRead(chunk: number): ChangedChunk['from'] {
    const { state, final } = read.chunks.get(chunk)?.row ?? find(chunk).row;
    return { state, final };
  }

  function keep(chunk: number, changes: ChunkChanges, after: StoredChunk): void {
    present.set(chunk, after);
    const { attempt, intent, lookup, row } = changes;
    if (row !== undefined) chunks.set(chunk, { row: after.row, from: rowAsRead(chunk) });
    if (attempt !== undefined) attempts.set(placeOf(attempt), attempt);
    if (intent !== undefined) intents.push(intent);
    if (lookup !== undefined) lookups.push(lookup);
    if (changes.rowOutcomes !== undefined) rowOutcomes.set(chunk, changes.rowOutcomes);
    if (changes.forgetsWithdrawals === true) forgottenWithdrawals.add(chunk);
  }
}

/** The attempts that the store has. */
const attemptsOf = (chunks: Iterable<StoredChunk>): ReadonlySet<string> =>
  new Set([...chunks].flatMap(({ attempts }) => attempts.map(placeOf)));

/** `begun`: attempts that the store does not have yet. `ended`: those that it has. */
const byPresence = (attempts: readonly Schema['attempt'][], stored: ReadonlySet<string>) => ({
  begun: attempts.filter((attempt) => !stored.has(placeOf(attempt))),
  ended: attempts.filter((attempt) => stored.has(placeOf(attempt))),
});

/** Names an attempt. */
const placeOf = ({ idempotency_key: key, n }: Schema['attempt']): string => `${key} ${n}`;

const missing = (what: string): never => {
  throw new Error(`${what} was not read for this write`);
};

/** The changes as they can be read again. An intent is JSON that was made here, and has no half surrogates. */
const readable = ({
  row,
  attempt,
  lookup,
  rowOutcomes,
  ...changes
}: ChunkChanges): ChunkChanges => ({
  ...changes,
  ...(row !== undefined && { row: wellFormed(row) }),
  ...(attempt !== undefined && { attempt: wellFormed(attempt) }),
  ...(lookup !== undefined && { lookup: wellFormed(lookup) }),
  ...(rowOutcomes !== undefined && { rowOutcomes: rowOutcomes.map(wellFormed) }),
});

function changed(before: StoredChunk, { row, ...changes }: ChunkChanges): StoredChunk {
  const { attempt, intent, lookup, rowOutcomes } = changes;
  return {
    ...before,
    row: row === undefined ? before.row : { ...before.row, ...row },
    attempts: attempt === undefined ? before.attempts : withAttempt(before.attempts, attempt),
    intentSha256: intent === undefined ? before.intentSha256 : intent.payload_sha256,
    lookups: before.lookups + (lookup === undefined ? 0 : 1),
    rowOutcomes: rowOutcomes ?? before.rowOutcomes,
  };
}

const withAttempt = (
  attempts: readonly Schema['attempt'][],
  attempt: Schema['attempt'],
): readonly Schema['attempt'][] => [...attempts.filter(({ n }) => n !== attempt.n), attempt];

/** The chunks of a mass payout: those that the store has, with the changes of the group, by batch and number. */
function otherOwners(
  { batchId, owners }: ReadGroup,
  present: ReadonlyMap<number, StoredChunk>,
  { id, chunk }: Readonly<{ id: string; chunk: number }>,
): string[] {
  const own = present.get(chunk)?.row.idempotency_key;
  const stored = wellFormedText(id);
  const elsewhere = owners.filter(
    (owner) => owner.id === stored && !(owner.batchId === batchId && present.has(owner.chunk)),
  );
  const here = [...present.values()].flatMap(({ row }) =>
    row.mass_payout_id === stored ? [{ batchId, chunk: row.chunk, key: row.idempotency_key }] : [],
  );
  return [...elsewhere, ...here]
    .filter(({ key }) => key !== own)
    .sort(byPlace)
    .map((owner) => `it already stands for chunk ${owner.chunk} of ${owner.batchId}`);
}

type Place = Readonly<{ batchId: string; chunk: number }>;

const byPlace = (a: Place, b: Place): number =>
  a.batchId === b.batchId ? a.chunk - b.chunk : a.batchId < b.batchId ? -1 : 1;

/** The chunks without one that is under way: it takes the place of its own. */
const withoutOpen = (present: ReadonlyMap<number, StoredChunk>, chunk: number): StoredChunk[] =>
  [...present.values()].filter(({ row }) => row.chunk !== chunk || row.final === 1);
