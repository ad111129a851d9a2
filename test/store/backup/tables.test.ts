import { expect, it } from '@jest/globals';
import { TABLES } from '../../../src/store/backup/tables.ts';
import { read } from '../../architecture/repository.ts';

it('a backup holds every table of the data dictionary', () => {
  const described = [...read('docs/data-dictionary.md').matchAll(/^### (\S+)$/gm)].map(
    ([, table]) => table,
  );
  expect(new Set(TABLES)).toEqual(new Set(described));
});
