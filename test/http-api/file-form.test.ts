import { afterEach, describe, expect, it } from '@jest/globals';
import { address, GOOD } from '../cli/support/files.ts';
import { fakeWorld } from '../cli/support/fake-world.ts';
import { workbookOf } from '../ingest/support/workbook.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { apiOf, tokenOf } from './support/api.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const HEAD = ['Wallet Adress', 'Amount', 'currency', 'Team'];

/** A server with an uploaded file. */
async function uploaded(bytes: string | Buffer, name: string) {
  const api = await apiOf(fakeWorld({ cwd: temporaryFolder() }));
  closers.push(api.close);
  const answer = await api.server.inject({
    method: 'PUT',
    url: `/v1/files?name=${name}`,
    headers: { authorization: `Bearer ${tokenOf('submit')}` },
    payload: bytes,
  });
  const { sha256 } = answer.json<{ sha256: string }>();
  const file = { sha256, name };
  const post = (place: string, form: object, role: 'read' | 'submit' = 'submit') =>
    api.call(role, `POST ${place}`, { body: { file, choices: { form } } });
  return { plan: (form: object) => post('/v1/plans', form), post };
}

const workbook = workbookOf(
  { name: 'Pay', rows: [HEAD, [address(1), '10,5', 'USDT_TRC20', 'a']] },
  { name: 'Old', rows: [HEAD, [address(2), '20', 'USDT_TRC20', 'b']] },
);

describe('a file that does not show all that is meant', () => {
  it('is read by the answers that a program gives to the names in its problems', async () => {
    const { plan } = await uploaded(workbook, 'pay.xlsx');
    expect(await plan({})).toMatchObject({
      status: 422,
      value: { code: 'SHEET_NOT_CHOSEN', asks: { sheets: ['Pay', 'Old'] } },
    });
    const sheet = 'Pay';
    expect(await plan({ sheet })).toMatchObject({
      status: 422,
      value: {
        code: 'HEADER_UNKNOWN_COLUMN',
        asks: {
          columns: [
            {
              name: 'Wallet Adress',
              suggestion: 'address',
              values: [expect.stringMatching(/^T\w{33}$/)],
            },
            { name: 'Team', values: ['a'] },
          ],
        },
      },
    });
    const columns = { address: 'Wallet Adress' };
    const form = { sheet, columns, ignoreColumns: ['Team'] };
    expect((await plan(form)).value).toMatchObject({
      sheet: 'Pay',
      refused: [{ row: 2, column: 'amount', code: 'AMOUNT_NOT_DECIMAL', value: '10,5' }],
    });
    expect((await plan({ ...form, decimalComma: true })).value).toMatchObject({
      refused: [],
      currencies: [{ currency: 'USDT_TRC20', rows: 1, total: '10.5' }],
    });
  });

  it('names its columns as they stand in the file, whatever their letters', async () => {
    const { plan } = await uploaded(`\u0410ddress,amount,currency\n${address(1)},1,TRX\n`, 'a.csv');
    const { value } = await plan({});
    expect(value).toMatchObject({ asks: { columns: [{ name: '\u0410ddress' }] } });
    const form = { columns: { address: '\u0410ddress' } };
    expect(await plan(form)).toMatchObject({ status: 200, value: { rows: { accepted: 1 } } });
  });

  it('has one plan for one meaning, in whatever order and with whatever defaults it is stated', async () => {
    const { plan } = await uploaded(
      `address,amount,currency,A,B\n${address(1)},1,TRX,,\n`,
      'a.csv',
    );
    const digestOf = async (form: object) =>
      ((await plan(form)).value as { digest: string | null }).digest;
    const first = await digestOf({ ignoreColumns: ['A', 'B'] });
    expect(first).toMatch(/^sha256:/);
    expect(await digestOf({ sheet: null, columns: {}, ignoreColumns: ['B', 'A', 'B'] })).toBe(
      first,
    );
  });

  it('is as if nothing was stated where a program states the defaults', async () => {
    const { plan } = await uploaded(`address,amount,currency\n${address(1)},1,TRX\n`, 'a.csv');
    const { value } = await plan({ sheet: null, decimalComma: false });
    expect((value as { choices: object }).choices).not.toHaveProperty('form');
  });

  it.each([
    [
      'two columns by one name',
      { columns: { address: 'Wallet Adress', comment: 'wallet adress' } },
    ],
    [
      'a column that is read and left out',
      { columns: { comment: 'Team' }, ignoreColumns: ['team'] },
    ],
    ['a column without a name', { ignoreColumns: ['-'] }],
  ])('is refused for %s', async (_what, form) => {
    const { plan } = await uploaded(workbook, 'pay.xlsx');
    expect(await plan(form)).toMatchObject({ status: 422, value: { code: 'REQUEST_UNUSABLE' } });
  });

  it('names the sheets that there are where another one was named', async () => {
    const { plan } = await uploaded(workbook, 'pay.xlsx');
    expect((await plan({ sheet: 'Pays' })).value).toMatchObject({
      code: 'SHEET_NOT_FOUND',
      asks: { sheets: ['Pay', 'Old'] },
    });
  });
});

describe('a file with refused rows', () => {
  const place = '/v1/plans/to-correct.csv';
  const form = { sheet: 'Pay', columns: { address: 'Wallet Adress' }, ignoreColumns: ['Team'] };

  it('comes back with its errors, a workbook too', async () => {
    const { post } = await uploaded(workbook, 'pay.xlsx');
    const { status, type, body } = await post(place, form);
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, row] = body.replace('\uFEFF', '').split('\n');
    expect(head).toBe('Wallet Adress,Amount,currency,Team,error');
    expect(row).toContain('"10,5"');
    expect(row).toContain('amount: The amount ""10,5"" is not a plain decimal.');
  });

  it('has its errors alone, a line for each', async () => {
    const { post } = await uploaded(workbook, 'pay.xlsx');
    const reasons = '/v1/plans/nack.csv';
    const { status, body } = await post(reasons, form);
    expect([status, body.split('\n').length]).toEqual([200, 3]);
    expect(body).toContain('2,amount,AMOUNT_NOT_DECIMAL,"10,5",');
    expect((await post(reasons, form, 'read')).status).toBe(403);
    const right = await uploaded(GOOD, 'good.csv');
    expect(await right.post(reasons, {})).toMatchObject({ status: 200, body: '' });
  });

  it('comes back only to those who may submit, and only by choices that are right', async () => {
    const { post } = await uploaded(workbook, 'pay.xlsx');
    expect((await post(place, form, 'read')).status).toBe(403);
    expect((await post(place, { speed: 1 })).status).toBe(400);
    expect(await post(place, {})).toMatchObject({
      status: 422,
      value: { code: 'SHEET_NOT_CHOSEN' },
    });
  });
});
