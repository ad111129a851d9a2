import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { eventually } from '../support/eventually.ts';
import { fatedRowMaker } from '../support/fated-rows.ts';
import { ledgerWithdrawals, readPlainCsv, readReport, requestCount } from '../support/oracle.ts';
import { type Person, personAtAdminApi } from '../support/person.ts';
import { sandboxAdmin } from '../support/sandbox-admin.ts';
import { type SampleRow, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const CHUNK_ROWS = 3;
const PAID: TestAddressCode[] = ['0000', '0000', '0000'];

let stack: TestStack;
let person: Person;
const newRows = fatedRowMaker();

beforeAll(async () => {
  stack = await startTestStack({
    folder: sharedFolder(),
    env: { BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS) },
  });
  person = personAtAdminApi(stack.sandboxUrl);
  await sandboxControl(stack.sandboxUrl).demandConfirmations(1);
});
afterAll(() => stack.stop());

type Shown = Readonly<{ id: string; externalId: string; state: string }>;

/** Waits until the mass payout of a chunk is in a state; answers with its id. */
const massPayout = (batchId: string, chunk: number, state: string): Promise<string> =>
  eventually(`chunk ${chunk} of ${batchId} is ${state}`, async () => {
    const { massPayouts } = (await sandboxAdmin(stack.sandboxUrl).get(
      'mass-payouts?limit=1000',
    )) as {
      massPayouts: Shown[];
    };
    const found = massPayouts.find(({ externalId }) =>
      externalId.startsWith(`${batchId}/${chunk}/`),
    );
    return found?.state === state ? found.id : undefined;
  });

/** Sends chosen withdrawals again in the interface of the service, and waits until they are paid. */
async function sendAgain(
  batchId: string,
  positions: readonly number[],
  state: string,
): Promise<void> {
  const id = await massPayout(batchId, 0, 'PARTIAL');
  await sandboxAdmin(stack.sandboxUrl).post('mass-payouts/resend', { id, positions });
  await massPayout(batchId, 0, state);
}

const dirOf = (batchId: string): string => join(stack.folder, 'runs', batchId);
const resendList = (batchId: string): string[] =>
  existsSync(join(dirOf(batchId), 'resend.csv'))
    ? readPlainCsv(join(dirOf(batchId), 'resend.csv')).map(([address = '']) => address)
    : [];

const watch = (batchId: string) => stack.json('watch', batchId);

/** Pays a batch whose first chunk ends PARTIAL with two rows failed, and whose second, if any, is declined. */
async function partial(
  rows: readonly SampleRow[],
  env: Record<string, string> = {},
): Promise<string> {
  const batchId = newBatchId();
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, rows);
  const submit = ['submit', file, '--id', batchId, '--yes', '--detach'];
  expect((await stack.bursarWith(env, ...submit)).code).toBe(8);
  await person.confirm(await massPayout(batchId, 0, 'PENDING_CONFIRMATION'));
  if (rows.length > CHUNK_ROWS) {
    await person.decline(await massPayout(batchId, 1, 'PENDING_CONFIRMATION'));
  }
  expect((await watch(batchId)).value['state']).toBe('PARTIAL');
  return batchId;
}

const resend = (batchId: string, ...flags: string[]) =>
  stack.json('resend', batchId, '--confirm-not-paid-elsewhere', '--yes', ...flags);

/** How often each row was paid, by the ledger of the sandbox alone. */
async function timesPaid(rows: readonly SampleRow[]): Promise<number[]> {
  const ledger = await ledgerWithdrawals(stack.sandboxUrl);
  return rows.map(
    ({ address, amount }) =>
      ledger.filter(
        (one) =>
          one.depositAddress === address && one.amount === amount && one.state === 'COMPLETED',
      ).length,
  );
}

