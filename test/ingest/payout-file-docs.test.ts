import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { INTEGER_DIGITS_MAX } from '../../src/domain/money/amount.ts';
import { FINDINGS, type FindingCode } from '../../src/domain/plan/finding.ts';
import { COLUMNS } from '../../src/domain/rows/row.ts';
import { CELL_CHARS_MAX } from '../../src/domain/rows/row-rules-text.ts';
import { ALIASES } from '../../src/domain/rows/column-names.ts';
import { OVERLAP_MINIMA } from '../../src/ingest/history/overlaps.ts';
import * as limits from '../../src/ingest/limits.ts';

const readme = readFileSync(new URL('../../docs/payout-file.md', import.meta.url), 'utf8');
const lineOf = (start: string): string =>
  readme.split('\n').find((line) => line.startsWith(`| ${start}`)) ?? '';

it.each(COLUMNS)('docs/payout-file.md lists every name of the column %s', (column) => {
  const line = lineOf(`\`${column}\``);
  const names = (line.match(/`\w+`/g) ?? []).map((name) => name.slice(1, -1).toLowerCase());
  expect(names).toEqual(expect.arrayContaining([column, ...ALIASES[column]]));
});

it('docs/payout-file.md lists the limits of the code', () => {
  expect(lineOf('`comment`')).toContain(`${CELL_CHARS_MAX.comment} characters`);
  expect(lineOf('`reference`')).toContain(`${CELL_CHARS_MAX.reference} characters`);
  expect(lineOf('`amount`')).toContain(`${INTEGER_DIGITS_MAX} digits`);
  expect(lineOf('file')).toContain(`${limits.FILE_SIZE_BYTES_MAX / 1024 ** 3} GiB`);
  expect(lineOf('workbook')).toContain(
    `${limits.WORKBOOK_BYTES_MAX / 1024 ** 2} MiB, ${limits.SHARED_TEXTS_MAX.toLocaleString('en-US')} different texts, ${limits.SHARED_TEXT_CHARS_MAX / 1024 ** 2} Mi characters`,
  );
  expect(lineOf('unpacked')).toContain(
    `${limits.UNPACK_RATIO_MAX} times the packed file, from ${limits.UNPACK_RATIO_FREE_BYTES / 1024 ** 2} MiB`,
  );
  expect(lineOf('rows')).toContain(limits.ROWS_MAX.toLocaleString('en-US'));
  expect(lineOf('currencies')).toContain(String(limits.CURRENCIES_MAX));
  expect(lineOf('one row')).toContain(limits.ROW_CHARS_MAX.toLocaleString('en-US'));
});

it.each(Object.keys(FINDINGS) as FindingCode[])(
  'docs/payout-file.md lists the severity of %s',
  (code) => {
    const line = readme.split('\n').find((each) => each.includes(`\`${code}\``)) ?? '';
    expect(line.split(' | ')[1]).toBe(FINDINGS[code].severity);
  },
);

it('docs/payout-file.md lists the limits of an overlap', () => {
  const [large, small] = OVERLAP_MINIMA;
  expect(lineOf('`OVERLAP`')).toContain(
    `at least ${large?.rows} rows and a fifth of the file, or ${small?.rows} rows and half of it`,
  );
  expect(OVERLAP_MINIMA.map(({ percent }) => percent)).toEqual([20, 50]);
});
