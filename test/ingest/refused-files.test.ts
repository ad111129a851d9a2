import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ROW_CHARS_MAX, UNPACK_RATIO_FREE_BYTES } from '../../src/ingest/limits.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { HEADER, ingestPath, ingestText, refusalOf, TRON, TRON_2 } from './support/ingest.ts';

const ROW = `${TRON},1,TRX,,\n`;

describe('a path that is not a file to read', () => {
  it.each<{ what: string; make: (path: string) => void; code: string }>`
    what                    | make                                                      | code
    ${'nothing'}            | ${(): void => undefined}                                  | ${'FILE_NOT_FOUND'}
    ${'a folder'}           | ${(path: string) => mkdirSync(path)}                      | ${'FILE_NOT_REGULAR'}
    ${'a named pipe'}       | ${(path: string) => execFileSync('mkfifo', [path])}       | ${'FILE_NOT_REGULAR'}
    ${'a link to a device'} | ${(path: string) => symlinkSync('/dev/zero', path)}       | ${'FILE_IS_LINK'}
    ${'a link to a file'}   | ${(path: string) => symlinkSync('/etc/hostname', path)}   | ${'FILE_IS_LINK'}
    ${'a link to nowhere'}  | ${(path: string) => symlinkSync('/nowhere/at/all', path)} | ${'FILE_IS_LINK'}
    ${'a link to itself'}   | ${(path: string) => symlinkSync(path, path)}              | ${'FILE_IS_LINK'}
    ${'an empty file'}      | ${(path: string) => writeFileSync(path, '')}              | ${'FILE_EMPTY'}
  `('is refused with $code when it is $what', async ({ make, code }) => {
    const path = join(temporaryFolder(), 'payouts.csv');
    make(path);
    await expect(ingestPath(path)).rejects.toMatchObject({ code });
  });
});

describe('a file that changes while it is read', () => {
  const rows = ROW.repeat(20_000);

  it.each<{ what: string; change: (path: string) => void }>`
    what         | change
    ${'longer'}  | ${(path: string) => appendFileSync(path, ROW)}
    ${'shorter'} | ${(path: string) => truncateSync(path, 200_000)}
    ${'another'} | ${(path: string) => writeFileSync(path, HEADER + rows.replaceAll(TRON, TRON_2))}
  `('and becomes $what is refused', async ({ change }) => {
    const path = join(temporaryFolder(), 'payouts.csv');
    writeFileSync(path, HEADER + rows);
    // The clock of a file system has milliseconds. A change in the same one would stay unnoticed.
    utimesSync(path, 1, 1);
    let isChanged = false;
    const onProgress = (): void => {
      if (!isChanged) change(path);
      isChanged = true;
    };
    await expect(ingestPath(path, { onProgress })).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(isChanged).toBe(true);
  });
});

describe('an encoding other than UTF-8', () => {
  const text = `${HEADER}${TRON},1,TRX,für Jürgen,\n`;
  const utf16 = (mark: boolean) => Buffer.from(`${mark ? '\uFEFF' : ''}${text}`, 'utf16le');

  it.each<{ what: string; bytes: Buffer; encoding: string }>`
    what                         | bytes                                             | encoding
    ${'UTF-16 with a mark'}      | ${utf16(true)}                                    | ${'UTF-16'}
    ${'UTF-16, the other order'} | ${utf16(true).swap16()}                           | ${'UTF-16'}
    ${'UTF-16 without a mark'}   | ${utf16(false)}                                   | ${'UTF-16'}
    ${'UTF-16 turned, unmarked'} | ${utf16(false).swap16()}                          | ${'UTF-16'}
    ${'UTF-32'}                  | ${Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])} | ${'UTF-32'}
    ${'Latin-1'}                 | ${Buffer.from(text, 'latin1')}                    | ${'Latin-1 or Windows-1252'}
    ${'a character cut off'}     | ${Buffer.from(`${HEADER}\u00fc`).subarray(0, -1)} | ${'Latin-1 or Windows-1252'}
    ${'gzip inside gzip'}        | ${gzipSync(gzipSync(text))}                       | ${'gzip inside gzip'}
  `('is refused by its name: $what', async ({ bytes, encoding }) => {
    await expect(ingestText(bytes)).rejects.toMatchObject({
      code: 'FILE_ENCODING',
      facts: { encoding },
    });
  });

  it('is found even when it begins far down in the file', async () => {
    const bytes = Buffer.concat([Buffer.from(HEADER + ROW.repeat(5_000)), Buffer.from([0xe4])]);
    expect(await refusalOf(bytes)).toBe('FILE_ENCODING');
  });
});

