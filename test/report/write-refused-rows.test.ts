import { describe, expect, it } from '@jest/globals';
import { writeRefusedRows } from '../../src/report/write-refused-rows.ts';
import { createMemoryDisk } from './support/memory-disk.ts';
import { readRecords } from './support/read-csv.ts';
import { reasonFor } from './support/reports.ts';

describe('nack.csv without a report', () => {
  it('has a line for each reason, and a row may have several', async () => {
    const disk = createMemoryDisk();
    const refused = [reasonFor(3, '1,000'), reasonFor(3, '1e3'), reasonFor(9, '')];
    const { files } = await writeRefusedRows(
      { dir: '/b', file: 'payroll.nack.csv', refused },
      disk,
    );
    expect(files).toEqual(['payroll.nack.csv']);
    const records = readRecords(disk.files.get('payroll.nack.csv') ?? '');
    expect(records.map(({ row, value, what }) => [row, value, what])).toEqual([
      ['3', '1,000', 'The amount "1,000" is not a plain decimal.'],
      ['3', '1e3', 'The amount "1e3" is not a plain decimal.'],
      ['9', '', 'The amount is empty.'],
    ]);
  });

  it('is removed when no row is refused', async () => {
    const disk = createMemoryDisk(
      new Map([
        ['nack.csv', 'old'],
        ['report.json', 'old'],
      ]),
    );
    const { files } = await writeRefusedRows({ dir: '/b', file: 'nack.csv', refused: [] }, disk);
    expect(files).toEqual([]);
    expect([...disk.files.keys()]).toEqual(['report.json']);
  });

  it.each(['payroll.csv', '../nack.csv', 'a/nack.csv', 'nack.csv.bak', ''])(
    'never replaces a file with another name: "%s"',
    async (file) => {
      const disk = createMemoryDisk();
      await expect(writeRefusedRows({ dir: '/b', file, refused: [] }, disk)).rejects.toThrow(
        RangeError,
      );
      expect(disk.steps).toEqual([]);
    },
  );

  it('keeps the old file when reading the reasons fails', async () => {
    const old = new Map([['nack.csv', 'old']]);
    const disk = createMemoryDisk(old);
    const refused = function* () {
      yield* Array.from({ length: 1_000 }, (_, i) => reasonFor(i + 2));
      throw new Error('the store is gone');
    };
    await expect(
      writeRefusedRows({ dir: '/b', file: 'nack.csv', refused: refused() }, disk),
    ).rejects.toThrow('the store is gone');
    expect(disk.files).toEqual(old);
  });
});
