import { describe, expect, it } from '@jest/globals';
import { isListing } from '../../src/app/operation.ts';
import { OPERATIONS } from '../../src/app/operations.ts';
import { ARRAYS, PLACES, requestOf } from '../../src/web/api/places.ts';
import { linkTo, readRoute } from '../../src/web/route.ts';

describe('the calls of the pages', () => {
  it.each(Object.entries(PLACES))('%s has the place of its operation', (name, place) => {
    expect(OPERATIONS[name as keyof typeof PLACES].http).toBe(place);
  });

  it('read the arrays of the lists', () => {
    const lists = Object.keys(PLACES)
      .map((name) => [name, OPERATIONS[name as keyof typeof PLACES]] as const)
      .flatMap(([name, one]) => (isListing(one) ? [[name, one.names.array] as const] : []));
    expect(Object.fromEntries(lists)).toEqual(ARRAYS);
  });

  it('put fields into the path, and the others into the query or the body', () => {
    expect(
      requestOf('GET /v1/batches/:batchId/rows', {
        batchId: '../x?y',
        outcomes: ['PAID', 'FAILED'],
        limit: 5,
        after: undefined,
      }),
    ).toEqual({
      method: 'GET',
      path: '/v1/batches/..%2Fx%3Fy/rows?outcomes=PAID&outcomes=FAILED&limit=5',
      body: null,
    });
    expect(
      requestOf('POST /v1/batches/:batchId/pause', { batchId: 'may', reason: 'lunch' }),
    ).toEqual({
      method: 'POST',
      path: '/v1/batches/may/pause',
      body: { reason: 'lunch' },
    });
  });
});

describe('the address of a page', () => {
  it('holds any text', () => {
    const odd = 'a/b?c#d%&é \u202e';
    const { path, query } = readRoute(
      linkTo(['batches', odd], { word: odd, none: null, empty: '' }),
    );
    expect(path).toEqual(['batches', odd]);
    expect([...query]).toEqual([['word', odd]]);
  });

  it('may be mistyped', () => {
    expect(readRoute('#/%E0%A4%A/x').path).toEqual(['%E0%A4%A', 'x']);
    expect(readRoute('').path).toEqual([]);
  });
});