describe('a packed file', () => {
  const packed = gzipSync(HEADER + ROW.repeat(1_000));

  it.each<{ what: string; bytes: Buffer }>`
    what                    | bytes
    ${'cut off'}            | ${packed.subarray(0, -20)}
    ${'without content'}    | ${Buffer.from([0x1f, 0x8b])}
    ${'with a wrong sum'}   | ${Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8)])}
    ${'with a wrong head'}  | ${Buffer.concat([Buffer.from([0x1f, 0x8b, 0xff]), packed.subarray(3)])}
    ${'with rubbish after'} | ${Buffer.concat([packed, Buffer.from('rubbish')])}
  `('is refused when it is $what', async ({ bytes }) => {
    expect(await refusalOf(bytes)).toBe('FILE_COMPRESSION');
  });

  it('is refused when its content is empty', async () => {
    expect(await refusalOf(gzipSync(''))).toBe('FILE_EMPTY');
  });

  it('is refused when it is a bomb, long before its end', async () => {
    const emptyLine = `${' '.repeat(10_000)}\n`;
    const bomb = gzipSync(HEADER + emptyLine.repeat(UNPACK_RATIO_FREE_BYTES / 5_000));
    await expect(ingestText(bomb)).rejects.toMatchObject({
      code: 'FILE_COMPRESSION',
      facts: { reason: 'it unpacks to more than 100 times its size' },
    });
  });

  it('is refused when it unpacks to more than the largest size of a file', async () => {
    await expect(ingestText(packed, { fileSizeBytesMax: 20_000 })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      facts: { maxBytes: 20_000 },
    });
    expect(await refusalOf(HEADER + ROW.repeat(1_000), { fileSizeBytesMax: 20_000 })).toBe(
      'FILE_TOO_LARGE',
    );
  });
});

/** The facts of a header with columns to which no known one is near. */
const unknown = (...names: readonly string[]) => ({
  columns: names.map((name) => `"${name}"`).join(', '),
});

describe('a header', () => {
  it.each<{ header: string; code: string; fact: object }>`
    header                                   | code                         | fact
    ${'address,currency'}                    | ${'HEADER_MISSING_COLUMN'}   | ${{ column: 'amount', found: 'address,currency' }}
    ${'amount,currency'}                     | ${'HEADER_MISSING_COLUMN'}   | ${{ column: 'address' }}
    ${'address,amount'}                      | ${'HEADER_MISSING_COLUMN'}   | ${{ column: 'currency' }}
    ${'address,amount,amount,currency'}      | ${'HEADER_DUPLICATE_COLUMN'} | ${{ column: 'amount' }}
    ${'address,amount,Amount ,currency'}     | ${'HEADER_DUPLICATE_COLUMN'} | ${{ column: 'amount' }}
    ${'address,amount,sum,currency'}         | ${'HEADER_DUPLICATE_COLUMN'} | ${{ column: 'amount' }}
    ${'address,amount,currency,iban'}        | ${'HEADER_UNKNOWN_COLUMN'}   | ${unknown('iban')}
    ${'__proto__,address,amount,currency'}   | ${'HEADER_UNKNOWN_COLUMN'}   | ${unknown('__proto__')}
    ${'constructor,address,amount,currency'} | ${'HEADER_UNKNOWN_COLUMN'}   | ${unknown('constructor')}
    ${'addr\u200Bess,amount,currency'}       | ${'HEADER_UNKNOWN_COLUMN'}   | ${unknown('addr<U+200B>ess')}
    ${'\uFEFF\uFEFFaddress,amount,currency'} | ${'HEADER_UNKNOWN_COLUMN'}   | ${unknown('<U+FEFF>address')}
    ${'Адрес,amount,currency'}               | ${'HEADER_UNKNOWN_COLUMN'}   | ${unknown('Адрес')}
    ${TRON + ',1,TRX'}                       | ${'HEADER_UNKNOWN_COLUMN'}   | ${unknown(TRON, '1', 'TRX')}
    ${'\u0410ddress,amount,currency'}        | ${'HEADER_UNKNOWN_COLUMN'}   | ${unknown('<U+0410>ddress')}
    ${'address;amount,currency'}             | ${'DELIMITER_UNKNOWN'}       | ${{ found: 'address;amount,currency' }}
    ${'address'}                             | ${'DELIMITER_UNKNOWN'}       | ${{}}
    ${'address|amount|currency'}             | ${'DELIMITER_UNKNOWN'}       | ${{}}
    ${'sep=;\nsep=;\naddress;amount'}        | ${'HEADER_UNKNOWN_COLUMN'}   | ${unknown('sep=')}
    ${'sep=|\naddress|amount|currency'}      | ${'DELIMITER_UNKNOWN'}       | ${{}}
    ${'address,"amount,currency'}            | ${'QUOTE_UNCLOSED'}          | ${{ line: 1 }}
    ${'address,am"ount,currency'}            | ${'QUOTE_MALFORMED'}         | ${{ line: 1 }}
    ${`address,${'x,'.repeat(100_000)}`}     | ${'ROW_TOO_LONG'}            | ${{ line: 1 }}
  `('"$header" is refused with $code', async ({ header, code, fact }) => {
    await expect(ingestText(`${header}\n${ROW}`)).rejects.toMatchObject({ code, facts: fact });
  });

  it('alone is refused', async () => {
    expect(await refusalOf(HEADER)).toBe('FILE_WITHOUT_ROWS');
    expect(await refusalOf(HEADER.trimEnd())).toBe('FILE_WITHOUT_ROWS');
    expect(await refusalOf(`${HEADER}\n  \n\r\n`)).toBe('FILE_WITHOUT_ROWS');
    expect(await refusalOf(`${HEADER},,,,\n,\n`)).toBe('FILE_WITHOUT_ROWS');
  });

  it('is missing in a file of empty lines', async () => {
    expect(await refusalOf('\uFEFF')).toBe('FILE_EMPTY');
    expect(await refusalOf('\n \r\n\n')).toBe('FILE_EMPTY');
  });
});

