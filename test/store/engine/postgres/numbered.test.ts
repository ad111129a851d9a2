import { expect, it } from '@jest/globals';
import { numbered } from '../../../../src/store/engine/postgres/pool.ts';

it('marks of values get their numbers in order', () => {
  expect(numbered('select ? where a = ? and b in (?, ?)')).toBe(
    'select $1 where a = $2 and b in ($3, $4)',
  );
});

it('a statement that has numbers stays as it is', () => {
  expect(numbered('select $1 where a = $2')).toBe('select $1 where a = $2');
});
