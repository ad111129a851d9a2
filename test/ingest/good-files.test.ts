import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { recipientsText } from '../../src/domain/rows/recipients-text.ts';
import { BITCOIN, EVM, HEADER, ingestText, TRON, TRON_2 } from './support/ingest.ts';

const sha256 = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

const PLAIN = `${HEADER}${TRON},1.50,USDT_TRC20,Salary,A-1\n${EVM},2,USDT_ERC20,,\n`;

describe('a file', () => {
  it.each([
    ['a comment', 'comment', 'x],[4,'],
    ['a reference', 'reference', 'x],[4,'],
    ['a comment with quotes', 'comment', '"],[4,"'],
  ] as const)(
    'is cut between rows, also after %s that looks like the next row',
    async (_what, column, text) => {
      const cell = `"${text.replaceAll('"', '""')}"`;
      const second = column === 'comment' ? `${cell},` : `,${cell}`;
      const lines = [`${TRON},1,USDT_TRC20,${second}`, `${TRON_2},2,USDT_TRC20,,`];
      const third = `${TRON},3,USDT_TRC20,,`;
      const { rows, chunks, refused } = await ingestText(
        `${HEADER}${lines.join('\n')}\n${third}\n`,
        {
          chunkRows: 2,
        },
      );
      expect([refused, chunks.map(({ rowCount }) => rowCount)]).toEqual([[], [2, 1]]);
      expect(rows.map(({ row, amount }) => [row, amount])).toEqual([
        [2, '1'],
        [3, '2'],
        [4, '3'],
      ]);
      expect(rows[0]?.[column]).toBe(text);
      expect(recipientsText(chunks[1]?.rows ?? '', { batchCode: null })).toContain('"amount":3');
    },
  );

  it('is imported to rows, chunks, totals and hashes', async () => {
    const { summary, chunks, rows, refused } = await ingestText(PLAIN);
    expect(refused).toEqual([]);
    expect(rows).toEqual([
      {
        row: 2,
        address: TRON,
        amount: '1.5',
        currency: 'USDT_TRC20',
        comment: 'Salary',
        reference: 'A-1',
        name: '',
      },
      {
        row: 3,
        address: EVM,
        amount: '2',
        currency: 'USDT_ERC20',
        comment: '',
        reference: '',
        name: '',
      },
    ]);
    expect(chunks).toMatchObject([
      { chunk: 0, currency: 'USDT_TRC20', rowCount: 1, total: '1.5', firstRow: 2, lastRow: 2 },
      { chunk: 1, currency: 'USDT_ERC20', rowCount: 1, total: '2', firstRow: 3, lastRow: 3 },
    ]);
    for (const chunk of chunks) expect(chunk.rowsSha256).toBe(sha256(chunk.rows));
    expect(summary).toEqual({
      fileSha256: sha256(PLAIN),
      sizeBytes: Buffer.byteLength(PLAIN),
      contentSha256: sha256(`USDT_TRC20\t${TRON}\t1.5\nUSDT_ERC20\t${EVM.toLowerCase()}\t2\n`),
      rows: 2,
      refusedRows: 0,
      chunks: 2,
      currencies: [
        { currency: 'USDT_TRC20', rows: 1, total: '1.5', amounts: [['1.5', 1]] },
        { currency: 'USDT_ERC20', rows: 1, total: '2', amounts: [['2', 1]] },
      ],
      findings: [],
      rowSet: expect.stringMatching(/^2-[0-9a-f]{16}$/),
      limits: { row: [], payee: [] },
    });
  });

  it.each([
    ['semicolons', PLAIN.replaceAll(',', ';')],
    ['tabs', PLAIN.replaceAll(',', '\t')],
    ['CRLF line ends', PLAIN.replaceAll('\n', '\r\n')],
    ['CRLF and LF mixed', PLAIN.replace('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${PLAIN}`],
    ['no line end at the end', PLAIN.trimEnd()],
    [
      'rows of nothing but delimiters, as spreadsheets add them',
      `,,,,\n${PLAIN},,,,\n ,\n"","",,,\n`,
    ],
    ['empty lines, of which none is a row', `\n${PLAIN.replaceAll('\n', '\n  \n\n')}`],
    ['spaces around cells', PLAIN.replaceAll(',', ' ,  ')],
    ['quotes around every cell', PLAIN.replace(/[^,\n]+/g, '"$&"')],
    ['the columns in another order', reordered(PLAIN)],
    ['the names of columns in other words', PLAIN.replace(HEADER, 'Wallet,SUM,Ticker,note,Ref\n')],
    [
      'the names of columns in other shapes',
      PLAIN.replace(HEADER, ' "deposit_address" , Amount,COIN,Comment,"Reference"\n').replace(
        ' "deposit_address" ',
        '"deposit_address"',
      ),
    ],
  ])('with %s has the same content', async (_, text) => {
    const plain = await ingestText(PLAIN);
    const other = await ingestText(text);
    const withoutLine = (rows: typeof plain.rows) => rows.map((row) => ({ ...row, row: 0 }));
    expect(other.refused).toEqual([]);
    expect(withoutLine(other.rows)).toEqual(withoutLine(plain.rows));
    expect(other.summary.contentSha256).toBe(plain.summary.contentSha256);
    expect(other.summary.fileSha256).toBe(sha256(text));
  });

  it('may be packed by gzip, in several parts, with any name', async () => {
    const packed = Buffer.concat([gzipSync(PLAIN.slice(0, 60)), gzipSync(PLAIN.slice(60))]);
    const plain = await ingestText(PLAIN);
    const unpacked = await ingestText(packed);
    expect(unpacked.chunks).toEqual(plain.chunks);
    expect(unpacked.summary).toEqual({
      ...plain.summary,
      fileSha256: sha256(packed),
      sizeBytes: packed.length,
    });
  });

  it('has rows numbered as an editor counts lines, quoted line breaks included', async () => {
    const text = [
      '',
      'address,amount,currency,comment',
      `${TRON},1,USDT_TRC20,"first`,
      'second, ""third"""',
      '',
      `${TRON},2,USDT_TRC20,x`,
      '',
    ].join('\r\n');
    const { rows } = await ingestText(text);
    expect(rows.map(({ row, comment }) => [row, comment])).toEqual([
      [3, 'first\nsecond, "third"'],
      [6, 'x'],
    ]);
  });

  it('takes its currency from the column, else from the default', async () => {
    const text = `address,amount,currency\n${TRON},1,\n${EVM},2,USDT_ERC20\n`;
    const { rows } = await ingestText(text, { defaultCurrency: 'USDT_TRC20' });
    expect(rows.map(({ currency }) => currency)).toEqual(['USDT_TRC20', 'USDT_ERC20']);
    const column = await ingestText(`address,amount\n${TRON},1\n`, { defaultCurrency: 'TRX' });
    expect(column.rows.map(({ currency }) => currency)).toEqual(['TRX']);
  });

  it('is not imported with an invalid default currency', async () => {
    await expect(ingestText(PLAIN, { defaultCurrency: 'usdt' })).rejects.toMatchObject({
      code: 'FLAG_INVALID',
    });
    await expect(ingestText(PLAIN, { chunkRows: 0 })).rejects.toThrow(RangeError);
  });
});

describe('chunks', () => {
  const currencies = ['USDT_TRC20', 'BTC', 'TRX'];
  const addresses = [TRON, BITCOIN, TRON_2];
  const lines = Array.from(
    { length: 20 },
    (_, i) => `${addresses[i % 3]},${i + 1},${currencies[i % 3]},,\n`,
  );
  const text = HEADER + lines.join('');

  it('hold one currency each and are numbered when they are full', async () => {
    const { chunks, summary } = await ingestText(text, { chunkRows: 3 });
    expect(
      chunks.map(({ chunk, currency, rowCount, total, firstRow, lastRow }) =>
        [chunk, currency, rowCount, total, firstRow, lastRow].join(' '),
      ),
    ).toEqual([
      '0 USDT_TRC20 3 12 2 8',
      '1 BTC 3 15 3 9',
      '2 TRX 3 18 4 10',
      '3 USDT_TRC20 3 39 11 17',
      '4 BTC 3 42 12 18',
      '5 TRX 3 45 13 19',
      '6 USDT_TRC20 1 19 20 20',
      '7 BTC 1 20 21 21',
    ]);
    expect(summary.currencies.map(({ currency, rows, total }) => [currency, rows, total])).toEqual([
      ['USDT_TRC20', 7, '70'],
      ['BTC', 7, '77'],
      ['TRX', 6, '63'],
    ]);
  });

  it('do not change the content, for any size', async () => {
    const one = await ingestText(text, { chunkRows: 1 });
    const all = await ingestText(text, { chunkRows: 1_000 });
    expect(one.summary.chunks).toBe(20);
    expect(all.summary.chunks).toBe(3);
    expect(one.summary.contentSha256).toBe(all.summary.contentSha256);
    expect(one.summary.currencies).toEqual(all.summary.currencies);
  });

  it('come with the different amounts of a currency when these are few', async () => {
    const file = (count: number) =>
      HEADER +
      Array.from({ length: 2_000 }, (_, i) => `${TRON},${1 + (i % count)},TRX,,\n`).join('');
    const few = await ingestText(file(1_000));
    expect(few.summary.currencies[0]?.amounts?.slice(0, 3)).toEqual([
      ['1', 2],
      ['10', 2],
      ['100', 2],
    ]);
    expect(few.summary.currencies[0]?.amounts?.length).toBe(1_000);
    const many = await ingestText(file(1_001));
    expect(many.summary.currencies[0]?.amounts).toBeNull();
  });
});

function reordered(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split(',').toReversed().join(','))
    .join('\n');
}
