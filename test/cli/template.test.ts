import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { COLUMNS } from '../../src/domain/rows/row.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';
import { ingestPath } from '../ingest/support/ingest.ts';

describe('bursar template', () => {
  const world = () => fakeWorld({ cwd: temporaryFolder() });

  it('prints a file with all columns', async () => {
    const { code, out } = await world().run('template');
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe(COLUMNS.join(','));
    expect((await world().json('template')).value).toMatchObject({ columns: [...COLUMNS] });
  });

  it.each([
    { name: 'pay.csv', flags: [] },
    { name: 'pay.xlsx', flags: ['--xlsx'] },
  ])(
    'writes $name, which is read, and pays nothing before it is filled in',
    async ({ name, flags }) => {
      const made = world();
      const written = await made.run('template', ...flags, '--out', name);
      expect([written.code, written.out]).toEqual([
        0,
        expect.stringContaining(`bursar plan ${name}`),
      ]);
      const { rows, refused, summary } = await ingestPath(join(made.world.cwd, name));
      expect(rows).toEqual([]);
      expect(refused.map(({ column, code }) => [column, code])).toEqual([
        ['address', expect.stringMatching(/^(ADDRESS_INVALID|CHARACTER_FORBIDDEN)$/)],
      ]);
      expect(summary.sheet).toBe(name.endsWith('.xlsx') ? 'Payments' : undefined);
    },
  );

  it('replaces no file, and prints no workbook', async () => {
    const made = world();
    await made.run('template', '--out', 'pay.csv');
    const before = readFileSync(join(made.world.cwd, 'pay.csv'), 'utf8');
    const again = await made.run('template', '--xlsx', '--out', 'pay.csv');
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('FLAG_INVALID')]);
    expect(readFileSync(join(made.world.cwd, 'pay.csv'), 'utf8')).toBe(before);
    expect((await made.run('template', '--xlsx')).code).toBe(2);
  });
});
