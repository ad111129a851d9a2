import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FakeWorld, fakeWorld } from './support/fake-world.ts';
import { address } from './support/files.ts';
import { inStore } from './support/in-store.ts';
import { payrollWorld } from './support/payroll-world.ts';

const ANN = address(1);
const BOB = address(2);
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const BOTH = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';

function world(text = ''): FakeWorld {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'payees.csv'), text);
  return fakeWorld({ cwd });
}

const table = (...rows: string[]): string =>
  ['address,currency,name,labels', ...rows, ''].join('\n');

type Listed = { name: string; status: string; address: string; network: string };

async function listed(made: FakeWorld, ...more: string[]): Promise<Listed[]> {
  const { value } = await made.json('payees', 'list', ...more);
  return value['payees'] as Listed[];
}

describe('bursar payees import', () => {
  it('adds each payee once, and changes nothing the second time', async () => {
    const made = world(table(`${ANN},USDT_TRC20,Ann,staff berlin`, `${EVM},eth,"Müller, Bob",`));
    const first = await made.json('payees', 'import', 'payees.csv');
    expect(first.value).toMatchObject({ rows: 2, changed: 2, stillDenied: 0 });
    const again = await made.json('payees', 'import', 'payees.csv');
    expect(again.value).toMatchObject({ rows: 2, changed: 0 });
    expect(await listed(made)).toMatchObject([
      { name: 'Müller, Bob', network: 'evm', address: EVM },
      { name: 'Ann', network: 'tron', labels: ['berlin', 'staff'], status: 'LISTED' },
    ]);
  });

  it('takes a file as a spreadsheet writes it', async () => {
    const made = world(`\ufeffAddress;Network;Name\r\n${ANN};TRC20;Ann\r\n;;\r\n`);
    expect((await made.run('payees', 'import', 'payees.csv')).code).toBe(0);
    expect(await listed(made)).toMatchObject([{ name: 'Ann' }]);
  });

  it('keeps where a payee receives notices, and an export has it', async () => {
    const file = `address,currency,email\n${ANN},TRX,ann@pay.example\n`;
    const made = world(file);
    await made.run('payees', 'import', 'payees.csv');
    expect(await listed(made)).toMatchObject([{ email: 'ann@pay.example' }]);
    const [title, line] = (await made.run('payees', 'export')).out.split('\n');
    expect([title?.split(',').at(-1), line?.split(',').at(-1)]).toEqual([
      'email',
      'ann@pay.example',
    ]);
    expect((await made.json('payees', 'email', ANN, '')).value).toMatchObject({ email: null });
  });

  it.each([
    'ann',
    'a@b',
    'Ann <a@b.example>',
    'a@b.example,c@d.example',
    '=a@b.example',
    '"a b"@c.example',
  ])('refuses %s as an e-mail address', async (email) => {
    const made = world(table(`${ANN},TRX,Ann,`));
    await made.run('payees', 'import', 'payees.csv');
    const { code, err } = await made.run('payees', 'email', ANN, email);
    expect([code, err]).toEqual([2, expect.stringContaining('is no plain address')]);
  });

  it('keeps a denied payee denied, and counts it', async () => {
    const made = world(table(`${ANN},USDT_TRC20,Ann,`));
    await made.run('payees', 'deny', ANN, '--reason', 'fraud');
    const { value } = await made.json('payees', 'import', 'payees.csv');
    expect(value).toMatchObject({ rows: 1, changed: 1, stillDenied: 1 });
    expect(await listed(made)).toMatchObject([{ name: 'Ann', status: 'DENIED' }]);
  });

  it.each([
    ['a name that drives the terminal', `${ANN},TRX,Ann\u001b[2J,`, 'cannot be seen'],
    ['a name that is a formula', `${ANN},TRX,=1+1,`, 'starts as a formula'],
    ['a label that is a formula', `${ANN},TRX,Ann,+x`, 'a label is not'],
    ['an address of another network', `${ANN},BTC,Ann,`, 'is no address of BTC'],
    ['a network that is none', `${ANN},no net,Ann,`, 'is no currency and no network'],
    ['a payee that stands twice', `${BOB},TRX,Bob,`, 'its address is in line 2'],
    ['a row with too many cells', `${ANN},TRX,Ann,x,y`, 'it has 5 cells'],
    ['a quote that stays open', `${ANN},TRX,"Ann,`, 'its quotes do not close'],
  ])('refuses the whole file for %s', async (_, row, problem) => {
    const made = world(table(`${BOB},USDT_TRC20,Bob,`, row));
    const { code, err } = await made.run('payees', 'import', 'payees.csv');
    expect([code, err]).toEqual([13, expect.stringContaining(`line 3`)]);
    expect(err).toContain(problem);
    expect(await listed(made)).toEqual([]);
  });

  it.each([
    ['an unknown column', 'address,currency,nmae', 'there is no column "nmae"'],
    ['no address', 'currency,name', 'the column "address" is missing'],
    ['no network', 'address,name', 'needs one of the columns'],
    ['a column twice', 'address,currency,name,name', 'a column stands twice'],
  ])('refuses a header with %s', async (_, header, problem) => {
    const { code, err } = await world(`${header}\n`).run('payees', 'import', 'payees.csv');
    expect([code, err]).toEqual([13, expect.stringContaining(problem)]);
  });
});

