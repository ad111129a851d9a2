import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ingestText } from '../ingest/support/ingest.ts';
import { formula, number, sheetOf, STYLES, workbookOf } from '../ingest/support/workbook.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';
import { address, withFiles } from './support/files.ts';

const HEAD = ['address', 'amount', 'currency', 'comment'];

/** A world with one file. */
function worldWith(name: string, content: string | Uint8Array) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, name), content);
  return fakeWorld({ cwd });
}

describe('bursar plan of a workbook', () => {
  const sheet = {
    name: 'March',
    rows: [
      ['Wallet', 'Sum', 'Coin', 'Name'],
      [address(1), number('10.1'), 'USDT_TRC20', 'Bob'],
      [address(2), number('0.20000000000000001'), 'USDT_TRC20', 'Eve'],
      ['Total', formula('SUM(B2:B3)', '10.299999999999999')],
    ],
  };
  const file = workbookOf(sheet, { name: 'Notes', rows: [['x']] });
  const flags = ['--sheet', 'March', '--ignore-column', 'Name'];

  it('shows its sheet, its amounts, and the total below its rows', async () => {
    const { code, out } = await worldWith('pay.xlsx', file).run('plan', 'pay.xlsx', ...flags);
    expect(code).toBe(0);
    expect(out).toMatch(/sheet +March\n +rows +2\n/);
    expect(out).toContain('10.30 USDT (TRC20)');
    expect(out).toMatch(/total row +row 4, 10\.3: equal to the sum of the rows; not paid/);
  });

  it('has the flags in its command, its choices and its id', async () => {
    const { json } = worldWith('pay.xlsx', file);
    const { value } = await json('plan', 'pay.xlsx', ...flags);
    expect(value['command']).toBe(
      'bursar submit pay.xlsx --sheet March --ignore-column Name --confirm 10.3:USDT_TRC20',
    );
    expect(value['choices']).toMatchObject({
      form: { sheet: 'March', decimalComma: false, columns: {}, ignoreColumns: ['Name'] },
    });
    expect(value).toMatchObject({ sheet: 'March', totalRow: { row: 4, total: '10.3' } });
    expect(value['batchId']).toMatch(/^pay-[0-9a-f]{8}$/);
  });

  it('is refused with both numbers when the total is another', async () => {
    const wrong = workbookOf({
      ...sheet,
      rows: [...sheet.rows.slice(0, 3), ['Total', number('10')]],
    });
    const { code, out } = await worldWith('pay.xlsx', wrong).run(
      'plan',
      'pay.xlsx',
      ...flags.slice(2),
    );
    expect(code).toBe(13);
    expect(out).toContain('CONTROL_TOTAL_AMOUNT');
    expect(out).toContain('sum up to 10.30 USDT (TRC20). By its total in row 4 it is 10.');
  });

  it('is paid by its plan alone, and no flag changes how it is read', async () => {
    const made = worldWith('pay.xlsx', file);
    const { value } = await made.json('plan', 'pay.xlsx', ...flags);
    const plan = String(value['planFile']);
    const confirm = ['--confirm', '10.3:USDT_TRC20', '--detach'];
    const other = await made.run('submit', '--plan', plan, '--ignore-column', 'Coin', ...confirm);
    expect(other.err + other.out).toContain('PLAN_FLAG_CONTRADICTS');
    await made.run('submit', '--plan', plan, ...confirm);
    expect(made.engine.started).toMatchObject([
      { options: { form: { sheet: 'March', ignoreColumns: ['Name'] } } },
    ]);
  });
});

describe('the form of a file', () => {
  const text = `address;amount;currency\n${address(1)};1,5;USDT_TRC20\n`;

  it('is part of the digest', async () => {
    const { json } = worldWith('pay.csv', text.replace('1,5', '15'));
    const digest = async (...flags: string[]) =>
      (await json('plan', 'pay.csv', '--id', 'x', ...flags)).value['digest'];
    expect(await digest()).not.toBe(await digest('--decimal-comma'));
  });

  it.each<{ flags: string[] }>([
    { flags: ['--column', 'address'] },
    { flags: ['--column', 'payee=Name'] },
    { flags: ['--column', 'address='] },
    { flags: ['--column', 'address=a', '--column', 'address=b'] },
    { flags: ['--ignore-column', ' '] },
    { flags: ['--column', 'address=Wallet', '--column', 'comment=wallet'] },
    { flags: ['--column', 'address=Wallet', '--ignore-column', 'wallet'] },
  ])('is refused as a mistake of the command: %j', async ({ flags }) => {
    const { code, err } = await worldWith('pay.csv', text).run('plan', 'pay.csv', ...flags);
    expect([code, err]).toEqual([2, expect.stringContaining('FLAG_INVALID')]);
  });

  it('names the flag for decimal commas, and reads the amounts with it', async () => {
    const made = worldWith('pay.csv', text);
    expect((await made.run('plan', 'pay.csv')).out).toContain(
      'give --decimal-comma: this amount is then 1.5.',
    );
    const { value } = await made.json('plan', 'pay.csv', '--decimal-comma');
    expect(value['currencies']).toEqual([{ currency: 'USDT_TRC20', rows: 1, total: '1.5' }]);
  });
});

