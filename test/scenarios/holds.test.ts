import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { eventually } from '../support/eventually.ts';
import { fatedRowMaker } from '../support/fated-rows.ts';
import { leadMsFor } from '../support/lead-time.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { requestsOf } from '../support/oracle.ts';
import { expectRowsFitLedger } from '../support/row-outcomes.ts';
import { type SampleRow, sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;
// In another currency, so that no address is in two batches.
const fatedRows = fatedRowMaker('USDC_ERC20');

beforeAll(async () => {
  stack = await startTestStack({
    folder: sharedFolder(),
    env: {
      BURSAR_BATCH_CHUNK_ROWS: '10',
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '2',
      BURSAR_SANDBOX_DELAY_MS_CREATE: '50',
    },
  });
});
afterAll(() => stack.stop());

type Begun = Readonly<{ rows: readonly SampleRow[]; flags?: readonly string[]; env?: object }>;

async function begin({ rows, flags = [], env = {} }: Begun) {
  const batchId = newBatchId();
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, rows);
  const args = ['submit', file, '--id', batchId, '--yes', '--detach', ...flags];
  expect((await stack.bursarWith({ ...env }, ...args)).code).toBe(8);
  return batchId;
}

/** Keys of the batch that the sandbox was asked to create so far. */
async function creates(batchId: string): Promise<number> {
  const { value } = await stack.json('rows', batchId);
  // The worker writes the batch down some time after the submit.
  if (value['code'] === 'BATCH_NOT_FOUND') return 0;
  const keys = new Set(
    (value['rows'] as { idempotencyKey: string }[]).map((row) => row.idempotencyKey),
  );
  const requests = await requestsOf(stack.sandboxUrl, 'MASS_CREATE');
  return requests.filter(({ idempotencyKey }) => keys.has(idempotencyKey ?? '')).length;
}

/** Waits until the sandbox has been asked nothing of the batch for a while; answers how often it was asked. */
async function untilQuiet(batchId: string): Promise<number> {
  let before = -1;
  return eventually('nothing more is created', async () => {
    const now = await creates(batchId);
    const isQuiet = now === before;
    before = now;
    return isQuiet ? now : undefined;
  });
}

const tell = (command: string, batchId: string, reason: string) =>
  stack.json(command, batchId, '--reason', reason);

describe('a batch that is paused while it pays', () => {
  const rows = sampleRows({ rows: 1_500, currencies: ['USDT_TRC20'] });
  let batchId: string;
  let created: number;

  it('creates nothing more, and shows the person and the reason', async () => {
    batchId = await begin({ rows });
    await eventually('some creates', async () => ((await creates(batchId)) > 3 ? true : undefined));
    expect(await tell('pause', batchId, 'the bank called')).toMatchObject({ code: 0 });
    created = await untilQuiet(batchId);
    expect(created).toBeLessThan(rows.length / 10);
    const { value } = await stack.json('status', batchId);
    expect(value['holds']).toMatchObject([{ kind: 'PAUSE', reason: 'the bank called' }]);
    expect((await stack.bursar('status', batchId)).out).toContain('the bank called');
  });

  it('is not paused twice', async () => {
    const { code, value } = await tell('pause', batchId, 'to be sure');
    expect([code, value['code']]).toEqual([2, 'ALREADY_PAUSED']);
  });

  it('goes on when it is resumed, and pays every row exactly once', async () => {
    expect(await creates(batchId)).toBe(created);
    expect(await tell('resume', batchId, 'it was nothing')).toMatchObject({ code: 0 });
    const { code } = await stack.json('watch', batchId);
    expect(code).toBe(0);
    await expectExactlyOnce(stack.sandboxUrl, join(stack.folder, 'runs', batchId), rows);
  });

  it('has nothing to pause or resume at its end', async () => {
    expect((await tell('pause', batchId, 'too late')).value['code']).toBe('BATCH_ENDED');
    expect((await tell('resume', batchId, 'too late')).value['code']).toBe('BATCH_ENDED');
  });
});

