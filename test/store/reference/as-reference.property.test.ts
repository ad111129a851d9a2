import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Outcome } from '../../../src/domain/settling/outcome.ts';
import type { AttemptOutcome, OperatorAnswer } from '../../../src/domain/sending/send-record.ts';
import type { ChunkState } from '../../../src/domain/batch/chunk-state.ts';
import type { Schema } from '../../../src/store/database/schema.ts';
import { accessTo } from '../../../src/store/database/decide.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { countHeadroom } from '../../../src/store/sending/headroom.ts';
import type { StoredOutcomes } from '../../../src/store/settlement/settlements.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { createReferenceSends } from './sends.ts';
import { createReferenceSettlements } from './settlements.ts';

/*
 * The files of this folder are the readable form of the writes about a chunk: each reads and writes on its own. The store
 * decides the same writes in groups. After the same history both have the same bytes in every table, and so the same audit log.
 */
const CHUNKS = 4;
const NOW_MS = 1_800_000_000_000;
/** Half of a surrogate pair, as a service may send one. */
const HALF = '\uD83D';

const nowMs = (): number => NOW_MS;

let grouped: Store;
let readable: Store;
beforeAll(async () => {
  grouped = await openStore('sqlite::memory:', nowMs);
  readable = await openStore('sqlite::memory:', nowMs);
  for (const store of [grouped, readable]) await planBatch(store, 'b', CHUNKS);
  const rows = await writableDb(grouped).selectFrom('chunk').selectAll().execute();
  planned = rows.map((row) => (row.chunk === 1 ? { ...row, currency: 'BTC', total: '2.75' } : row));
});
afterAll(async () => {
  await grouped.close();
  await readable.close();
});

type Writes = Readonly<{ sends: Sends; settlements: Settlements }>;
type Sends = ReturnType<typeof createReferenceSends>;
type Settlements = ReturnType<typeof createReferenceSettlements>;

const TABLES = [
  'chunk',
  'intent',
  'attempt',
  'lookup',
  'row_outcome',
  'withdrawal_lookup',
  'audit',
];

let planned: readonly Schema['chunk'][];

/** The first entry of the batch, so that its head is on record: the store names heads by group. */
const RELEASE = { atMs: NOW_MS, batchId: 'b', actor: 'zoe', action: 'release', detail: {} };

/** Gives a store the planned chunks, and no trace of an earlier history. */
async function startAnew(store: Store, stopLoss: readonly string[]): Promise<void> {
  const db = writableDb(store);
  for (const table of [...TABLES, 'headroom']) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
  await db.insertInto('chunk').values(planned).execute();
  const options_json = JSON.stringify({ stopLoss });
  await db.updateTable('batch').set({ options_json }).execute();
  await store.audit.append(RELEASE);
}

/** A write by small numbers: which, about which chunk, and with which values. */
type Draft = Readonly<{ kind: number; chunk: number; a: number; b: number }>;
const draft = fc.record({
  kind: fc.nat(17),
  chunk: fc.nat(CHUNKS - 1),
  a: fc.nat(4),
  b: fc.nat(2),
});
/** Chunk 0 before anything, while it waits for a person, and with rows that failed or were paid. */
const BEGUN = [{ kind: 0, chunk: 0, a: 0, b: 1 }];
const FOUND = [{ kind: 6, chunk: 0, a: 1, b: 1 }];
const STARTS: readonly (readonly (readonly Draft[])[])[] = [
  [],
  [BEGUN, [{ kind: 10, chunk: 0, a: 1, b: 0 }]],
  [BEGUN, FOUND, [{ kind: 14, chunk: 0, a: 1, b: 0 }]],
  [BEGUN, FOUND, [{ kind: 14, chunk: 0, a: 0, b: 0 }]],
];

