import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHAIN_START, chained, type ChainedEntry } from '../../../src/domain/audit/chain.ts';
import { createLogCheck } from '../../../src/domain/audit/log-check.ts';
import {
  continued,
  countToWrite,
  EMPTY_STORE,
  needsStoreChain,
  type StoreChainEnd,
} from '../../../src/domain/audit/log-end.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

type Act = Readonly<{ batchId: string | null; action: string; afterMs: number }>;
type History = Readonly<{ first: readonly Act[]; groups: readonly (readonly Act[])[] }>;

const batchIds = fc.constantFrom('a', 'b', 'c', null);
const action = fc.constantFrom('take', 'send', 'release', 'end', 'hold');
const act = fc.record({ action, afterMs: fc.constantFrom(0, 1, 1_800_000, 4_000_000) });

/** Acts of one batch, or of none, that are written together. */
const group = fc
  .tuple(batchIds, fc.array(act, { minLength: 1, maxLength: 4 }))
  .map(([batchId, acts]) => acts.map((one) => ({ ...one, batchId })));

/** The acts of the first chain, which had all batches, and the groups after it. */
const histories: fc.Arbitrary<History> = fc.record({
  first: fc.array(group, { maxLength: 3 }).map((groups) => groups.flat()),
  groups: fc.array(group, { minLength: 1, maxLength: 8 }),
});

const contentOf = ({ batchId, action: what }: Act, atMs: number) => ({
  atMs,
  batchId,
  actor: 'zoe',
  action: what,
  detail: {},
});

/** The log of a history. */
function logOf({ first, groups }: History): ChainedEntry[] {
  const log: ChainedEntry[] = [];
  let atMs = 0;
  for (const one of first) {
    atMs += one.afterMs;
    const previousHash = log.at(-1)?.hash ?? CHAIN_START.hash;
    log.push(chained({ seq: log.length + 1, n: null, previousHash }, contentOf(one, atMs)));
  }
  for (const acts of groups) {
    const entries = acts.map((one) => contentOf(one, (atMs += one.afterMs)));
    const batchId = acts[0]?.batchId ?? null;
    const newest = log.findLast((entry) => entry.batchId === batchId && entry.n !== null);
    const batch = batchId === null || newest === undefined ? null : { ...newest, n: newest.n ?? 0 };
    const store = needsStoreChain(batch, entries) ? storeEndOf(log) : null;
    const end = { batch, store };
    const count = countToWrite(end, entries);
    const seqs = Array.from({ length: count }, (_, i) => log.length + i + 1);
    const written = continued(end, entries, { seqs, sha256 });
    expect(written).toHaveLength(count);
    log.push(...written.map(({ entry }) => entry));
  }
  return log;
}

function storeEndOf(log: readonly ChainedEntry[]): StoreChainEnd {
  const ofStore = log.filter(({ batchId, n }) => batchId === null && n !== null);
  const [first, newest] = [ofStore[0], ofStore.at(-1)];
  const last = log.at(-1);
  if (newest === undefined) {
    return last === undefined ? EMPTY_STORE : { ...EMPTY_STORE, open: lastOf(last) };
  }
  const root = first?.action === 'close-log' ? first.hash : CHAIN_START.hash;
  return { link: { n: newest.n ?? 0, hash: newest.hash }, root, open: null };
}

const lastOf = ({ seq, hash }: ChainedEntry) => ({ seq, hash });

/** Whether a check of the entries, in the order of their numbers, finds a fault. */
function hasFault(log: readonly ChainedEntry[], only?: readonly string[]): boolean {
  const check = createLogCheck(only);
  const problems = log.toSorted((a, b) => a.seq - b.seq).map((entry) => check.take(entry));
  return problems.some((problem) => problem !== null) || check.rest().length > 0;
}

const ofBatch = (log: readonly ChainedEntry[], batchId: string): ChainedEntry[] =>
  log.filter((entry) => entry.batchId === batchId || entry.batchId === null || entry.n === null);