describe('line ends', () => {
  it('of one bare carriage return are refused with their line', async () => {
    expect(await refusalOf(`${HEADER}${ROW}${ROW.replace('\n', '\r')}${ROW}`)).toBe(
      'LINE_BREAK_BARE 3',
    );
    expect(await refusalOf((HEADER + ROW.repeat(3)).replaceAll('\n', '\r'))).toBe(
      'LINE_BREAK_BARE 1',
    );
    expect(await refusalOf((HEADER + ROW.repeat(999)).replaceAll('\n', '\r'))).toBe(
      'LINE_BREAK_BARE 1',
    );
    expect(await refusalOf(`${HEADER}${ROW.trimEnd()}\r`)).toBe('LINE_BREAK_BARE 2');
    expect(await refusalOf(`${HEADER}${TRON},1,TRX,"a\n\rb",\n`)).toBe('LINE_BREAK_BARE 3');
    expect(await refusalOf(`${HEADER}${ROW.replace('\n', '\r\r\n')}`)).toBe('LINE_BREAK_BARE 2');
  });
});

describe('quotes', () => {
  it.each<{ what: string; rows: string; code: string }>`
    what                                  | rows                                               | code
    ${'opened and never closed'}          | ${`${TRON},1,TRX,"oops,\n${ROW}`}                  | ${'QUOTE_UNCLOSED 2'}
    ${'opened late, at the very end'}     | ${`${ROW}${ROW}${TRON},1,TRX,,"`}                  | ${'QUOTE_UNCLOSED 4'}
    ${'closed by a later cell'}           | ${`${TRON},1,TRX,"oops,\n${TRON},1,TRX,"fine",\n`} | ${'QUOTE_UNCLOSED 2'}
    ${'closed by a quote of a later row'} | ${`${TRON},1,TRX,",\n${TRON_2},1,TRX,",\n`}        | ${'QUOTE_OVER_ROWS 2'}
    ${'followed by text'}                 | ${`${ROW}${TRON},1,TRX,"a"b,\n`}                   | ${'QUOTE_MALFORMED 3'}
    ${'followed by a space'}              | ${`${TRON},1,TRX,"a" ,\n`}                         | ${'QUOTE_MALFORMED 2'}
    ${'after a space'}                    | ${`${TRON},1,TRX, "a",\n`}                         | ${'QUOTE_MALFORMED 2'}
    ${'inside a cell'}                    | ${`${TRON},1,TRX,5" pipe,\n`}                      | ${'QUOTE_MALFORMED 2'}
    ${'after a cell of two lines'}        | ${`${TRON},1,TRX,"a\nb",\n${TRON},1,TRX,x"y,\n`}   | ${'QUOTE_MALFORMED 4'}
  `('that are $what refuse the file', async ({ rows, code }) => {
    expect(await refusalOf(HEADER + rows)).toBe(code);
  });

  it('around every cell of a row prove that its lines are one row', async () => {
    const comment = `"hello\n${TRON_2},1,TRX,me"`;
    expect(await refusalOf(`${HEADER}${TRON},1,TRX,${comment},\n`)).toBe('QUOTE_OVER_ROWS 2');
    expect(await refusalOf(`${HEADER}"${TRON}","1","TRX",${comment},\n`)).toBe('QUOTE_OVER_ROWS 2');
    const { rows } = await ingestText(`${HEADER}"${TRON}","1","TRX",${comment},""\n`);
    expect(rows.map((row) => row.comment)).toEqual([`hello\n${TRON_2},1,TRX,me`]);
  });

  it.each([
    `"${TRON}","1","TRX","oops,""\n"${TRON_2}","1","TRX","",""\n`,
    `"${TRON}","1","TRX","","oops\n"${TRON_2}","1","TRX","",""\n`,
    `"${TRON}","1","TRX","","oops\n"","1","TRX","",""\n`,
    `"${TRON}","1","TRX","","oops\n"","","","",""\n`,
  ])('around every cell never swallow a row when one is not closed: %j', async (rows) => {
    expect(await refusalOf(HEADER + rows)).toMatch(/^QUOTE_(UNCLOSED|MALFORMED) 2$/);
  });

  it('that are never closed are found at once in a large file', async () => {
    const text = `${HEADER}${ROW}${TRON},1,TRX,"oops,\n${ROW.repeat(400_000)}`;
    expect(await refusalOf(text)).toBe('QUOTE_UNCLOSED 3');
  });

  it('by the million are read in bounded time', async () => {
    expect(await refusalOf(`${HEADER}${TRON},1,TRX,${'"'.repeat(2_000_000)},\n`)).toBe(
      'QUOTE_UNCLOSED 2',
    );
    expect(await refusalOf(HEADER + '"",'.repeat(700_000))).toBe('ROW_TOO_LONG 2');
    const manyQuotes = `x,${'"",'.repeat(5_000)}\n`;
    const { summary } = await ingestText(HEADER + manyQuotes.repeat(500));
    expect(summary.refusedRows).toBe(500);
  });
});

