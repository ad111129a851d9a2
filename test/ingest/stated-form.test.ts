import { describe, expect, it } from '@jest/globals';
import { isBursarError, type ErrorNote } from '../../src/domain/errors/bursar-error.ts';
import { type FileForm, PLAIN_FORM } from '../../src/domain/rows/file-form.ts';
import { ingestText, reasonsOf, refusalOf, TRON, TRON_2 } from './support/ingest.ts';

const withForm = (form: Partial<FileForm>) => ({ form: { ...PLAIN_FORM, ...form } });

async function noteOfRefusal(text: string, form: Partial<FileForm> = {}): Promise<ErrorNote> {
  try {
    await ingestText(text, withForm(form));
  } catch (error) {
    if (isBursarError(error)) return error.note;
    throw error;
  }
  throw new Error('the file was accepted');
}

describe('columns that Bursar does not know', () => {
  const text = `Wallet Adress,Amount (USDT),Team,currency\n${TRON},5,Bob,TRX\n`;

  it('are named all at once, each with the column that it may be', async () => {
    const { code, what, fix } = await noteOfRefusal(text);
    expect(code).toBe('HEADER_UNKNOWN_COLUMN');
    expect(what).toContain('"Wallet Adress", "Amount (USDT)", "Team"');
    expect(fix).toContain('--column address="Wallet Adress"');
    expect(fix).toContain('--column amount="Amount (USDT)"');
    expect(fix).toContain('--ignore-column "Team"');
  });

  it('have a name of a payee among the known ones, which its row keeps', async () => {
    const named = `address,amount,currency,Payee Name\n${TRON},5,TRX,"Fox, Zoë"\n${TRON},6,TRX,\n`;
    const { rows } = await ingestText(named);
    expect(rows.map(({ name }) => name)).toEqual(['Fox, Zoë', '']);
    const left = await ingestText(named, withForm({ ignoreColumns: ['payee name'] }));
    expect(left.rows.map(({ name }) => name)).toEqual(['', '']);
  });

  it('are read or left out as the submitter states', async () => {
    const columns = { address: 'wallet adress', amount: 'AMOUNT (usdt)' };
    const { rows } = await ingestText(text, withForm({ columns, ignoreColumns: ['team'] }));
    expect(rows).toEqual([
      { row: 2, address: TRON, amount: '5', currency: 'TRX', comment: '', reference: '', name: '' },
    ]);
  });

  it.each<{ form: Partial<FileForm>; flag: string }>`
    form                                | flag
    ${{ columns: { comment: 'Memo' } }} | ${'--column'}
    ${{ ignoreColumns: ['Nmae'] }}      | ${'--ignore-column'}
  `('are refused when $flag names one that is not there', async ({ form, flag }) => {
    const known = { address: 'wallet adress', amount: 'amount (usdt)' };
    const columns = { ...known, ...form.columns };
    const ignoreColumns = ['team', ...(form.ignoreColumns ?? [])];
    const { code, what } = await noteOfRefusal(text, { columns, ignoreColumns });
    expect(code).toBe('HEADER_COLUMN_ABSENT');
    expect(what).toContain(flag);
  });

  it('may stand twice under a name that is left out, and not under one that is read', async () => {
    const twice = `address,amount,currency,x,X\n${TRON},5,TRX,a,b\n`;
    const ignored = await ingestText(twice, withForm({ ignoreColumns: ['x'] }));
    expect(ignored.rows).toHaveLength(1);
    expect(await refusalOf(twice, withForm({ columns: { comment: 'x' } }))).toBe(
      'HEADER_DUPLICATE_COLUMN',
    );
  });

  it('leave out a column that is needed only with another in its place', async () => {
    const text2 = `address,amount,net,currency\n${TRON},5,4,TRX\n`;
    expect(await refusalOf(text2, withForm({ columns: { amount: 'net' } }))).toBe(
      'HEADER_DUPLICATE_COLUMN',
    );
    const form = { columns: { amount: 'net' }, ignoreColumns: ['amount'] };
    expect((await ingestText(text2, withForm(form))).rows[0]?.amount).toBe('4');
  });

  it.each<{ name: string; suggestion: string | undefined }>`
    name             | suggestion
    ${'Adress'}      | ${'address'}
    ${'Recipient'}   | ${'address'}
    ${'Betrag'}      | ${'amount'}
    ${'Net pay'}     | ${'amount'}
    ${'Employee ID'} | ${'reference'}
    ${'Ammount'}     | ${'amount'}
    ${'Curency'}     | ${'currency'}
    ${'Invoice No.'} | ${'reference'}
    ${'Description'} | ${'comment'}
    ${'Сумма'}       | ${'amount'}
    ${'Full Name'}   | ${'name'}
    ${'Payee'}       | ${'name'}
    ${'Team'}        | ${undefined}
    ${'IBAN'}        | ${undefined}
    ${'Account'}     | ${undefined}
    ${'Country'}     | ${undefined}
    ${'Network'}     | ${undefined}
  `('are suggestions only: "$name" may be $suggestion', async ({ name, suggestion }) => {
    const { fix } = await noteOfRefusal(`${name},address,amount,currency\n`);
    const flag = suggestion === undefined ? '--ignore-column ' : `--column ${suggestion}=`;
    expect(fix).toContain(`${flag}"${name}"`);
  });
});

