import { describe, expect, it } from '@jest/globals';
import type { ReportRow } from '../../src/domain/report/report.ts';
import { writeReport } from '../../src/report/write-report-files.ts';
import { createMemoryDisk, type MemoryDisk } from './support/memory-disk.ts';
import { reportOf, row } from './support/reports.ts';

const BEFORE = [row(2, { outcome: 'FAILED' }), row(3, { outcome: 'UNKNOWN' }), row(4)];
const AFTER = [row(2, { outcome: 'PAID' }), row(3, { outcome: 'FAILED' }), row(4)];

const write = (disk: MemoryDisk, rows: readonly ReportRow[]) =>
  writeReport({ dir: '/b', report: reportOf(rows), pages: [rows], refused: [] }, disk);

async function filesOf(rows: readonly ReportRow[], before = new Map<string, string>()) {
  const disk = createMemoryDisk(before);
  await write(disk, rows);
  return disk;
}

const isDraft = (name: string): boolean => name.endsWith('.tmp');

describe('writing a report over an older one', () => {
  it('leaves every file old or new, never half, wherever the disk fails', async () => {
    const old = (await filesOf(BEFORE)).files;
    const { files: fresh, steps } = await filesOf(AFTER, old);
    for (let failAt = 0; failAt < steps.length; failAt += 1) {
      const disk = createMemoryDisk(old, failAt);
      await expect(write(disk, AFTER)).rejects.toThrow(`the disk fails at step ${failAt}`);
      for (const name of new Set([...old.keys(), ...fresh.keys()])) {
        expect([old.get(name), fresh.get(name)]).toContain(disk.files.get(name));
      }
      const unexpected = [...disk.files.keys()].filter(
        (name) => !old.has(name) && !fresh.has(name),
      );
      expect(unexpected).toEqual([]);
    }
  });

  it('completes at the next run after a crash', async () => {
    const old = (await filesOf(BEFORE)).files;
    const fresh = (await filesOf(AFTER)).files;
    const draft = '.report.csv.01234567-89ab-4cde-8f01-23456789abcd.tmp';
    const { files } = await filesOf(AFTER, new Map([...old, [draft, 'row,addr']]));
    expect(files).toEqual(fresh);
  });

  it('keeps files whose names only resemble its drafts', async () => {
    const others = new Map([
      ['.report.csv.tmp', 'mine'],
      ['report.csv.tmp', 'mine too'],
    ]);
    const { files } = await filesOf(AFTER, others);
    for (const [name, text] of others) expect(files.get(name)).toBe(text);
  });

  it('syncs every file to disk before the first gets its name, and the folder last', async () => {
    const { steps } = await filesOf(AFTER, (await filesOf(BEFORE)).files);
    const naming = steps.findIndex((step) => /^rename |^remove [a-z]/.test(step));
    const before = steps.slice(0, naming);
    for (const file of ['report.csv', 'failed.csv', 'resend.csv', 'summary.html', 'report.json']) {
      expect(before).toContain(`sync .${file} draft`);
      expect(steps.lastIndexOf(`append .${file} draft`)).toBeLessThan(
        steps.indexOf(`sync .${file} draft`),
      );
    }
    expect(steps.at(-1)).toBe('sync folder');
  });

  it('replaces resend.csv first and report.json last', async () => {
    const { steps } = await filesOf(AFTER, (await filesOf(BEFORE)).files);
    const named = steps.filter((step) => /^rename |^remove [a-z]/.test(step));
    expect(named[0]).toBe('rename resend.csv');
    expect(named.at(-1)).toBe('rename report.json');
  });

  it('changes no file when reading the rows fails', async () => {
    const old = (await filesOf(BEFORE)).files;
    const disk = createMemoryDisk(old);
    const pages = async function* () {
      yield Array.from({ length: 6_000 }, (_, i) => row(i + 2));
      throw new Error('the store is gone');
    };
    await expect(
      writeReport({ dir: '/b', report: reportOf(AFTER), pages: pages(), refused: [] }, disk),
    ).rejects.toThrow('the store is gone');
    expect(disk.steps).toContain('append .report.csv draft');
    expect(disk.files).toEqual(old);
  });

  it('throws the first error when the cleanup also fails', async () => {
    const disk = createMemoryDisk();
    const broken = { ...disk, remove: () => Promise.reject(new Error('read-only')) };
    const pages = function* () {
      yield Array.from({ length: 6_000 }, (_, i) => row(i + 2));
      throw new Error('the store is gone');
    };
    await expect(
      writeReport({ dir: '/b', report: reportOf(AFTER), pages: pages(), refused: [] }, broken),
    ).rejects.toThrow('the store is gone');
    expect([...disk.files.keys()].filter((name) => !isDraft(name))).toEqual([]);
  });
});