describe('bursar payees export', () => {
  it('prints a file that import reads, with denials', async () => {
    const made = world(table(`${ANN},USDT_TRC20,Ann,staff`, `${EVM},ETH,"Müller, ""Bob""",`));
    await made.run('payees', 'import', 'payees.csv');
    await made.run('payees', 'deny', ANN, '--reason', 'fraud');
    const { out } = await made.run('payees', 'export');
    const other = world(out);
    expect((await other.run('payees', 'import', 'payees.csv')).code).toBe(0);
    expect(await listed(other)).toMatchObject([
      { name: 'Müller, "Bob"', address: EVM },
      { name: 'Ann', status: 'DENIED', labels: ['staff'], reason: 'fraud' },
    ]);
  });

  it('writes no cell that a spreadsheet runs', async () => {
    const made = world();
    for (const [index, start] of ['=', '+', '-', '@'].entries()) {
      await made.run('payees', 'deny', address(index), `--reason=${start}HYPERLINK("x")`);
    }
    const { out } = await made.run('payees', 'export');
    expect(out.match(/,"?'[=+\-@]/g)).toHaveLength(4);
    expect(out).not.toMatch(/,"?[=+\-@]/);
  });
});

describe('bursar payees allow and deny', () => {
  it('add a payee with who decided and why, and the log has no address', async () => {
    const made = world();
    const denied = await made.json('payees', 'deny', ANN, '--reason', 'fraud');
    expect(denied.value).toMatchObject({
      ...{ schema: 'bursar.payee/v1', status: 'DENIED', decidedBy: 'alice', reason: 'fraud' },
      decidedAt: '2026-11-21T09:00:00.000Z',
    });
    await made.run('payees', 'allow', ANN, '--reason', 'called them');
    expect(await listed(made)).toMatchObject([{ status: 'ALLOWED' }]);
    const { out } = await made.run('audit', '-o', 'json');
    const id = String(denied.value['id']);
    expect(out.split(id).length - 1).toBe(2);
    expect(out).not.toContain(ANN);
  });

  it('need the currency where an address exists on several networks', async () => {
    const made = world();
    const { code, err } = await made.run('payees', 'deny', BOTH, '--reason', 'fraud');
    expect([code, err]).toEqual([2, expect.stringContaining('--currency')]);
    await made.run('payees', 'deny', BOTH, '--currency', 'BTC', '--reason', 'fraud');
    expect(await listed(made)).toMatchObject([{ network: 'bitcoin', status: 'DENIED' }]);
  });

  it('refuse an address that is none, and a missing reason', async () => {
    expect((await world().run('payees', 'deny', 'x', '--reason', 'fraud')).code).toBe(2);
    expect((await world().run('payees', 'deny', ANN, '--reason', ' ')).code).toBe(2);
    expect((await world().run('payees', 'deny', ANN)).code).toBe(2);
  });
});

describe('bursar payees name and label', () => {
  it('describe a payee of the register, in either spelling of the address', async () => {
    const made = world();
    await made.run('payees', 'allow', EVM, '--reason', 'new');
    await made.run('payees', 'name', EVM.toLowerCase(), 'Ann');
    await made.run('payees', 'label', EVM, 'staff', 'berlin');
    expect(await listed(made)).toMatchObject([
      { name: 'Ann', labels: ['berlin', 'staff'], status: 'ALLOWED' },
    ]);
    await made.run('payees', 'label', EVM);
    expect(await listed(made)).toMatchObject([{ name: 'Ann', labels: [] }]);
  });

  it('add no payee, and refuse a hostile name', async () => {
    const made = world();
    expect((await made.run('payees', 'name', ANN, 'Ann')).code).toBe(5);
    await made.run('payees', 'allow', ANN, '--reason', 'new');
    expect((await made.run('payees', 'name', ANN, 'A\u202enn')).code).toBe(2);
    expect((await made.run('payees', 'label', ANN, '--', '=x')).code).toBe(2);
  });
});

it('bursar payees list finds a part of address, name or label', async () => {
  const made = world(table(`${ANN},USDT_TRC20,Ann,staff`, `${BOB},USDT_TRC20,Bob,`));
  await made.run('payees', 'import', 'payees.csv');
  expect(await listed(made, '--search', 'STAFF')).toMatchObject([{ name: 'Ann' }]);
  expect(await listed(made, '--search', BOB.slice(-6))).toMatchObject([{ name: 'Bob' }]);
  expect(await listed(made, '--search', 'nobody')).toEqual([]);
});

describe('bursar payees show', () => {
  it('shows the first and the last payment, of an address outside the register too', async () => {
    const made = await payrollWorld(async (store) => {
      const chunks = await store.chunks.list('payroll');
      for (const { chunk, idempotencyKey } of chunks) {
        const payout = { id: `mp-${chunk}`, state: 'CONFIRMED', fee: null, differences: [] };
        await store.sends.setPayout({ batchId: 'payroll', chunk, idempotencyKey }, payout);
      }
    });
    const file = readFileSync(join(made.world.cwd, 'good.csv'), 'utf8');
    const [, first = ''] = file.split('\n');
    const [paid = ''] = first.split(',');
    const { value } = await made.json('payees', 'show', paid);
    expect(value).toMatchObject({
      ...{ status: 'UNLISTED', payments: 1 },
      firstPaid: { batchId: 'payroll', row: 2 },
      lastPaid: { batchId: 'payroll', row: 2 },
    });
    const never = await made.json('payees', 'show', EVM);
    expect(never.value).toMatchObject({ payments: 0, firstPaid: null, lastPaid: null });
  });
});

it('a plan of the command line is stopped by a denied payee, and counts a known one', async () => {
  const made = world();
  const file = ['address,amount,currency', `${ANN},5000,USDT_TRC20`, `${BOB},5000,USDT_TRC20`, ''];
  writeFileSync(join(made.world.cwd, 'pay.csv'), file.join('\n'));
  writeFileSync(
    join(made.world.cwd, 'bursar.toml'),
    '[payees]\nknown_above = ["1000:USDT_TRC20"]\n',
  );
  await made.run('payees', 'deny', ANN, '--reason', 'fraud');
  const first = await made.json('plan', 'pay.csv', '--no-out', '--accept', 'PAYEE_DENIED');
  expect(first.code).toBe(13);
  const codes = (value: Record<string, unknown>) =>
    (value['findings'] as { code: string; severity: string; count: number }[])
      .filter(({ code }) => code.startsWith('PAYEE'))
      .map(({ code, severity, count }) => `${code} ${severity} ${count}`);
  expect(codes(first.value)).toEqual(['PAYEE_DENIED block 1', 'PAYEE_UNKNOWN confirm 1']);
  await made.run('payees', 'allow', ANN, '--reason', 'called');
  await made.run('payees', 'allow', BOB, '--reason', 'called');
  expect(codes((await made.json('plan', 'pay.csv', '--no-out')).value)).toEqual([]);
});

describe('bursar forget', () => {
  const filesWith = (folder: string, text: string): string[] =>
    (readdirSync(folder, { recursive: true }) as string[]).filter((name) => {
      const path = join(folder, name);
      return statSync(path).isFile() && readFileSync(path, 'latin1').includes(text);
    });

  it('removes an address and its name from the register, and only lists it without --yes', async () => {
    const made = world();
    await made.run('payees', 'allow', EVM, '--reason', 'new');
    await made.run('payees', 'name', EVM, 'Ann Miller');
    const looked = await made.run('forget', EVM.toLowerCase());
    expect(looked.err).toContain('would lose it');
    expect(await listed(made)).toHaveLength(1);
    expect((await made.run('forget', EVM.toLowerCase(), '--yes')).code).toBe(0);
    expect(await listed(made)).toEqual([]);
    await inStore(made, async () => undefined);
    expect(filesWith(made.world.cwd, 'Ann Miller')).toEqual([]);
    expect(filesWith(made.world.cwd, EVM.toLowerCase())).toEqual([]);
  });
});