describe('a file that is too large', () => {
  it('is refused with its line: a row', async () => {
    expect(await refusalOf(`${HEADER}${ROW}${'x'.repeat(ROW_CHARS_MAX + 1)}\n`)).toBe(
      'ROW_TOO_LONG 3',
    );
    expect(await refusalOf(`${HEADER}${TRON},1,TRX,${'x'.repeat(10_000_000)},\n`)).toBe(
      'ROW_TOO_LONG 2',
    );
    expect(await refusalOf(`${HEADER}${','.repeat(200_000)}\n`)).toBe('ROW_TOO_LONG 2');
    const { refused } = await ingestText(`${HEADER}${'x'.repeat(ROW_CHARS_MAX)}\n`);
    expect(refused.map(({ code }) => code)).toEqual(['FIELD_COUNT_WRONG']);
  });

  it('is read in bounded time: cells of spaces', async () => {
    const cell = `x${' '.repeat(16_000)}x`;
    const { summary } = await ingestText(HEADER + `${TRON},1,TRX,${cell},\n`.repeat(500));
    expect(summary.refusedRows).toBe(500);
  });

  it('is refused: a number of rows', async () => {
    const text = HEADER + ROW.repeat(3_000);
    expect(await refusalOf(text, { rowsMax: 2_999 })).toBe('FILE_TOO_MANY_ROWS');
    expect(await refusalOf(text, { rowsMax: 3_000 })).toBe('accepted');
  });

  it('is refused with its line: a number of currencies', async () => {
    const rows = Array.from({ length: 65 }, (_, i) => `x,1,C${i},,\n`).join('');
    expect(await refusalOf(HEADER + rows)).toBe('FILE_TOO_MANY_CURRENCIES 66');
    expect(await refusalOf(HEADER + rows.replace('C64', 'C0'))).toBe('accepted');
  });
});

it('the import stops between two blocks when the signal is aborted', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const onProgress = (): void => controller.abort(reason);
  const text = HEADER + ROW.repeat(10_000);
  await expect(ingestText(text, { onProgress, signal: controller.signal })).rejects.toBe(reason);
});

it('the progress has rows and bytes of the file', async () => {
  const told: [number, number][] = [];
  const text = HEADER + ROW.repeat(10_000);
  await ingestText(text, { onProgress: ({ rows, bytes }) => void told.push([rows, bytes]) });
  expect(told.at(-1)).toEqual([10_000, text.length]);
  expect(told.length).toBeGreaterThan(3);
  expect(told).toEqual(told.toSorted(([a], [b]) => a - b));
});

it('an error of the sink ends the import', async () => {
  const { ingestFile } = await import('../../src/ingest/index.ts');
  const path = join(temporaryFolder(), 'payouts.csv');
  writeFileSync(path, gzipSync(HEADER + ROW.repeat(50_000)));
  const full = new Error('disk full');
  const sink = {
    putChunk: () => Promise.reject(full),
    putRefused: () => Promise.resolve(),
  };
  await expect(ingestFile({ name: 'x', path }, { chunkRows: 10 }, sink)).rejects.toBe(full);
});
