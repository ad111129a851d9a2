import { writeFileSync } from 'node:fs';
import { afterAll, expect, it, jest } from '@jest/globals';
import { MATRIX, type MatrixRow, SHORT_MATRIX } from '../support/matrix/rows.ts';
import { matrixDocument } from '../support/matrix/document.ts';
import { type RowResult, runRow } from '../support/matrix/run-row.ts';

jest.setTimeout(600_000);

/** Set by `npm run matrix`: a part of the names of the rows that are run, or nothing for all. CI runs the short form. */
const only = process.env['BURSAR_MATRIX_ONLY'];
/** Where `npm run matrix` writes the table of the results. */
const tablePath = process.env['BURSAR_MATRIX_TABLE'];

const rows = only === undefined ? SHORT_MATRIX : MATRIX.filter(({ name }) => name.includes(only));
const results = new Map<MatrixRow, RowResult>();

afterAll(() => {
  if (tablePath !== undefined) writeFileSync(tablePath, matrixDocument(rows, results));
});

it.concurrent.each(rows.map((row) => [row.name, row.expected, row] as const))(
  'over a service of %s a batch ends %s, and no row is paid twice',
  async (_name, expected, row) => {
    const result = await runRow(row);
    results.set(row, result);
    expect(result).toMatchObject({ end: expected });
  },
);
