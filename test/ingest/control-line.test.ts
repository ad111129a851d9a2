import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkControlTotals } from '../../src/domain/plan/control-totals.ts';
import { problemsOfFile } from '../../src/domain/plan/judge-file.ts';
import { ROW_CHARS_MAX } from '../../src/ingest/limits.ts';
import { HEADER, ingestText, refusalOf, TRON, TRON_2 } from './support/ingest.ts';

const ROWS = `${TRON},1.50,USDT_TRC20,,\n${TRON_2},2,USDT_TRC20,,\n`;
const TABLE = HEADER + ROWS;
const LINE = '# rows=2 total=3.50:USDT_TRC20';
const SAID = { expectCount: 2, expectTotals: ['3.5:USDT_TRC20'] };

const totalsOf = async (text: string | Uint8Array) =>
  (await ingestText(text)).summary.controlTotals;

describe('a control line', () => {
  it.each<{ line: string; count: number | null; totals: readonly string[] }>`
    line                                           | count   | totals
    ${'# rows=2'}                                  | ${2}    | ${[]}
    ${'#rows=2'}                                   | ${2}    | ${[]}
    ${'# total=3.5'}                               | ${null} | ${['3.5']}
    ${'# total=3.50:USDT_TRC20 rows=2'}            | ${2}    | ${['3.5:USDT_TRC20']}
    ${'  #   rows=2    total=1:BTC   total=2:TRX'} | ${2}    | ${['1:BTC', '2:TRX']}
    ${'# rows=2,,,,'}                              | ${2}    | ${[]}
    ${'# rows=2;;;; '}                             | ${2}    | ${[]}
    ${'# total=3.5:USDT_TRC20\t\t'}                | ${null} | ${['3.5:USDT_TRC20']}
    ${'# rows=0'}                                  | ${0}    | ${[]}
  `('"$line" has the number of rows and their sum', async ({ line, count, totals }) => {
    const said = { expectCount: count, expectTotals: totals };
    expect(await totalsOf(`${line}\n${TABLE}`)).toEqual(said);
  });

  it('is optional', async () => {
    const { summary } = await ingestText(TABLE);
    expect('controlTotals' in summary).toBe(false);
  });

  it.each<{ what: string; text: string | Uint8Array }>`
    what                          | text
    ${'a byte order mark'}        | ${`\uFEFF${LINE}\n${TABLE}`}
    ${'line ends of CRLF'}        | ${`${LINE}\n${TABLE}`.replaceAll('\n', '\r\n')}
    ${'empty lines before it'}    | ${`\n  \n\n${LINE}\n${TABLE}`}
    ${'empty lines after it'}     | ${`${LINE}\n\n\n${TABLE}`}
    ${'ten thousand empty lines'} | ${`${'\n'.repeat(10_000)}${LINE}\n${TABLE}`}
    ${'gzip around the file'}     | ${gzipSync(`${LINE}\n${TABLE}`)}
  `('may have $what', async ({ text }) => {
    expect(await totalsOf(text)).toEqual(SAID);
  });

  it('keeps the row numbers of an editor, and belongs to the file but not to its content', async () => {
    const [plain, lined] = [await ingestText(TABLE), await ingestText(`${LINE}\n${TABLE}`)];
    expect(plain.rows.map(({ row }) => row)).toEqual([2, 3]);
    expect(lined.rows).toEqual(plain.rows.map((row) => ({ ...row, row: row.row + 1 })));
    expect(lined.summary.contentSha256).toBe(plain.summary.contentSha256);
    expect(lined.summary.fileSha256).not.toBe(plain.summary.fileSha256);
  });

  it('is the same for any cut of the file into blocks', async () => {
    const text = `\n ${LINE}\n\n${TABLE}`;
    const whole = await ingestText(text);
    for (let readBytes = 1; readBytes <= text.length; readBytes += 1) {
      const cut = await ingestText(text, { readBytes });
      expect([cut.summary, cut.rows]).toEqual([whole.summary, whole.rows]);
    }
  });

  it('may stand before any delimiter', async () => {
    expect(await totalsOf(`${LINE}\n${TABLE.replaceAll(',', ';')}`)).toEqual(SAID);
  });
});