describe('a batch that is paused before its time', () => {
  it('is not paid at its time, and is when it is resumed', async () => {
    const rows = sampleRows({ rows: 1_540, currencies: ['USDT_TRC20'] }).slice(-15);
    const at = new Date(Date.now() + (await leadMsFor(stack, 3))).toISOString();
    const batchId = await begin({ rows, flags: ['--at', at] });
    expect((await tell('resume', batchId, 'not held')).value['code']).toBe('NOT_HELD');
    expect((await tell('pause', batchId, 'wait for Ann')).code).toBe(0);
    await eventually('its time has come', async () => {
      const { value } = await stack.json('status', batchId);
      return value['state'] === 'CHECKING_FUNDS' ? true : undefined;
    });
    expect(await untilQuiet(batchId)).toBe(0);
    expect((await tell('resume', batchId, 'Ann is here')).code).toBe(0);
    expect((await stack.json('watch', batchId)).code).toBe(0);
  });
});

describe('a batch that is canceled while it is paused', () => {
  it('settles the sent chunks, and the other rows are NOT_SENT', async () => {
    const rows = sampleRows({ rows: 2_600, currencies: ['USDT_TRC20'] }).slice(-1_000);
    const batchId = await begin({ rows });
    await eventually('some creates', async () => ((await creates(batchId)) > 2 ? true : undefined));
    await tell('pause', batchId, 'something is odd');
    await tell('cancel', batchId, 'the wrong month');
    const { code, value } = await stack.json('watch', batchId);
    expect([code, value['state'], value['holds']]).toEqual([12, 'CANCELED', []]);
    await expectRowsFitLedger(stack.sandboxUrl, join(stack.folder, 'runs', batchId), rows);
  });
});

describe('a batch whose failures pass its stop-loss', () => {
  it('is held until a person resumes it, and counts from there', async () => {
    const fates: TestAddressCode[] = Array.from({ length: 200 }, (_, i) =>
      i < 60 && i % 5 === 4 ? '0001' : '0000',
    );
    const rows = fatedRows(fates);
    const env = { BURSAR_BATCH_STOP_LOSS: '10%', BURSAR_BATCH_CHUNK_ROWS: '2' };
    const batchId = await begin({ rows, env });
    const held = await stack.json('watch', batchId);
    expect(held.code).toBe(14);
    expect(held.value['holds']).toMatchObject([{ kind: 'STOP_LOSS', by: 'Bursar' }]);
    const sent = await untilQuiet(batchId);
    expect(sent).toBeLessThan(100);
    let last = held;
    for (let turn = 0; turn < 40 && last.code === 14; turn += 1) {
      expect((await tell('resume', batchId, 'we know these people')).code).toBe(0);
      last = await stack.json('watch', batchId);
    }
    expect(last.code).toBe(10);
    const dir = join(stack.folder, 'runs', batchId);
    const outcomes = await expectRowsFitLedger(stack.sandboxUrl, dir, rows);
    expect(outcomes.filter((outcome) => outcome === 'FAILED')).toHaveLength(12);
  });

  it.each([
    ['10%', 20],
    ['90:USDC_ERC20', 9],
  ])(
    'loses no more than it may (%s), however many chunks could be sent at a time',
    async (stopLoss, most) => {
      // Everybody's payment fails.
      const rows = fatedRows(Array.from({ length: 200 }, (): TestAddressCode => '0001')).map(
        (row) => ({
          ...row,
          amount: '10',
        }),
      );
      const env = {
        BURSAR_BATCH_STOP_LOSS: stopLoss,
        BURSAR_BATCH_CHUNK_ROWS: '1',
        BURSAR_BATCH_CHUNKS_IN_FLIGHT: '32',
      };
      const batchId = await begin({ rows, env });
      const held = await stack.json('watch', batchId);
      expect([held.code, held.value['holds']]).toMatchObject([14, [{ kind: 'STOP_LOSS' }]]);
      // One more than may fail is enough to know; a share passes its limit earlier, while few rows are at their end.
      expect(await untilQuiet(batchId)).toBeLessThanOrEqual(most + 1);
      await tell('cancel', batchId, 'the list is wrong');
      await eventually('its end', async () =>
        (await stack.json('status', batchId)).value['state'] === 'CANCELED' ? true : undefined,
      );
    },
  );
});
