import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '../support/free-port.ts';
import { ledgerWithdrawals } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;
let next = 0;

beforeAll(async () => {
  stack = await startTestStack({
    folder: sharedFolder(),
    env: { BURSAR_SANDBOX_BALANCES: JSON.stringify({ USDT_TRC20: '5000' }) },
  });
});
afterAll(() => stack.stop());

/** A file of which no row is in any other one of these tests. */
function newFile(rows = 5): string {
  next += 1;
  const path = join(stack.folder, `payroll ${next}.csv`);
  writeSample(path, sampleRows({ rows, from: next * 10_000, currencies: ['USDT_TRC20'] }));
  return path;
}

const paidRows = async (): Promise<number> => (await ledgerWithdrawals(stack.sandboxUrl)).length;

type Refusal = Readonly<{
  code: number;
  name: string;
  env?: () => Promise<Record<string, string>>;
}>;

const secretFile = (text: string): string => {
  const path = join(stack.folder, `secret-${text}`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};

const SETTINGS: readonly [string, Refusal][] = [
  [
    'a wrong key',
    { code: 4, name: 'SERVICE_REFUSED_KEY', env: async () => ({ BURSAR_API_KEY: 'another' }) },
  ],
  [
    'a wrong secret',
    {
      code: 4,
      name: 'SERVICE_REFUSED_KEY',
      env: async () => ({ BURSAR_API_SECRET_FILE: secretFile('wrong') }),
    },
  ],
  [
    'a service that is down',
    {
      code: 6,
      name: 'SERVICE_UNREACHABLE',
      env: async () => ({ BURSAR_API_BASE_URL: `http://127.0.0.1:${await freePort()}` }),
    },
  ],
  [
    'a Temporal that is down',
    {
      code: 6,
      name: 'TEMPORAL_UNREACHABLE',
      env: async () => ({ TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` }),
    },
  ],
];

describe('nothing is sent and nothing is lost', () => {
  it.each(SETTINGS)('with %s', async (_what, { code, name, env }) => {
    const before = await paidRows();
    const file = newFile();
    const ended = await stack.bursarWith((await env?.()) ?? {}, 'submit', file, '--yes');
    expect([ended.code, ended.err.includes(name)]).toEqual([code, true]);
    expect(ended.err).toMatch(/Fix:/);
    expect(await paidRows()).toBe(before);
    expect((await stack.bursar('submit', file, '--yes')).code).toBe(0);
  });

  it('when the account holds too little: the batch fails, shows the missing amount, and can be submitted again', async () => {
    const before = await paidRows();
    const file = newFile(2_000);
    const { code, value } = await stack.json('submit', file, '--yes');
    expect([code, value['state']]).toEqual([11, 'FAILED']);
    expect(value['error']).toMatchObject({ code: 'FUNDS_TOO_LOW' });
    expect(value['rows']).toMatchObject({ notSent: 2_000, paid: 0 });
    expect(await paidRows()).toBe(before);
  });

  it('while a batch waits for a top-up, and is paid once it comes', async () => {
    const file = newFile(2_000);
    const batchId = newBatchId();
    const started = await stack.bursar(
      ...['submit', file, '--id', batchId, '--yes', '--funds', 'wait:5m', '--detach'],
    );
    expect(started.code).toBe(8);
    await sandboxControl(stack.sandboxUrl).topUp('USDT_TRC20', '20000');
    const { code, value } = await stack.json('watch', batchId);
    expect([code, value['state']]).toEqual([0, 'COMPLETED']);
  });
});

describe('the same file again', () => {
  it('under another id is refused and names the earlier batch; under the same id it is followed', async () => {
    const file = newFile();
    const batchId = newBatchId();
    expect((await stack.bursar('submit', file, '--id', batchId, '--yes')).code).toBe(0);
    const before = await paidRows();
    const again = await stack.bursar('submit', file, '--id', newBatchId(), '--yes');
    expect(again.code).toBe(13);
    expect(again.err).toContain('SAME_FILE_AGAIN');
    expect(again.err).toContain(batchId);
    const same = await stack.bursar('submit', file, '--id', batchId, '--yes');
    expect(same.code).toBe(0);
    expect(await paidRows()).toBe(before);
  });

  it('is paid a second time when a person accepts that', async () => {
    const file = newFile();
    await stack.bursar('submit', file, '--id', newBatchId(), '--yes');
    const before = await paidRows();
    const { code } = await stack.bursar(
      ...['submit', file, '--id', newBatchId(), '--yes', '--accept', 'SAME_FILE_AGAIN'],
    );
    expect([code, await paidRows()]).toEqual([0, before + 5]);
  });

  it('under an id of another file is refused', async () => {
    const batchId = newBatchId();
    await stack.bursar('submit', newFile(), '--id', batchId, '--yes');
    const before = await paidRows();
    const { code, err } = await stack.bursar('submit', newFile(), '--id', batchId, '--yes');
    expect([code, err.includes('BATCH_ID_TAKEN')]).toEqual([2, true]);
    expect(await paidRows()).toBe(before);
  });
});

describe('a file with wrong rows', () => {
  const header = 'address,amount,currency';
  const [first, second] = sampleRows({ rows: 2, currencies: ['USDT_TRC20'] });
  const line = (address: string | undefined, amount: string) => `${address},${amount},USDT_TRC20`;

  it('is refused as a whole, with every reason in nack.csv', async () => {
    const file = join(stack.folder, 'wrong.csv');
    writeFileSync(
      file,
      [header, line(first?.address, '1e3'), line('nowhere', '7.77'), ''].join('\n'),
    );
    const before = await paidRows();
    const batchId = newBatchId();
    const { code, err } = await stack.bursar('submit', file, '--id', batchId, '--yes');
    expect(code).toBe(13);
    expect(err).toContain('AMOUNT_NOT_DECIMAL');
    expect(err).toContain('ADDRESS_INVALID');
    expect(existsSync(join(stack.folder, 'runs', batchId, 'nack.csv'))).toBe(true);
    expect(await paidRows()).toBe(before);
  });

  it('is paid without them on demand, and they count as not sent', async () => {
    const file = join(stack.folder, 'half wrong.csv');
    writeFileSync(
      file,
      [header, line(first?.address, '0'), line(second?.address, '8.88'), ''].join('\n'),
    );
    const { code, value } = await stack.json(
      ...['submit', file, '--id', newBatchId(), '--yes', '--skip-invalid'],
    );
    expect([code, value['state']]).toEqual([10, 'PARTIAL']);
    expect(value['rows']).toMatchObject({ total: 2, paid: 1, notSent: 1 });
  });

  it('that stand twice need the acceptance of a person', async () => {
    const file = join(stack.folder, 'twice.csv');
    writeFileSync(
      file,
      [header, line(second?.address, '9.99'), line(second?.address, '9.990'), ''].join('\n'),
    );
    const refused = await stack.bursar('submit', file, '--yes');
    expect([refused.code, refused.err.includes('DUPLICATE_ROW')]).toEqual([13, true]);
    const accepted = await stack.bursar('submit', file, '--yes', '--accept', 'DUPLICATE_ROW');
    expect(accepted.code).toBe(0);
  });
});

// The race is between two workflows and the tasks of a real worker, so a server is needed.
it('of two batches with the same rows that are submitted at once, the one that is planned first pays, and the other names it', async () => {
  const before = await paidRows();
  const [one, two] = [newFile(), newFile()];
  const text = readFileSync(one, 'utf8').trimEnd().split('\n');
  // The same rows in another order: the id of neither stands for the file of the other.
  writeFileSync(two, `${[text[0], ...text.slice(1).reverse()].join('\n')}\n`);
  const ids = [newBatchId(), newBatchId()] as const;
  // Both are begun before a worker plans either.
  await stack.stopOne('worker');
  for (const [i, file] of [one, two].entries()) {
    const id = ids[i] ?? '';
    const { code } = await stack.bursar('submit', file, '--id', id, '--yes', '--detach');
    expect(code).toBe(8);
  }
  await stack.start('worker');
  const ended = await Promise.all(ids.map((id) => stack.json('watch', id)));
  expect(ended.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 13]);
  const winner = ended[0]?.code === 0 ? ids[0] : ids[1];
  const loser = ended.find(({ code }) => code === 13)?.value;
  expect(loser).toMatchObject({ state: 'REJECTED', error: { code: 'SAME_FILE_AGAIN' } });
  expect(JSON.stringify(loser?.['error'])).toContain(winner);
  expect(await paidRows()).toBe(before + 5);
});
