import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createForwarder } from '../../src/bridge/forwarder.ts';
import { createLastAttempts } from '../../src/bridge/last-attempts.ts';
import { measuredSpool } from '../../src/bridge/measured-spool.ts';
import { createWebhookTrail, type WebhookTrailDeps } from '../../src/bridge/webhook-trail.ts';
import {
  createSpanId,
  type Span,
  traceIdOf,
  workflowSpanId,
} from '../../src/domain/tracing/span.ts';
import { accessTo } from '../../src/store/database/decide.ts';
import { createFundStore } from '../../src/store/funds/claims.ts';
import { createRoutes } from '../../src/store/webhooks/routes.ts';
import { createSpool } from '../../src/store/webhooks/spool.ts';
import {
  createFakeClock,
  createFakeLog,
  insertChunks,
  keyOf,
  openTestStore,
  START_MS,
  type TestStore,
} from './support/bridge-fakes.ts';

const CHUNK = { batchId: 'payroll', chunk: 1, massPayoutId: 'mass-1' };
const WEBHOOK = JSON.stringify({ data: { id: 'mass-1', address: 'canary', comment: 'canary' } });

let store: TestStore;
let log: ReturnType<typeof createFakeLog>;
let spans: Span[];

beforeEach(async () => {
  store = await openTestStore();
  log = createFakeLog();
  spans = [];
  await insertChunks(store.db, [CHUNK]);
});
afterEach(() => store.close());

/** Forwards webhooks that arrived a quarter of a second ago. */
async function forward(bodies: readonly string[], deps: Partial<WebhookTrailDeps> = {}) {
  const access = accessTo(store.db);
  const clock = createFakeClock();
  const lastAttempt = createLastAttempts(access);
  const trail = createWebhookTrail({
    lastAttempt,
    log,
    record: (span) => spans.push(span),
    ...deps,
  });
  const spool = createSpool(access);
  for (const body of bodies) await spool.append(Buffer.from(body), clock.nowMs());
  clock.advance(250);
  const forwarder = createForwarder({
    spool: measuredSpool(spool, trail.ended),
    routes: createRoutes(store.db),
    claims: createFundStore(access),
    temporal: { signal: async () => 'delivered', ping: async () => undefined },
    clock,
    log,
    onMatched: trail.matched,
  });
  await forwarder.forwardOnce();
  await trail.close();
  return forwarder.status();
}

/** The lines of the trail, without that of Temporal's state. */
const lines = (): string[] => log.lines.filter((line) => !line.startsWith('Temporal answers'));

const insertAttempt = (n: number, traceId: string | null) =>
  store.db
    .insertInto('attempt')
    .values({
      idempotency_key: keyOf(CHUNK),
      n,
      timestamp_ms: 1,
      body_sha256: '',
      outcome: 'ACCEPTED',
      trace_id: traceId,
    })
    .execute();

describe('a webhook about a chunk', () => {
  it('has a span below that of its create, with the traceId of the service', async () => {
    await insertAttempt(1, 'b7c0');
    await insertAttempt(2, 'b7c1');
    await forward([WEBHOOK]);
    expect(spans).toEqual([
      expect.objectContaining({
        name: 'webhook',
        traceId: traceIdOf('payroll'),
        parentSpanId: createSpanId(CHUNK, 2),
        startMs: START_MS,
        endMs: START_MS + 250,
        attributes: { batchId: 'payroll', chunk: 1, traceId: 'b7c1', state: 'FORWARDED' },
      }),
    ]);
  });

  it('that is there before the attempt is stored has a span below that of its partition', async () => {
    await forward([WEBHOOK]);
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([
      workflowSpanId('batch/payroll/p0'),
    ]);
    expect(spans[0]?.attributes).not.toHaveProperty('traceId');
  });

  it('is logged with batch, chunk and traceId, and with nothing of its body', async () => {
    await insertAttempt(1, 'b7c1');
    await forward([WEBHOOK], { record: undefined });
    expect(lines()).toEqual([
      'a webhook was handled {"batchId":"payroll","chunk":1,"traceId":"b7c1","state":"FORWARDED"}',
    ]);
    expect(JSON.stringify([lines(), spans])).not.toContain('canary');
  });
});

it('a webhook that names no chunk leaves no trail', async () => {
  await forward(['{"id":"unknown"}']);
  expect([spans, lines()]).toEqual([[], []]);
});

it('a trail that cannot be read is logged, and holds no webhook up', async () => {
  const { forwarded } = await forward([WEBHOOK], {
    lastAttempt: () => Promise.reject(new Error('disk full')),
  });
  expect(forwarded).toBe(1);
  expect(lines()).toEqual(['the trail of a webhook could not be read {"reason":"disk full"}']);
});

it('a webhook that names many chunks shows ten of them', async () => {
  const many = Array.from({ length: 30 }, (_, at) => ({
    batchId: 'bonus',
    chunk: at,
    massPayoutId: `bonus-${at}`,
  }));
  await insertChunks(store.db, many);
  await forward([JSON.stringify(many.map(({ massPayoutId: id }) => ({ id })))]);
  expect(spans).toHaveLength(10);
});
