import type { Approval } from '../../../src/domain/approval/statement.ts';
import type { Store } from '../../../src/store/index.ts';
import { claimRun, takeFile } from './schedule-writes.ts';
import {
  ACCOUNT,
  contentOf,
  newBatch,
  planBatch,
  planNamed,
} from '../../support/store-fixtures.ts';

export const AT_MS = 1_800_000_000_000;

/** One write, and what its caller gets. */
export type Write = (store: Store) => Promise<unknown>;

const refOf = async (store: Store, batchId: string, chunk: number) => ({
  batchId,
  chunk,
  idempotencyKey: (await store.chunks.get(batchId, chunk)).idempotencyKey,
});

const attempt = (n: number) => ({
  n,
  timestampMs: AT_MS + n,
  bodySha256: 'b',
  intent: { payload: 'p', payloadSha256: 'sha-p' },
});

const payout = (id: string) => ({ id, state: 'CONFIRMED', fee: '0.1', differences: [] });

const begins =
  (n: number, chunk = 0, batchId = 'b'): Write =>
  async (store) =>
    store.sends.beginAttempt(await refOf(store, batchId, chunk), attempt(n));

const finds =
  (id: string, chunk: number, batchId = 'b'): Write =>
  async (store) => {
    const at = await refOf(store, batchId, chunk);
    return store.sends.recordLookup(at, { atMs: 5, attempts: 0, result: 'found' }, payout(id));
  };

const unpaid = { attempts: 0, from: 'PLANNED', reason: 'canceled' } as const;

const decidesFunds =
  (batchId: string): Write =>
  async (store) => {
    const before = await store.funds.look(ACCOUNT);
    const about = { batchId, account: ACCOUNT, nowMs: AT_MS, before, span: null };
    // The account holds the money of one batch.
    return store.funds.decide(about, (claims) => ({
      decision: claims.some(({ grantedAtMs }) => grantedAtMs !== null) ? 'waits' : 'granted',
    }));
  };

const settles =
  (fingerprint: string): Write =>
  (store) =>
    store.settlements.save(
      { batchId: 'b', chunk: 2 },
      {
        massPayoutState: 'COMPLETED',
        final: true,
        defaultOutcome: { outcome: 'PAID', reason: '' },
        rows: [],
        fee: '0.5',
        unclearSinceMs: null,
        keepsLookups: false,
        payoutFingerprint: fingerprint,
        reopened: 0,
      },
    );

const registersResend =
  (batchId: string): Write =>
  (store) =>
    store.lineage.registerResend({
      ...newBatch(batchId, { fileSha256: newBatch('parent').fileSha256, generation: 1 }),
      parentBatchId: 'parent',
    });

const approval = (person: string): Approval => ({
  batchId: 'b',
  subject: 'sha256:d',
  decision: 'approve',
  person,
  issuedAt: '2027-01-15T08:00:00.000Z',
  expiresAt: '2027-01-16T08:00:00.000Z',
  reason: '',
  signature: 'none',
});

/** The slots are so far apart that the time between two writes does not show. */
const takesSlot: Write = async (store) => {
  const { waitMs } = await store.pace.takeSlot('a', 50_000, AT_MS);
  return waitMs > 25_000 ? 'after another' : 'at once';
};

const holds: Write = (store) =>
  store.holds.put('b', { kind: 'PAUSE', reason: 'x', by: 'mira', facts: {} }, AT_MS);

/** Pairs of writes that decide from what the other one writes. */
export const PAIRS: readonly (readonly [string, Write, string, Write])[] = [
  ['an attempt', begins(1), 'the same attempt', begins(1)],
  [
    'an attempt',
    begins(1),
    'the mark that it was not sent',
    async (store) => store.sends.setNotSent(await refOf(store, 'b', 0), unpaid),
  ],
  [
    'an attempt',
    begins(1),
    'the mark that it was refused',
    async (store) => store.sends.setRejected(await refOf(store, 'b', 0), unpaid),
  ],
  ['an attempt', begins(1), 'a pause', holds],
  [
    'an attempt',
    begins(1),
    'a cancel',
    (store) => store.batches.cancel('b', { by: 'anna', reason: 'wrong file' }, AT_MS),
  ],
  [
    'an attempt',
    begins(1),
    'the end of all unsent chunks',
    (store) => store.chunks.closeUnsent('b', 'canceled'),
  ],
  ['an attempt', begins(1), 'a mass payout that is found', finds('mp', 0)],
  [
    'an attempt',
    begins(1),
    'the restore of an older copy',
    (store) => store.restores.raise({ atMs: AT_MS, reason: 'an older copy' }),
  ],
  ['a mass payout of a chunk', finds('mp', 0), 'the same one of another chunk', finds('mp', 1)],
  [
    'a mass payout of a chunk',
    finds('mp', 0),
    'the same one of another batch',
    finds('mp', 0, 'c'),
  ],
  ['the money of a batch', decidesFunds('b'), 'the money of another', decidesFunds('c')],
  [
    'a plan',
    (store) => store.batches.planOnce(contentOf('x', 'same'), () => planNamed('sha256:x')),
    'a plan of the same rows',
    (store) =>
      store.batches.planOnce(contentOf('y', 'same'), (known) =>
        known === undefined ? planNamed('sha256:y') : undefined,
      ),
  ],
  [
    'a batch',
    (store) => store.batches.register(newBatch('n1')),
    'another batch',
    (store) => store.batches.register(newBatch('n2')),
  ],
  [
    'an approval',
    (store) => store.approvals.add(approval('ann'), AT_MS),
    'a second one',
    (store) => store.approvals.add(approval('bob'), AT_MS),
  ],
  ['a run of a schedule', claimRun('w1'), 'the same run', claimRun('w2')],
  [
    'a file of a run',
    takeFile('2026-05-04T09:00', 'w1'),
    'the same file of another run',
    takeFile('2026-06-04T09:00', 'w2'),
  ],
  ['a resend', registersResend('again'), 'another resend of its parent', registersResend('more')],
  [
    'a notification',
    (store) => store.notifications.take({ nowMs: AT_MS, limit: 1 }),
    'the same one',
    (store) => store.notifications.take({ nowMs: AT_MS, limit: 1 }),
  ],
  ['an outcome', settles('one'), 'the outcome of another read', settles('two')],
  ['a slot', takesSlot, 'the next slot', takesSlot],
];

/** A store in which every write of {@link PAIRS} has its ground. */
export async function prepare(store: Store): Promise<void> {
  for (const batchId of ['b', 'c', 'parent']) await planBatch(store, batchId, 3);
  for (const batchId of ['x', 'y']) await store.batches.register(newBatch(batchId));
  for (const batchId of ['b', 'c']) {
    await store.funds.ask({ batchId, account: ACCOUNT, dueAtMs: null }, AT_MS);
  }
  await begins(1, 2)(store);
  await finds('settled', 2)(store);
  await store.chunks.closeUnsent('parent', 'canceled');
  await store.batches.end('parent', { state: 'FAILED', atMs: AT_MS, error: null });
  const notification = { id: 'm', event: 'batch.failed', batchId: 'b', body: '{}' } as const;
  await store.notifications.put(notification, { targets: ['ops'], atMs: AT_MS });
}
