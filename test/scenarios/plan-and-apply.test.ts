import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { ledgerWithdrawals, readReport } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const ROWS = 5;

let stack: TestStack;
let next = 0;

beforeAll(async () => {
  stack = await startTestStack({ folder: sharedFolder() });
});
afterAll(() => stack.stop());

/** A file of its own, and its plan, made with the settings that are given. */
async function planned(env: Record<string, string> = {}) {
  next += 1;
  const batchId = newBatchId();
  const [file, plan] = [`${batchId}.csv`, `${batchId}.json`].map((name) =>
    join(stack.folder, name),
  );
  if (file === undefined || plan === undefined) throw new Error('there are no names');
  const rows = sampleRows({ rows: (next + 1) * ROWS }).slice(-ROWS);
  writeSample(file, rows);
  const flags = ['--id', batchId, '--out', plan, '--stop-loss', '50%'];
  expect(await stack.bursarWith(env, 'plan', file, ...flags)).toMatchObject({ code: 0 });
  const { digest } = JSON.parse(readFileSync(plan, 'utf8')) as { digest: string };
  return { batchId, file, plan, rows, digest };
}

const paidRows = async (): Promise<number> => (await ledgerWithdrawals(stack.sandboxUrl)).length;

describe('a plan', () => {
  it('is carried out as planned: every row is paid once, under its digest, and the same command again pays nothing', async () => {
    const { batchId, plan, rows, digest } = await planned();
    const { code, value } = await stack.json('submit', '--plan', plan, '--yes');
    expect([code, value]).toMatchObject([0, { batchId, digest, state: 'COMPLETED' }]);
    const dir = join(stack.folder, 'runs', batchId);
    await expectExactlyOnce(stack.sandboxUrl, dir, rows);
    expect(readReport(dir).digest).toBe(digest);
    const before = await paidRows();
    const again = await stack.json('submit', '--plan', plan, '--yes');
    expect([again.code, again.value]).toMatchObject([0, { digest, state: 'COMPLETED' }]);
    expect(await paidRows()).toBe(before);
  });

  it.each<{
    what: string;
    change: (made: Awaited<ReturnType<typeof planned>>) => Record<string, string>;
    code: string;
    says: string;
  }>`
    what                   | change                                                                          | code                  | says
    ${'a changed file'}    | ${({ file }: { file: string }) => replace(file, ',', '9,')}                     | ${'PLAN_CHANGED'}     | ${'the file '}
    ${'a changed setting'} | ${() => ({ BURSAR_LIMITS_ROW: '1000000:USDT_TRC20' })}                          | ${'PLAN_CHANGED'}     | ${'the limits: "No limits."'}
    ${'another account'}   | ${() => ({ BURSAR_API_ACCOUNT: '0x5a4db0c500000000000000000000000000000002' })} | ${'PLAN_CHANGED'}     | ${'the account 0x'}
    ${'an edited plan'}    | ${({ plan }: { plan: string }) => replace(plan, '"total": 5', '"total": 6')}    | ${'PLAN_FILE_EDITED'} | ${'rows.total is 6 and was 5'}
    ${'an edited choice'}  | ${({ plan }: { plan: string }) => replace(plan, '"50%"', '"99%"')}              | ${'PLAN_FILE_EDITED'} | ${'the choices'}
  `('with $what is refused, and nothing is started', async ({ change, code, says }) => {
    const made = await planned();
    const before = await paidRows();
    const refused = await stack.bursarWith(change(made), 'submit', '--plan', made.plan, '--yes');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(code)]);
    expect(refused.err).toContain(says);
    expect((await stack.bursar('status', made.batchId)).code).toBe(5);
    expect(await paidRows()).toBe(before);
  });

  it('that was made by other rules than those of the worker is refused by the worker, which names them', async () => {
    const before = await paidRows();
    const mine = { BURSAR_FINDINGS_HISTORY_DAYS: '30', BURSAR_LIMITS_DAY: '9:BTC' };
    const { batchId, plan } = await planned(mine);
    const { code, out } = await stack.bursarWith(mine, 'submit', '--plan', plan, '--yes');
    expect([code, out]).toEqual([2, expect.stringContaining('PLAN_CHANGED')]);
    expect(out).toContain('Changed: the rules for findings, the limits.');
    const { value } = await stack.json('status', batchId);
    expect(value).toMatchObject({ state: 'REJECTED', rows: { paid: 0, notSent: ROWS } });
    expect(await paidRows()).toBe(before);
  });
});

describe('a wallet of the account', () => {
  /** Makes a wallet, and a file that pays it; the command line has this environment. */
  async function fileThatPaysOwnWallet(env: Record<string, string> = {}): Promise<string> {
    const args = ['api', 'create-wallet', '--name', 'Payroll', '--blockchain', 'TRON'];
    const { out } = await stack.bursarWith(env, ...args, '-o', 'json');
    const { address } = JSON.parse(out) as { address: string };
    const file = join(stack.folder, `${address}.csv`);
    writeFileSync(file, `address,amount,currency\n${address},1,USDT_TRC20\n`);
    return file;
  }

  it('is found by the worker that plans, even when it is new', async () => {
    const elsewhere = { BURSAR_STORE_URL: `sqlite:${join(stack.folder, 'elsewhere.db')}` };
    const file = await fileThatPaysOwnWallet(elsewhere);
    const before = await paidRows();
    const { code, out } = await stack.bursar('submit', file, '--yes', '--no-preflight');
    expect([code, out]).toEqual([13, expect.stringContaining('were not accepted: OWN_ADDRESS')]);
    expect(await paidRows()).toBe(before);
  });

  it('is stored at once where it was made with this command line', async () => {
    const { code, out } = await stack.bursar('plan', await fileThatPaysOwnWallet());
    expect([code, out]).toEqual([13, expect.stringContaining('OWN_ADDRESS (must be accepted)')]);
  });
});

describe('a file that states its totals', () => {
  it('is paid when they hold, with rows numbered as an editor shows them', async () => {
    const { file, batchId } = await planned();
    const { value: view } = await stack.json('plan', file, '--no-out');
    const totals = (view['currencies'] as { currency: string; total: string }[])
      .map(({ currency, total }) => `total=${total}:${currency}`)
      .join(' ');
    writeFileSync(file, `# rows=${ROWS} ${totals}\n${readFileSync(file, 'utf8')}`);
    const { code, value } = await stack.json('submit', file, '--id', batchId, '--yes');
    expect([code, value]).toMatchObject([0, { rows: { paid: ROWS } }]);
    const rows = await stack.bursar('rows', batchId, '-o', 'jsonl');
    const numbers = rows.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { row: number }).row);
    expect([...numbers].sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7]);
  });

  it('is refused when it was cut', async () => {
    const { file, batchId } = await planned();
    writeFileSync(file, `# rows=${ROWS + 1}\n${readFileSync(file, 'utf8')}`);
    const { code, err } = await stack.bursar('submit', file, '--id', batchId, '--yes');
    expect([code, err]).toEqual([13, expect.stringContaining('By its control line it has 6')]);
  });
});

/** Replaces the last one of a text in a file; with no other settings. */
function replace(path: string, from: string, to: string): Record<string, string> {
  const text = readFileSync(path, 'utf8');
  const at = text.lastIndexOf(from);
  expect(at).toBeGreaterThan(-1);
  writeFileSync(path, `${text.slice(0, at)}${to}${text.slice(at + from.length)}`);
  return {};
}
