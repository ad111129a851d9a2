import { describe, expect, it } from '@jest/globals';
import { HEADER, ingestText, reasonsOf, TRON, TRON_2 } from './support/ingest.ts';

describe('a refused row', () => {
  it('is passed on with every reason, and the valid rows around it are kept', async () => {
    const text = [
      'address,amount,currency,comment,reference',
      `${TRON},1,USDT_TRC20,fine,A`,
      ',1e3,USDT_TRC20,=1,B',
      `${TRON_2},2,USDT_TRC20,fine,C`,
      `${TRON_2},2,USDT_TRC20,fine`,
      `${TRON_2},2,USDT_TRC20,a,b,c`,
      '',
    ].join('\n');
    const ingested = await ingestText(text);
    expect(reasonsOf(ingested)).toEqual([
      '3 address ADDRESS_MISSING',
      '3 amount AMOUNT_NOT_DECIMAL',
      '3 comment FORMULA_IN_CELL',
      '5 row FIELD_COUNT_WRONG',
      '6 row FIELD_COUNT_WRONG',
    ]);
    expect(ingested.rows.map(({ row }) => row)).toEqual([2, 4]);
    expect(ingested.summary).toMatchObject({ rows: 5, refusedRows: 3, chunks: 1 });
    expect(ingested.refused[3]).toMatchObject({
      facts: { expected: 5, found: 4 },
      value: `${TRON_2},2,USDT_TRC20,fine`,
    });
  });

  it('of a semicolon file with a decimal comma is refused with a hint', async () => {
    const ingested = await ingestText(`address;amount;currency\n${TRON};1,5;TRX\n`);
    expect(reasonsOf(ingested)).toEqual(['2 amount AMOUNT_NOT_DECIMAL']);
  });

  it('never stops the import, even when every row is refused', async () => {
    const ingested = await ingestText(HEADER + 'x,y,z,=,@\n'.repeat(3_000));
    expect(ingested.summary).toMatchObject({ rows: 3_000, refusedRows: 3_000, chunks: 0 });
    expect(ingested.summary.currencies).toEqual([]);
    expect(ingested.refused.length).toBe(12_000);
  });

  it('shows only the beginning of a long cell', async () => {
    const ingested = await ingestText(`${HEADER}${TRON},1,TRX,${'x'.repeat(5_000)},\n`);
    expect(reasonsOf(ingested)).toEqual(['2 comment CELL_TOO_LONG']);
    expect(ingested.refused[0]?.value).toBe('x'.repeat(200));
  });
});

describe('a reference', () => {
  it('that is repeated refuses the later row, for any distance', async () => {
    const filler = Array.from({ length: 3_000 }, (_, i) => `${TRON},1,TRX,,R${i}\n`).join('');
    const text = `${HEADER}${TRON},1,TRX,,A reference as long as this\n${filler}${TRON_2},2,TRX,, A reference as long as this \n`;
    const ingested = await ingestText(text);
    expect(ingested.refused).toEqual([
      {
        row: 3_003,
        column: 'reference',
        code: 'REFERENCE_DUPLICATE',
        facts: { reference: 'A reference as long as this', firstRow: 2 },
        value: 'A reference as long as this',
        amount: '2',
        currency: 'TRX',
      },
    ]);
  });

  it('counts even in a row that is refused for another reason', async () => {
    const text = `${HEADER}${TRON},0,TRX,,A\n${TRON},2,TRX,,A\n,1,TRX,,A\n`;
    expect(reasonsOf(await ingestText(text))).toEqual([
      '2 amount AMOUNT_NOT_POSITIVE',
      '3 reference REFERENCE_DUPLICATE',
      '4 address ADDRESS_MISSING',
      '4 reference REFERENCE_DUPLICATE',
    ]);
  });

  it('may be missing in any number of rows, and may differ only in case', async () => {
    const text = `${HEADER}${TRON},1,TRX,,\n${TRON},2,TRX,,\n${TRON},3,TRX,,a\n${TRON},4,TRX,,A\n`;
    expect(reasonsOf(await ingestText(text))).toEqual([]);
  });
});
