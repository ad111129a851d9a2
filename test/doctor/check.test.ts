import { expect, it } from '@jest/globals';
import { ok, orFailed } from '../../src/doctor/check.ts';

it('a check that hangs has failed at its deadline, and the next one runs', async () => {
  const hung = await orFailed('bridge', () => new Promise(() => undefined), 20);
  expect(hung).toMatchObject([
    { name: 'bridge', result: 'fail', says: 'there was no result within 0.02 s' },
  ]);
  const next = [ok('store', 'it is there')];
  expect(await orFailed('store', async () => next)).toEqual(next);
});
