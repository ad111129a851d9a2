import { describe, expect, it } from '@jest/globals';
import { writeText } from '../../src/report/disk.ts';
import { createMemoryDisk } from './support/memory-disk.ts';

const OLD = new Map([['plan.json', 'old']]);

describe('a file that is written at once', () => {
  it('gets its name only after its text is on disk', async () => {
    const disk = createMemoryDisk(OLD);
    await writeText('/runs/x/plan.json', 'new', disk);
    expect([...disk.files]).toEqual([['plan.json', 'new']]);
    expect(disk.steps).toEqual([
      'create .plan.json draft',
      'append .plan.json draft',
      'sync .plan.json draft',
      'close .plan.json draft',
      'rename plan.json',
      'sync folder',
    ]);
  });

  it.each([0, 1, 2, 3, 4])('stays as it was when the disk fails at step %i', async (failAt) => {
    const disk = createMemoryDisk(OLD, failAt);
    await expect(writeText('/runs/x/plan.json', 'new', disk)).rejects.toThrow('the disk fails');
    expect([...disk.files]).toEqual([...OLD]);
  });

  it('rejects when its folder cannot be synced', async () => {
    const disk = createMemoryDisk(OLD, 5);
    await expect(writeText('/runs/x/plan.json', 'new', disk)).rejects.toThrow('the disk fails');
    expect([...disk.files]).toEqual([['plan.json', 'new']]);
  });
});