describe('the failed rows of a batch are paid in the end', () => {
  const rows = newRows(['0000', '0001', '0002', ...PAID]);
  const addresses = (...numbers: readonly number[]) => numbers.map((row) => rows[row - 2]?.address);
  let batchId: string;

  it('rows that a person sends again after the report are noticed: the resend list shrinks in a new version', async () => {
    batchId = await partial(rows);
    expect(resendList(batchId)).toEqual(addresses(3, 4, 5, 6, 7));
    expect((await stack.bursar('report', batchId, '--refresh')).code).toBe(0);
    await sendAgain(batchId, [2], 'PARTIAL');
    await eventually('the report says so', () =>
      readReport(dirOf(batchId)).rows.paid === 2 ? true : undefined,
    );
    expect(resendList(batchId)).toEqual(addresses(4, 5, 6, 7));
    const { revision } = readReport(dirOf(batchId));
    expect(revision.version).toBeGreaterThan(1);
    expect(resendList(join(batchId, 'versions', '1'))).toEqual(addresses(3, 4, 5, 6, 7));
  });

  it('the rest is resent by the engine, and paid exactly once', async () => {
    const child = `${batchId}-r1`;
    const { code } = await resend(batchId, '--detach');
    expect(code).toBe(8);
    await person.confirm(await massPayout(child, 0, 'PENDING_CONFIRMATION'));
    await person.confirm(await massPayout(child, 1, 'PENDING_CONFIRMATION'));
    const { value } = await watch(child);
    expect(value).toMatchObject({
      state: 'PARTIAL',
      parentBatchId: batchId,
      generation: 1,
      rows: { total: 4, paid: 3, failed: 1 },
    });
    expect(resendList(batchId)).toEqual([]);
    expect(resendList(child)).toEqual(addresses(4));
    expect(await timesPaid(rows)).toEqual([1, 1, 0, 1, 1, 1]);
  });

  it('explain shows the history of a row over both batches', async () => {
    const { value } = await stack.json('explain', batchId, '5');
    expect(value).toMatchObject({
      standing: 'PAID',
      lineage: [
        { batchId, outcome: 'NOT_SENT', reason: 'canceled by the merchant' },
        { batchId: `${batchId}-r1`, outcome: 'PAID' },
      ],
    });
    const { out } = await stack.bursar('explain', `${batchId}-r1`, '5');
    expect(out).toContain(`in ${batchId}-r1`);
    expect(out).toContain('paid once');
    expect((await stack.json('status', batchId)).value['childBatchId']).toBe(`${batchId}-r1`);
  });

  it('a row that was sent again in the oldest batch is in no resend any more', async () => {
    await sendAgain(batchId, [3], 'COMPLETED');
    await eventually('the report says so', () =>
      readReport(dirOf(batchId)).rows.paid === 3 ? true : undefined,
    );
    const { code, value } = await resend(`${batchId}-r1`);
    expect([code, value['code']]).toEqual([2, 'RESEND_NOTHING']);
    expect(await timesPaid(rows)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

it('rows that were sent again in the interface between their choice and their send are refused, and nothing is sent', async () => {
  const rows = newRows(['0000', '0001', '0002']);
  // After its end nobody looks at it in the time of this test.
  const batchId = await partial(rows, { BURSAR_POLL_MAX_MS: '300000' });
  await stack.stopOne('bridge');
  await sendAgain(batchId, [2], 'PARTIAL');
  // No webhook came, and nobody has looked: the store believes what the report says.
  expect(resendList(batchId)).toHaveLength(2);
  const creates = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
  const refused = await resend(batchId);
  expect([refused.code, refused.value['state']]).toEqual([13, 'REJECTED']);
  expect(refused.value['error']).toMatchObject({ code: 'RESEND_OUTDATED' });
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates);
  expect(readReport(dirOf(batchId))).toMatchObject({
    rows: { paid: 2, failed: 1 },
    revision: { version: 2 },
  });
  expect(resendList(batchId)).toEqual([rows[2]?.address]);

  const next = await resend(`${batchId}-r1`, '--detach');
  expect([next.code, next.value['batchId']]).toEqual([8, `${batchId}-r2`]);
  await person.confirm(await massPayout(`${batchId}-r2`, 0, 'PENDING_CONFIRMATION'));
  expect((await watch(`${batchId}-r2`)).value).toMatchObject({
    state: 'FAILED',
    rows: { total: 1, failed: 1 },
  });
  expect(await timesPaid(rows)).toEqual([1, 1, 0]);
  await stack.start('bridge');
});

it('of two resends of one batch at once exactly one is paid', async () => {
  const rows = newRows(['0000', '0001', '0002', ...PAID]);
  const batchId = await partial(rows);
  const before = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
  const ids = [`${batchId}-a`, `${batchId}-b`];
  await Promise.all(ids.map((id) => resend(batchId, '--id', id, '--detach')));
  const winner = await eventually('one of them has begun', async () => {
    const states = await Promise.all(ids.map(async (id) => (await stack.json('status', id)).value));
    return states.find(({ digest }) => digest !== null && digest !== undefined)?.['batchId'];
  });
  const [loser = ''] = ids.filter((id) => id !== winner);
  for (const chunk of [0, 1]) {
    await person.confirm(await massPayout(String(winner), chunk, 'PENDING_CONFIRMATION'));
  }
  expect((await watch(String(winner))).value).toMatchObject({
    rows: { total: 5, paid: 3, failed: 2 },
  });
  const lost = (await stack.json('status', loser)).value;
  // It was refused by the command, or by the worker: in neither case anything of it was made.
  expect(['RESEND_EXISTS', 'BATCH_NOT_FOUND']).toContain(
    (lost['error'] as { code?: string } | undefined)?.code ?? lost['code'],
  );
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(before + 2);
  expect(await timesPaid(rows)).toEqual([1, 0, 0, 1, 1, 1]);
});

it('a batch of which all was sent again in the interface is COMPLETED after all, and nothing of it can be resent', async () => {
  const rows = newRows(['0000', '0001', '0002']);
  const batchId = await partial(rows);
  await person.resend(await massPayout(batchId, 0, 'PARTIAL'));
  const report = await eventually('the report says so', () => {
    const now = readReport(dirOf(batchId));
    return now.rows.paid === 3 ? now : undefined;
  });
  expect(report.state).toBe('COMPLETED');
  expect(report.revision.version).toBeGreaterThan(1);
  expect(resendList(batchId)).toEqual([]);
  // The state is stored once the report is whole.
  await eventually('the batch is completed', async () => {
    const { value } = await stack.json('status', batchId);
    return value['state'] === 'COMPLETED' ? true : undefined;
  });
  const { code, value } = await resend(batchId);
  expect([code, value['code']]).toEqual([2, 'RESEND_NOTHING']);
  expect(await timesPaid(rows)).toEqual([1, 1, 1]);
});