describe('a line that starts with # before the header', () => {
  it.each<{ line: string; problem: RegExp }>`
    line                           | problem
    ${'#'}                         | ${/it is empty/}
    ${'# ,,,'}                     | ${/it is empty/}
    ${'# payroll of November'}     | ${/every word of it/}
    ${'# rows = 2'}                | ${/every word of it/}
    ${'# rows=two'}                | ${/every word of it/}
    ${'# rows=-2'}                 | ${/every word of it/}
    ${'# rows=2.0'}                | ${/every word of it/}
    ${'# rows=1000000000'}         | ${/every word of it/}
    ${'# Rows=2'}                  | ${/every word of it/}
    ${'# rows=2, total=3'}         | ${/every word of it/}
    ${'# rows=2\ttotal=3'}         | ${/every word of it/}
    ${'# total=1e3'}               | ${/every word of it/}
    ${'# total=3,5'}               | ${/every word of it/}
    ${'# total=-3'}                | ${/every word of it/}
    ${'# total=3:usdt'}            | ${/every word of it/}
    ${'# total=3:USDT_TRC20:'}     | ${/every word of it/}
    ${'# total=:TRX'}              | ${/every word of it/}
    ${'# total='}                  | ${/every word of it/}
    ${'# rows=2 rows=2'}           | ${/twice/}
    ${'# total=3:TRX total=3:TRX'} | ${/two totals/}
    ${'# total=3 total=4'}         | ${/two totals/}
  `('is refused when it is "$line"', async ({ line, problem }) => {
    await expect(ingestText(`\n${line}\n${TABLE}`)).rejects.toMatchObject({
      code: 'CONTROL_LINE_UNREADABLE',
      facts: { line: 2, problem: expect.stringMatching(problem) },
    });
  });

  it('is refused in bounded time when it is as long as a row may be', async () => {
    const words = `# ${'rows=2 '.repeat(ROW_CHARS_MAX / 8)}`;
    const cells = `# rows=2${','.repeat(ROW_CHARS_MAX - 100)}x`;
    for (const line of [words, cells]) {
      expect(await refusalOf(`${line}\n${TABLE}`)).toBe('CONTROL_LINE_UNREADABLE 1');
    }
  });

  it('is refused when it is the second control line', async () => {
    expect(await refusalOf(`# rows=2\n\n# total=3.5\n${TABLE}`)).toBe('CONTROL_LINE_UNREADABLE 3');
  });

  it('alone is no file to pay', async () => {
    expect(await refusalOf(LINE)).toBe('FILE_EMPTY');
    expect(await refusalOf(`${LINE}\n`)).toBe('FILE_EMPTY');
    expect(await refusalOf(`${LINE}\n${HEADER}`)).toBe('FILE_WITHOUT_ROWS');
  });

  it('is refused like any other line when it ends in a bare carriage return or is too long', async () => {
    expect(await refusalOf(`${LINE}\r${TABLE}`)).toBe('LINE_BREAK_BARE 1');
    expect(await refusalOf(`# ${'x'.repeat(ROW_CHARS_MAX)}\n${TABLE}`)).toBe('ROW_TOO_LONG 1');
    expect(await refusalOf(`#${'x'.repeat(10_000_000)}`)).toBe('ROW_TOO_LONG 1');
    expect(await refusalOf(' '.repeat(10_000_000))).toBe('ROW_TOO_LONG 1');
  });

  it('is not quoted in its error', async () => {
    await expect(ingestText(`# ${TRON}\n${TABLE}`)).rejects.not.toMatchObject({
      message: expect.stringContaining(TRON),
    });
  });
});

describe('a line that starts with # after the header', () => {
  it('is a row like any other', async () => {
    const { refused } = await ingestText(`${TABLE}# rows=2\n`);
    expect(refused).toMatchObject([{ row: 4, code: 'FIELD_COUNT_WRONG' }]);
  });
});

describe('the totals that a control line states', () => {
  const problemsWith = async (line: string, expectTotals: readonly string[] = []) => {
    const { summary } = await ingestText(`${line}\n${TABLE}`);
    const choices = { expectCount: null, expectTotals, skipInvalid: false, accept: [] };
    return problemsOfFile({ summary, choices, file: 'f', nack: 'n' });
  };

  it.each(['# rows=2', '# total=3.5', LINE])('may hold: %s', async (line) => {
    expect(await problemsWith(line)).toEqual([]);
  });

  it.each<{ line: string; code: string }>`
    line                         | code
    ${'# rows=3'}                | ${'CONTROL_TOTAL_COUNT'}
    ${'# rows=2 total=3.51'}     | ${'CONTROL_TOTAL_AMOUNT'}
    ${'# total=3.5:BTC'}         | ${'CONTROL_TOTAL_AMOUNT'}
    ${'# total=3.5 total=0:BTC'} | ${'CONTROL_TOTAL_AMOUNT'}
  `('or not: $line', async ({ line, code }) => {
    const [problem, ...more] = await problemsWith(line);
    expect(problem).toMatchObject({ code });
    expect(problem?.note.what).toContain('By its control line it');
    expect(more).toEqual([]);
  });

  it('must match together with those of the flags', async () => {
    const problems = await problemsWith('# rows=3', ['9']);
    expect(problems.map(({ note }) => note.what)).toEqual([
      'The amounts of the file sum up to 3.50 USDT (TRC20). By --expect-total it is 9.',
      'The file has 2 rows. By its control line it has 3.',
    ]);
  });

  it('match for a file of any rows with its own totals', async () => {
    const amount = fc.integer({ min: 1, max: 999_999 }).map((units) => String(units));
    await fc.assert(
      fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 20 }), async (amounts) => {
        const rows = amounts.map((text) => `${TRON},${text},TRX,,\n`).join('');
        const plain = (await ingestText(HEADER + rows)).summary;
        const line = `# rows=${plain.rows} total=${plain.currencies[0]?.total}:TRX`;
        const { controlTotals } = (await ingestText(`${line}\n${HEADER}${rows}`)).summary;
        if (controlTotals === undefined) throw new Error('the line was not read');
        expect(() => checkControlTotals(controlTotals, plain)).not.toThrow();
      }),
      { numRuns: 20 },
    );
  });
});