describe('the file to correct', () => {
  async function correctable(name: string, content: string | Uint8Array, ...flags: string[]) {
    const made = worldWith(name, content);
    const { value } = await made.json('plan', name, ...flags);
    const path = String(value['toCorrect']);
    return { made, value, path, text: readFileSync(join(made.world.cwd, path), 'utf8') };
  }

  it('has all rows in their order, and the reasons in a column of its own', async () => {
    const rows = `${address(1)};1,5;USDT_TRC20;"a;b"\n\n${address(2)};x;USDT;=1\n`;
    const { text, made, path } = await correctable(
      'pay.csv',
      `address;amount;currency;comment\n${rows}`,
      '--decimal-comma',
    );
    const [header, first, empty, second] = text.slice(1).split('\n');
    expect(header).toBe('address;amount;currency;comment;error');
    expect(first).toBe(`${address(1)};"1,5";USDT_TRC20;"a;b";`);
    expect(empty).toBe('');
    expect(second).toContain(`${address(2)};x;USDT;\uFFFD=1;`);
    expect(second).toContain('"amount: The amount ""x"" is not a plain decimal.');
    expect(second).toContain('comment: ');
    expect(second).toContain('Where the sign \uFFFD stands before a value: delete it');
    const { out } = await made.run('plan', 'pay.csv', '--decimal-comma');
    expect(out).toContain(`To correct them, open ${path}`);
  });

  it('is accepted when its cells are corrected, though its errors still stand there', async () => {
    const { made, path, text } = await correctable(
      'pay.csv',
      `address,amount,currency\n${address(1)},1.5,USDT_TRC20\n${address(2)},"1,000",USDT_TRC20\n`,
    );
    writeFileSync(join(made.world.cwd, 'corrected.csv'), text.replace('"1,000"', '1000'));
    const { value } = await made.json('plan', 'corrected.csv');
    expect(value).toMatchObject({ nack: null, rows: { total: 2, refused: 0 } });
    expect(value['toCorrect']).toBeUndefined();
    expect(existsSync(join(made.world.cwd, path))).toBe(true);
  });

  it.each<{ what: string; content: string | Uint8Array }>([
    {
      what: 'of a CSV',
      content: `address,amount,currency,comment\n${address(1)},1E5,USDT_TRC20,\n${address(1)},1\n${address(2)},1,USDT_TRC20,=1\n${address(3)},1,USDT_TRC20,a,b\n`,
    },
    {
      what: 'of a workbook',
      content: sheetOf([
        HEAD,
        [address(1), formula('1+1', '2'), 'USDT_TRC20'],
        [address(2), number('46331', STYLES.date), 'USDT_TRC20'],
        [address(3), number('0.5', STYLES.percent), 'USDT_TRC20'],
        [address(4), number('1'), 'USDT_TRC20', formula('"x"', 'x')],
      ]),
    },
  ])('$what is refused again for the same rows until they are corrected', async ({ content }) => {
    const name = typeof content === 'string' ? 'pay.csv' : 'pay.xlsx';
    const { value, text } = await correctable(name, content);
    const again = await ingestText(text);
    expect(again.rows).toEqual([]);
    expect({ total: again.summary.rows, accepted: 0, refused: again.summary.refusedRows }).toEqual(
      value['rows'],
    );
  });

  it('keeps a total that agrees, and the errors of the last try only', async () => {
    const first = await correctable(
      'pay.xlsx',
      sheetOf([
        ['error', ...HEAD],
        ['old', address(1), number('1.5'), 'USDT_TRC20'],
        ['old', 'bad', number('2'), 'USDT_TRC20'],
        ['', 'Total', formula('SUM(C2:C3)', '1.5')],
      ]),
    );
    expect(first.text).not.toContain('old');
    expect(first.text).toContain('Total,1.5,,,');
    const again = await ingestText(first.text);
    expect(again.summary.totalRow).toMatchObject({ total: '1.5' });
    expect(again.summary).toMatchObject({ rows: 2, refusedRows: 1 });
  });

  it('never replaces the file that is read', async () => {
    const bad = `address,amount,currency\n${address(1)},x,USDT_TRC20\n`;
    const cwd = withFiles(temporaryFolder(), { 'runs/march/to-correct.csv': bad });
    const { json } = fakeWorld({ cwd });
    const { value } = await json('plan', 'runs/march/to-correct.csv', '--id', 'march');
    expect(value['toCorrect']).toBe(join('runs', 'march', 'to-correct.again.csv'));
    expect(readFileSync(join(cwd, 'runs/march/to-correct.csv'), 'utf8')).toBe(bad);
  });
});