/** Whether the log may lack an entry unseen: the last one of the store chain, or of a batch after its last head. */
function canBeCut(log: readonly ChainedEntry[], { batchId, n, seq, action: what }: ChainedEntry) {
  const ofChain = log.filter((one) => one.batchId === batchId && one.n !== null);
  if (n === null) return log.at(-1)?.seq === seq;
  if (ofChain.at(-1)?.seq !== seq) return false;
  if (batchId === null) return what !== 'head' && !(what === 'close-log' && log.length > n);
  return !log.some(
    ({ action: head, detail }) =>
      head === 'head' && detail['batch'] === batchId && detail['n'] === n,
  );
}

const changes = fc.constantFrom<(entry: ChainedEntry) => Partial<ChainedEntry>>(
  ({ atMs }) => ({ atMs: atMs + 1 }),
  ({ batchId }) => ({ batchId: batchId === 'a' ? 'b' : 'a' }),
  ({ batchId }) => ({ batchId: batchId === null ? 'd' : null }),
  ({ actor }) => ({ actor: `${actor}!` }),
  ({ action: what }) => ({ action: `${what}!` }),
  ({ detail }) => ({ detail: { ...detail, n: 77 } }),
  ({ facts }) => ({ facts: { ...facts, batch: {} } }),
  ({ seq }) => ({ seq: seq + 1000 }),
  ({ seq }) => ({ seq: -seq }),
  ({ n }) => ({ n: n === null ? 1 : n + 1 }),
  ({ n }) => ({ n: n === null ? 2 : null }),
  ({ previousHash }) => ({ previousHash: sha256(previousHash) }),
  ({ hash }) => ({ hash: sha256(hash) }),
);

const placed = fc.tuple(histories, fc.nat()).map(([history, at]) => {
  const log = logOf(history);
  return { log, place: at % log.length };
});

describe('the log of any history', () => {
  it('is whole, as a whole and for each batch', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const log = logOf(history);
        expect(hasFault(log)).toBe(false);
        for (const batchId of ['a', 'b', 'c']) {
          expect(hasFault(ofBatch(log, batchId), [batchId])).toBe(false);
        }
      }),
    );
  });

  it('shows any change of any entry', () => {
    fc.assert(
      fc.property(placed, changes, ({ log, place }, change) => {
        const entry = log[place]!;
        expect(hasFault(log.with(place, { ...entry, ...change(entry) }))).toBe(true);
      }),
    );
  });

  it('shows a dropped entry, unless it was the last of its chain and no head names it', () => {
    fc.assert(
      fc.property(placed, ({ log, place }) => {
        const isFound = hasFault(log.toSpliced(place, 1));
        expect(isFound).toBe(!canBeCut(log, log[place]!));
      }),
    );
  });

  it('shows two entries that changed places, also of two batches', () => {
    fc.assert(
      fc.property(placed, fc.nat(), ({ log, place }, at) => {
        const other = at % log.length;
        fc.pre(other !== place);
        const [one, two] = [log[place]!, log[other]!];
        const swapped = log
          .with(place, { ...two, seq: one.seq })
          .with(other, { ...one, seq: two.seq });
        expect(hasFault(swapped)).toBe(true);
        const moved = log
          .with(place, { ...one, batchId: two.batchId, n: two.n })
          .with(other, { ...two, batchId: one.batchId, n: one.n });
        fc.pre(one.batchId !== two.batchId || one.n !== two.n);
        expect(hasFault(moved)).toBe(true);
      }),
    );
  });

  it('shows the end of a batch that was cut off, when a head names it', () => {
    fc.assert(
      fc.property(placed, ({ log, place }) => {
        const { batchId, n } = log[place]!;
        fc.pre(batchId !== null && n !== null);
        const isCut = (entry: ChainedEntry) => entry.batchId === batchId && (entry.n ?? 0) >= n;
        const isNamed = log.some(
          ({ action: what, detail }) =>
            what === 'head' && detail['batch'] === batchId && Number(detail['n']) >= n,
        );
        expect(hasFault(log.filter((entry) => !isCut(entry)))).toBe(isNamed);
      }),
    );
  });
});
