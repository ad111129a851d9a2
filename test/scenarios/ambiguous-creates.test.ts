import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ledgerWithdrawals, readReport } from '../support/oracle.ts';
import { QUICK_FENCE } from '../support/quick-fence.ts';
import { sampleRows, type SampleRow, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;
let control: ReturnType<typeof sandboxControl>;
let next = 0;

beforeAll(async () => {
  stack = await startTestStack({
    folder: sharedFolder(),
    env: { ...QUICK_FENCE, BURSAR_BATCH_CHUNK_ROWS: '10' },
  });
  control = sandboxControl(stack.sandboxUrl);
});
afterEach(() => control.clearFaults());
afterAll(() => stack.stop());

/** A file of three chunks whose rows no other test has. */
function newFile(): { file: string; batchId: string; rows: SampleRow[] } {
  next += 1;
  const rows = sampleRows({ rows: 30 * next, currencies: ['USDT_TRC20'] }).slice(-30);
  const file = join(stack.folder, `payroll ${next}.csv`);
  writeSample(file, rows);
  return { file, batchId: newBatchId(), rows };
}

const withdrawalsOf = async (batchId: string) => {
  const keys = new Set(
    readReport(join(stack.folder, 'runs', batchId)).massPayouts.map((of) => of.idempotencyKey),
  );
  return (await ledgerWithdrawals(stack.sandboxUrl)).filter((of) => keys.has(of.idempotencyKey));
};

describe('a create whose answer never came', () => {
  it.each([
    ['was accepted and the connection then cut', 'accept-then-drop'],
    ['was accepted and answered with 500', 'status-500-after'],
    ['was accepted and the answer cut short', 'truncate-body'],
    ['never arrived, because the connection was cut before', 'drop-before'],
    ['was answered with 500 before anything happened', 'status-500'],
  ])('%s: every row is paid once', async (_story, kind) => {
    const { file, batchId, rows } = newFile();
    await control.fault({ target: 'MASS_CREATE', kind, next: 2 });
    const { code, value } = await stack.json('submit', file, '--id', batchId, '--yes');
    expect([code, value['state']]).toEqual([0, 'COMPLETED']);
    expect(await control.fired()).toBe(2);
    const paid = await withdrawalsOf(batchId);
    expect(paid.map((of) => of.depositAddress).sort()).toEqual(rows.map((of) => of.address).sort());
  });
});

describe('an ambiguous create, where the settings leave the decision to a person', () => {
  const submit = (file: string, batchId: string) =>
    stack.json('submit', file, '--id', batchId, '--yes');
  const resolve = (batchId: string, ...answer: string[]) =>
    stack.bursar('resolve', batchId, '0', ...answer, '--reason', 'looked in the interface');

  beforeAll(async () => {
    await stack.stopOne('worker');
    Object.assign(stack.env, { BURSAR_API_RESEND: 'operator' });
    await stack.start('worker');
  });

  async function inDoubt() {
    const made = newFile();
    await control.fault({ target: 'MASS_CREATE', kind: 'drop-before', next: 1 });
    const { code, value } = await submit(made.file, made.batchId);
    expect(code).toBe(14);
    expect(value).toMatchObject({ needsOperator: [{ chunk: 0, reason: 'RESEND_BY_OPERATOR' }] });
    return made;
  }

  it('goes on after "not-created", and pays every row once', async () => {
    const { file, batchId, rows } = await inDoubt();
    expect((await stack.bursar('status', batchId)).out).toContain('not-created --attempts 1');
    expect((await resolve(batchId, 'not-created', '--attempts', '1')).code).toBe(0);
    const { code, value } = await submit(file, batchId);
    expect([code, value['rows']]).toEqual([0, expect.objectContaining({ paid: 30, total: 30 })]);
    expect(await withdrawalsOf(batchId)).toHaveLength(rows.length);
  });

  it('goes on waiting after "not-created" from a person who checked before the last attempt', async () => {
    const { batchId } = await inDoubt();
    const { code, err } = await resolve(batchId, 'not-created', '--attempts', '0');
    expect([code, err]).toEqual([2, expect.stringContaining('CHUNK_SENT_SINCE')]);
    const { value } = await stack.json('status', batchId);
    expect(value['needsOperator']).toMatchObject([{ chunk: 0 }]);
    expect((await resolve(batchId, 'abandon')).code).toBe(0);
  });

  it('is UNKNOWN after "abandon": in investigate.csv and never in resend.csv', async () => {
    const { file, batchId } = await inDoubt();
    expect((await resolve(batchId, 'abandon')).code).toBe(0);
    const { code, value } = await submit(file, batchId);
    expect(code).toBe(10);
    expect(value['rows']).toMatchObject({ unknown: 10, notSent: 20, paid: 0, failed: 0 });
  });

  it('adopts neither an unknown mass payout nor that of another batch, and waits on', async () => {
    const paid = newFile();
    expect((await submit(paid.file, paid.batchId)).code).toBe(0);
    const [other] = readReport(join(stack.folder, 'runs', paid.batchId)).massPayouts;
    const { batchId } = await inDoubt();
    for (const [id, why] of [
      ['there-is-no-such-id', 'the service does not know it'],
      [other?.massPayoutId ?? '', 'externalId is'],
    ] as const) {
      const { code, err } = await resolve(batchId, 'adopt', id);
      expect([code, err]).toEqual([2, expect.stringContaining('ADOPT_DIFFERS')]);
      expect(err).toContain(why);
    }
    const { value } = await stack.json('status', batchId);
    expect(value['needsOperator']).toMatchObject([{ chunk: 0 }]);
    expect((await resolve(batchId, 'abandon')).code).toBe(0);
  });

  it('refuses an answer for a chunk that waits for none', async () => {
    const { batchId } = await inDoubt();
    const { code, err } = await stack.bursar(
      ...['resolve', batchId, '2', 'not-created', '--reason', 'a slip'],
    );
    expect(code).toBe(2);
    expect(err).toContain('CHUNK_NOT_WAITING');
    expect((await resolve(batchId, 'abandon')).code).toBe(0);
  });
});