/** Writes of one list come in together. */
const histories = fc.array(fc.array(draft, { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 7,
});

const OUTCOMES: readonly AttemptOutcome[] = [
  'VOID',
  'NOT_SENT',
  'ACCEPTED',
  'REJECTED',
  'AMBIGUOUS',
];
const ROW_OUTCOMES: readonly Outcome[] = ['PAID', 'FAILED', 'UNKNOWN', 'IN_FLIGHT'];
const FROM: readonly ChunkState[] = ['PLANNED', 'SENDING', 'NEEDS_OPERATOR', 'CREATED'];

const REASONS = ['LOOKUP_UNPROVEN', 'LOOKUP_UNPROVEN', 'PAYOUT_DIFFERS'];

const answerOf = (a: number): OperatorAnswer =>
  [
    { kind: 'adopt', massPayoutId: 'mp-0', atMs: 5 } as const,
    { kind: 'not-created', attempts: 1, atMs: 5 } as const,
    { kind: 'abandon', atMs: 5 } as const,
  ][a % 3] ?? { kind: 'abandon', atMs: 5 };

const outcomesOf = ({ chunk, a, b }: Draft): StoredOutcomes => {
  const outcome = ROW_OUTCOMES[a % ROW_OUTCOMES.length] ?? 'PAID';
  const named = ROW_OUTCOMES[(a + b) % ROW_OUTCOMES.length] ?? 'PAID';
  const row = 2 + chunk * 2;
  const reason = `reason ${a}${HALF}`;
  return {
    massPayoutState: a === 0 ? 'COMPLETED' : `PARTIAL${HALF}`,
    defaultOutcome: { outcome, reason },
    rows: b === 0 ? [] : [{ row, chunk, outcome: named, reason, amount: '1', withdrawalId: 'w' }],
    final: a < 3,
    fee: b === 1 ? '0.5' : null,
    unclearSinceMs: a === 3 ? 7 : null,
    keepsLookups: b === 2,
    payoutFingerprint: b === 1 ? 'f' : null,
    reopened: b === 2 ? 1 : 0,
  };
};

/** Carries a write out, and returns its result or its error as text. */
async function carryOut({ sends, settlements }: Writes, one: Draft): Promise<string> {
  const { chunk, a, b } = one;
  const ref = { batchId: 'b', chunk, idempotencyKey: planned[chunk]?.idempotency_key ?? '' };
  const n = 1 + (a % 2);
  const decided = {
    attempts: a % 2,
    from: (b === 2 ? FROM[a] : undefined) ?? 'SENDING',
    reason: REASONS[b] ?? '',
  };
  const payout = {
    id: `mp-${a}`,
    state: `S${HALF}`,
    fee: b === 1 ? '1' : null,
    differences: b === 0 ? ['total'] : [],
  };
  const found = a === 0 ? payout : undefined;
  const intent = { payload: 'p', payloadSha256: a === 4 && b === 2 ? 'other' : 'sha' };
  const begun = b === 0 ? {} : { begun: { clock: 'host', ms: a } };
  const attempt = { n, timestampMs: 10 + a, bodySha256: 'b', intent, ...begun };
  const meanwhile = { defaultOutcome: { outcome: 'IN_FLIGHT', reason: '' } as const, rows: [] };
  const lookup = { atMs: a, attempts: b, result: 'missed', serverDateMs: 3 } as const;
  const ended = {
    ...{ n, outcome: OUTCOMES[a] ?? 'VOID', endedMs: 20 + b },
    ...(b === 0 ? {} : { httpStatus: 400, errorCode: 'code', traceId: 'trace' }),
  };
  const begin = () => sends.beginAttempt(ref, attempt);
  const writes: readonly (() => Promise<unknown>)[] = [
    begin,
    begin,
    begin,
    () => sends.endAttempt(ref, ended, found),
    () => sends.endAttempt(ref, ended, payout),
    () => sends.recordLookup(ref, lookup, found),
    () => sends.setPayout(ref, payout),
    () => sends.setRejected(ref, decided),
    () => sends.setNotSent(ref, decided),
    () => sends.setAbandoned(ref, 'given up'),
    () => sends.setNeedsOperator(ref, decided, 9),
    () => sends.withdrawQuestion(ref, a % 2),
    () => sends.setAnswer(ref, answerOf(a), { actor: 'zoe', detail: { b } }),
    () => sends.clearAdoption(ref, 'mp-0'),
    () => settlements.save(ref, outcomesOf(one)),
    () => settlements.disown(ref, [`total${HALF}`]),
    () => settlements.reopen(ref, b === 2 ? 1 : 0, meanwhile),
    () =>
      settlements.setTimes(
        ref,
        { openSinceMs: a, stateSinceMs: b, unreadSinceMs: null },
        undefined,
      ),
  ];
  const write = writes[one.kind] ?? begin;
  return write().then(
    (result) => JSON.stringify(result) ?? 'done',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

async function contentOf(store: Store): Promise<Readonly<Record<string, unknown>>> {
  const db = writableDb(store);
  const content: Record<string, unknown> = {};
  for (const table of TABLES) {
    const { rows } = await sql`select * from ${sql.table(table)} order by rowid`.execute(db);
    content[table] = rows;
  }
  return content;
}

const headroomOf = (store: Store) =>
  writableDb(store).selectFrom('headroom').selectAll().orderBy('currency').execute();

it('the store decides in groups as its readable form does one by one, to the byte', async () => {
  const access = accessTo(writableDb(readable));
  const reference = {
    sends: createReferenceSends(access, nowMs),
    settlements: createReferenceSettlements(access, nowMs),
  };
  const seen = new Set<string>();
  const rules = fc.constantFrom<readonly string[]>([], ['5:TRX'], ['40%']);
  const writeTo = (writes: Writes, together: readonly Draft[]) =>
    Promise.all(together.map((one) => carryOut(writes, one)));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...STARTS),
      histories,
      rules,
      async (start, rest, stopLoss) => {
        await startAnew(grouped, stopLoss);
        await startAnew(readable, stopLoss);
        for (const together of [...start, ...rest]) {
          const results = await writeTo(grouped, together);
          expect(results).toEqual(await writeTo(reference, together));
          for (const [i, result] of results.entries()) seen.add(`${together[i]?.kind} ${result}`);
        }
        expect(await contentOf(grouped)).toEqual(await contentOf(readable));
        const counted = await headroomOf(grouped);
        if (counted.length > 0) {
          expect(counted).toEqual(await countHeadroom(writableDb(grouped), 'b'));
          seen.add(JSON.stringify(counted));
        }
      },
    ),
    { numRuns: 300, seed: 7 },
  );
  const results = [...seen].map((one) => one.replace(/^\d+ /, ''));
  expect(results).toEqual(expect.arrayContaining(['"begun"', '"taken"', '"no-room"', 'false']));
  expect(results.join()).toContain('does not wait for an operator');
  expect(results.join()).toContain('paid rows that would become unpaid');
  // The counters of the stop loss, as they stand after some histories.
  expect([...seen].join()).toMatch(/"under_way_rows":[1-9].*"lost_rows":[1-9]/);
  expect([...seen].filter((one) => one.endsWith(' true')).sort()).toEqual(
    ['10', '11', '14', '16', '7', '8'].map((kind) => `${kind} true`),
  );
});