describe('a column for tags', () => {
  const text = (memo: string) => `address,amount,currency,Destination Tag\n${TRON},5,TRX,${memo}\n`;

  it('is read while it is empty', async () => {
    expect((await ingestText(text(''))).rows).toHaveLength(1);
  });

  it('refuses each row with a tag, for the service has no field for it', async () => {
    const ingested = await ingestText(text('12345'));
    expect(reasonsOf(ingested)).toEqual(['2 row TAG_UNSUPPORTED']);
    expect(ingested.refused[0]?.facts).toEqual({ name: 'Destination Tag', text: '12345' });
  });

  it('is a comment, or left out, when the submitter states that', async () => {
    const form = { columns: { comment: 'destination tag' } };
    expect((await ingestText(text('12345'), withForm(form))).rows[0]?.comment).toBe('12345');
    const ignored = withForm({ ignoreColumns: ['destination tag'] });
    expect((await ingestText(text('12345'), ignored)).rows[0]?.comment).toBe('');
  });
});

describe('a decimal comma', () => {
  const text = (...amounts: readonly string[]) =>
    `address;amount;currency\n${amounts.map((amount) => `${TRON};${amount};TRX\n`).join('')}`;

  it('is refused with the flag, and with the amount that it would make', async () => {
    const { refused } = await ingestText(text('1234,56'));
    expect(refused[0]?.code).toBe('AMOUNT_NOT_DECIMAL');
    const { noteOf } = await import('../../src/domain/errors/bursar-error.ts');
    const { fix } = noteOf('AMOUNT_NOT_DECIMAL', { text: '1234,56' });
    expect(fix).toContain('--decimal-comma');
    expect(fix).toContain('1234.56');
  });

  it('is read where it was stated', async () => {
    const { rows } = await ingestText(
      text('1234,56', '7', '0,10'),
      withForm({ decimalComma: true }),
    );
    expect(rows.map(({ amount }) => amount)).toEqual(['1234.56', '7', '0.1']);
  });

  it.each<{ amount: string; code: string }>`
    amount        | code
    ${'1.234,56'} | ${'AMOUNT_HAS_POINT'}
    ${'1.234'}    | ${'AMOUNT_HAS_POINT'}
    ${'1234.56'}  | ${'AMOUNT_HAS_POINT'}
    ${'1,234,56'} | ${'AMOUNT_NOT_DECIMAL'}
    ${',5'}       | ${'AMOUNT_NOT_DECIMAL'}
    ${'5,'}       | ${'AMOUNT_NOT_DECIMAL'}
    ${'-5,1'}     | ${'AMOUNT_NOT_DECIMAL'}
    ${'007,5'}    | ${'AMOUNT_NOT_DECIMAL'}
  `('never makes "$amount" certain', async ({ amount, code }) => {
    const ingested = await ingestText(text(amount), withForm({ decimalComma: true }));
    expect(reasonsOf(ingested)).toEqual([`2 amount ${code}`]);
  });
});

describe('a total below the rows', () => {
  const HEAD = 'address,amount,currency,comment\n';
  const rows = `${TRON},5.5,TRX,\n${TRON_2},4.5,TRX,\n`;

  it.each<{ line: string; total: string; currency: string | null }>`
    line                   | total   | currency
    ${'Total,10,,'}        | ${'10'} | ${null}
    ${',10,,Total'}        | ${'10'} | ${null}
    ${',10.00,TRX,SUMME:'} | ${'10'} | ${'TRX'}
    ${'Итого:,10,,'}       | ${'10'} | ${null}
    ${',10,Gesamt,'}       | ${'10'} | ${null}
    ${'Grand Total,12,,'}  | ${'12'} | ${null}
  `('is no row: $line', async ({ line, total, currency }) => {
    const { summary, refused } = await ingestText(`${HEAD}${rows}${line}\n,,,\n`);
    expect(refused).toEqual([]);
    expect(summary).toMatchObject({ rows: 2, totalRow: { row: 4, total, currency } });
  });

  it.each([
    ['an address', `${TRON},10,TRX,Total`],
    ['no word', ',10,TRX,'],
    ['no amount', 'Total,,TRX,'],
    ['a word inside others', ',10,TRX,Total of March'],
  ])('is a row with %s', async (_, line) => {
    const { summary } = await ingestText(`${HEAD}${rows}${line}\n`);
    expect(summary.rows).toBe(3);
    expect(summary.totalRow).toBeUndefined();
  });

  it('is refused when rows follow, also far behind it', async () => {
    const many = `${TRON},1,TRX,\n`.repeat(20_000);
    const ingested = await ingestText(`${HEAD}${rows}Total,10,TRX,\n${many}`);
    expect(reasonsOf(ingested)).toEqual(['4 address ADDRESS_INVALID']);
    expect(ingested.summary).toMatchObject({ rows: 20_003, refusedRows: 1 });
    expect(ingested.summary.totalRow).toBeUndefined();
  });

  it('never becomes a payment on a network without checks', async () => {
    const ingested = await ingestText('address,amount,currency\nx1,1,FOO\nTotal,1,FOO\nx2,1,FOO\n');
    expect(ingested.rows.map(({ address }) => address)).toEqual(['x1', 'x2']);
    expect(reasonsOf(ingested)).toEqual(['3 address ADDRESS_INVALID']);
  });
});
