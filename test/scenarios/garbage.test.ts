import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import Database from 'libsql';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { eventually } from '../support/eventually.ts';
import { expectEverythingTies } from '../support/exactly-once.ts';
import { startGarbageProxy } from '../support/garbage-proxy.ts';
import { ledgerWithdrawals, readReport, requestCount } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

/** `GARBAGE_ROWS=3000` runs it at its full size. */
const ROWS = Number(process.env['GARBAGE_ROWS'] ?? '500');
const CHUNK_ROWS = 50;
const CHUNKS = Math.ceil(ROWS / CHUNK_ROWS);

/** A bound for what hangs, and no claim about speed. */
jest.setTimeout(900_000);

const TOKEN = 'test-token-0123456789-0123456789-0123456789';

type Proxy = Awaited<ReturnType<typeof startGarbageProxy>>;

let service: Proxy;
let hooks: Proxy;
let stack: TestStack;

beforeAll(async () => {
  const folder = sharedFolder();
  writeFileSync(join(folder, 'bridge-token'), TOKEN, { mode: 0o600 });
  const created = { cut: 0.3, late: 0.2, '5xx': 0.2, truncated: 0.1 } as const;
  const asked = { '5xx': 0.2, truncated: 0.1 } as const;
  service = await startGarbageProxy(
    () => stack.sandboxUrl,
    (path) => (path === DEFAULT_ENDPOINTS.MASS_CREATE ? created : asked),
  );
  hooks = await startGarbageProxy(
    () => stack.bridgeUrl,
    () => ({ lost: 0.5, doubled: 0.5 }),
    2,
  );
  stack = await startTestStack({
    folder,
    env: {
      BURSAR_API_BASE_URL: service.url,
      BURSAR_SANDBOX_WEBHOOK_URL: `${hooks.url}/hooks/${TOKEN}`,
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '4',
      BURSAR_API_TIMESTAMP_WINDOW_MS: '6000',
      BURSAR_SANDBOX_TIMESTAMP_WINDOW_MS: '6000',
      BURSAR_API_FENCE_MARGIN_MS: '2000',
      BURSAR_API_SEND_BUDGET_MS: '1000',
    },
  });
  await sandboxControl(stack.sandboxUrl).play({ idempotency: 'ignores-key' });
});
afterAll(async () => {
  await stack.stop();
  await service.close();
  await hooks.close();
});

async function pay(batchId: string, rows: ReturnType<typeof sampleRows>) {
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, rows);
  // A command that meets an error says so and ends; this is about the engine.
  const command = { BURSAR_API_BASE_URL: stack.sandboxUrl };
  const args = ['submit', file, '--id', batchId, '--yes', '-o', 'json'];
  const { code, out, err } = await stack.bursarWith(command, ...args);
  if (out === '') throw new Error(`submit ended with ${code}: ${err}`);
  return { code, value: JSON.parse(out) as Record<string, unknown> };
}

/** Entries of the audit log about this action. */
function entriesOf(action: string): number {
  const db = new Database(join(stack.folder, 'store.db'), { readonly: true });
  try {
    const count = db.prepare('select count(*) as n from audit where action = ?').get(action);
    return (count as { n: number }).n;
  } finally {
    db.close();
  }
}

it('each row is paid once by a service that breaks four of five creates and three of ten answers, while worker and bridge are killed', async () => {
  const before = sampleRows({ rows: 2, from: ROWS, currencies: ['USDT_TRC20'] });
  expect((await pay(newBatchId(), before)).value['state']).toBe('COMPLETED');
  service.begin();
  hooks.begin();

  const startedMs = Date.now();
  const batchId = newBatchId();
  const rows = sampleRows({ rows: ROWS, currencies: ['USDT_TRC20'] });
  const ended = pay(batchId, rows);
  let early: unknown;
  void ended.then(
    (value) => (early = value),
    (error: unknown) => (early = error),
  );
  const passed = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
  for (const share of [0.1, 0.4, 0.7]) {
    const wanted = passed + Math.ceil(CHUNKS * share);
    await eventually(`${wanted} creates`, async () => {
      if (early !== undefined) throw new Error(`it ended early: ${JSON.stringify(early)}`);
      return (await requestCount(stack.sandboxUrl, 'MASS_CREATE')) >= wanted ? true : undefined;
    });
    await Promise.all([stack.kill('worker'), stack.kill('bridge')]);
    await Promise.all([stack.start('worker'), stack.start('bridge')]);
  }
  const { code, value } = await ended;
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  process.stderr.write(`${ROWS} rows took ${seconds} s\n`);
  service.end();

  expect([code, value['state'], value['rows']]).toEqual([
    0,
    'COMPLETED',
    expect.objectContaining({ paid: ROWS }),
  ]);
  expect(entriesOf('send')).toBeGreaterThan(CHUNKS);
  expect(entriesOf('ask-operator')).toBe(0);
  const made = (await ledgerWithdrawals(stack.sandboxUrl)).map(
    ({ depositAddress }) => depositAddress,
  );
  expect([made.length, new Set(made).size]).toEqual([ROWS + 2, ROWS + 2]);
  expect(readReport(join(stack.folder, 'runs', batchId)).paidTwice).toEqual([]);
  await expectEverythingTies(stack);
  for (const what of ['cut', 'late', '5xx', 'truncated'] as const) {
    expect([what, service.count(what) > 0]).toEqual([what, true]);
  }
  for (const what of ['lost', 'doubled'] as const) {
    expect([what, hooks.count(what) > 0]).toEqual([what, true]);
  }
});
