import { describe, expect, it } from '@jest/globals';
import { OLD_PARTITION_CHUNKS } from '../../../src/domain/batch/partitions.ts';
import { problemsOfFile } from '../../../src/domain/plan/judge-file.ts';
import { ANSWER_BYTES_MAX, CHUNK_ROWS_MAX, CHUNKS_MAX } from '../../../src/domain/plan/limits.ts';
import { CELL_CHARS_MAX } from '../../../src/domain/rows/row-rules-text.ts';
import { summaryOf } from '../../support/store-fixtures.ts';

describe('a batch', () => {
  const choices = {
    skipInvalid: false,
    accept: [],
    expectCount: null,
    expectTotals: [],
  };
  const codes = (chunks: number) =>
    problemsOfFile({
      summary: { ...summaryOf([]), chunks },
      choices,
      file: 'payroll.csv',
      nack: 'nack.csv',
    }).map(({ note }) => [note.code, note.what]);

  it('of more chunks than one workflow can drive is refused before anything is started', () => {
    expect(codes(CHUNKS_MAX)).toEqual([]);
    expect(codes(CHUNKS_MAX + 1)).toEqual([
      ['FILE_TOO_MANY_CHUNKS', expect.stringContaining('100,001 chunks')],
    ]);
  });

  it('of the most chunks has half of the child workflows that Temporal allows', () => {
    expect(CHUNKS_MAX / OLD_PARTITION_CHUNKS).toBeLessThanOrEqual(1_000);
  });
});

/** A character that a cautious writer of JSON escapes: six bytes instead of one. */
const escaped = (count: number): string => '\\u0416'.repeat(count);

const withdrawalError = `{"withdrawalId":"${'w'.repeat(64)}","errors":[{"id":9223372036854775807,\
"status":"${'S'.repeat(32)}","errorResolved":false,"errorMessage":"${escaped(300)}"}]},`;

const massAddress = `{"depositAddress":"${'a'.repeat(CELL_CHARS_MAX.address)}",\
"amount":${'9'.repeat(67)},"comment":"${escaped(CELL_CHARS_MAX.comment)} #00000000-10000000"},`;

describe('an answer about the largest chunk', () => {
  it.each([
    ['names every row as a failed withdrawal', withdrawalError],
    ['repeats every address, amount and comment', massAddress],
  ])('that %s can be read, with a fifth to spare', (_what, perRow) => {
    const sizeBytes = Buffer.byteLength(perRow) * CHUNK_ROWS_MAX;
    expect(sizeBytes).toBeLessThan(0.8 * ANSWER_BYTES_MAX);
  });
});
