import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MerchantApiError, PAGES_MAX_DEFAULT, TOO_MANY_PAGES } from '@bursar/merchant-api';
import { ACCOUNT, failureOf, openClient, openServer } from './support/fixtures.ts';
import { pageOf, TRANSACTION, WALLET } from './support/operation-cases.ts';
import { answerBytes, type RawRequest, type RawServer } from './support/raw-server.ts';

const wallet = (n: number): object => ({ ...WALLET, address: `T${n}` });

/** What is asked for, read from the request. */
const askedOf = ({ body }: RawRequest): { pageNumber: number; pageSize: number } =>
  JSON.parse(body).payload;

/** A server whose every page is what `answer` makes of its number. */
const openPages = (answer: (pageNumber: number) => object): Promise<RawServer> =>
  openServer({
    onRequest: (socket, request) => {
      const body = JSON.stringify(answer(askedOf(request).pageNumber));
      socket.write(answerBytes({ body }));
    },
  });

async function collect<Item>(items: AsyncIterable<Item>, into: Item[] = []): Promise<Item[]> {
  for await (const item of items) into.push(item);
  return into;
}

describe('walking through a list', () => {
  it.each([0, 1])('reads page after page, when the first is told to be %i', async (first) => {
    const server = await openPages((n) =>
      pageOf([wallet(2 * n), wallet(2 * n + 1)], n - 1 + first, 3),
    );
    const client = openClient(server.url);
    const wallets = await collect(client.eachWallet({ pageSize: 2, currency: 'TRX' }));
    expect(wallets.map(({ address }) => address)).toEqual(['T2', 'T3', 'T4', 'T5', 'T6', 'T7']);
    expect(server.requests.map(askedOf)).toEqual(
      [1, 2, 3].map((pageNumber) => ({
        currency: 'TRX',
        pageNumber,
        pageSize: 2,
        sort: 'ASC',
        properties: 'name',
      })),
    );
  });

  it('reads transactions in the same way, of the account that the call names', async () => {
    const server = await openPages((n) => pageOf([TRANSACTION], n, 2));
    const account = ACCOUNT.toLowerCase();
    const walk = openClient(server.url).eachTransaction({ opcodes: ['FEE'] }, { account });
    expect(await collect(walk)).toHaveLength(2);
    expect(server.requests.map(({ body }) => JSON.parse(body).account)).toEqual([account, account]);
  });

  it('reads no page before it is needed', async () => {
    const server = await openPages((n) => pageOf([wallet(n), wallet(n)], n, 9));
    for await (const { address } of openClient(server.url).eachWallet()) {
      if (address === 'T2') break;
    }
    expect(server.requests).toHaveLength(2);
  });

  it('stamps each page with the time of its own call', async () => {
    const clock = { nowMs: 1_000 };
    const server = await openPages((n) => pageOf([wallet(n)], n, 2));
    const client = openClient(server.url, { nowMs: () => (clock.nowMs += 1) });
    await collect(client.eachWallet());
    const stamps = server.requests.map(({ body }) => JSON.parse(body).timestamp);
    expect(new Set(stamps).size).toBe(2);
  });

  it.each([
    ['an empty list', [], 0],
    ['an empty list with one page', [], 1],
    ['a list with no pages', [wallet(1)], 0],
    ['a list with a negative number of pages', [wallet(1)], -5],
  ])('ends after one page of %s', async (_what, result, total) => {
    const server = await openPages(() => pageOf(result, 1, total));
    expect(await collect(openClient(server.url).eachWallet())).toHaveLength(result.length);
    expect(server.requests).toHaveLength(1);
  });

  it('goes by what the latest page tells about their number', async () => {
    const totals = [4, 2];
    const server = await openPages((n) => pageOf([wallet(n)], n, totals[n - 1] ?? 0));
    expect(await collect(openClient(server.url).eachWallet())).toHaveLength(2);
  });

  it('ends when it is told to', async () => {
    const stop = new AbortController();
    const server = await openPages((n) => pageOf([wallet(n)], n, 9));
    const walk = openClient(server.url).eachWallet({}, { signal: stop.signal });
    await walk.next();
    stop.abort();
    expect((await failureOf(walk.next())).kind).toBe('not-sent');
  });

  it('fails when a page does, with what it has read so far', async () => {
    const server = await openPages((n) => (n === 3 ? {} : pageOf([wallet(n)], n, 3)));
    const wallets: unknown[] = [];
    const error = await failureOf(collect(openClient(server.url).eachWallet(), wallets));
    expect(error).toMatchObject({ kind: 'unreadable', operation: 'WALLET_LIST' });
    expect(wallets).toHaveLength(2);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %p as the number of pages to read',
    async (pagesMax) => {
      const walk = openClient('http://127.0.0.1:1').eachWallet({}, { pagesMax });
      expect((await failureOf(walk.next())).kind).toBe('invalid-input');
    },
  );

  it('refuses a wrong filter at the first step', async () => {
    const walk = openClient('http://127.0.0.1:1').eachTransaction({ opcodes: ['fee'] });
    expect((await failureOf(walk.next())).kind).toBe('invalid-input');
  });
});

describe('a service that never comes to an end', () => {
  it.each<[string, (n: number) => object, string, number]>([
    ['repeats its first page', () => pageOf([wallet(1)], 1, 9), 'a page came out of turn', 2],
    ['skips a page', (n) => pageOf([wallet(n)], 2 * n, 9), 'a page came out of turn', 2],
    [
      'has an empty page in the middle',
      (n) => pageOf(n === 2 ? [] : [wallet(n)], n, 9),
      'a page before the last one is empty',
      2,
    ],
    ['adds a page for each', (n) => pageOf([wallet(1)], n, n + 1), TOO_MANY_PAGES, 20],
    ['has too many pages', (n) => pageOf([wallet(n)], n, 2 ** 31), TOO_MANY_PAGES, 20],
  ])('ends the walk when it %s', async (_what, answer, reason, requestCount) => {
    const server = await openPages(answer);
    const walk = openClient(server.url).eachWallet({}, { pagesMax: 20 });
    const error = await failureOf(collect(walk));
    expect(error).toMatchObject({
      kind: 'unreadable',
      reason,
      httpStatus: 200,
      bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(server.requests).toHaveLength(requestCount);
  });

  it('is bounded without being told', () => {
    expect(PAGES_MAX_DEFAULT).toBeGreaterThan(100);
    expect(PAGES_MAX_DEFAULT).toBeLessThanOrEqual(10_000);
  });

  it('ends the walk whatever its pages tell', async () => {
    let pages: object[] = [];
    const server = await openPages((n) => pages[(n - 1) % pages.length] ?? {});
    const client = openClient(server.url);
    const number = fc.integer({ min: -2, max: 12 });
    const page = fc
      .record({ count: fc.nat(2), page: number, total: number })
      .map(({ count, page: n, total }) => pageOf(Array(count).fill(WALLET), n, total));
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 8 }), async (next) => {
        pages = next;
        const before = server.requests.length;
        const walk = collect(client.eachWallet({}, { pagesMax: 8 }));
        const outcome = await walk.catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(MerchantApiError);
        expect(server.requests.length - before).toBeLessThanOrEqual(8);
      }),
    );
  });

  it('yields every object of an honest list once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 15 }), async (count, pageSize) => {
        const all = Array.from({ length: count }, (_each, n) => wallet(n));
        const server = await openPages((n) =>
          pageOf(all.slice((n - 1) * pageSize, n * pageSize), n, Math.ceil(count / pageSize)),
        );
        const walked = await collect(openClient(server.url).eachWallet({ pageSize }));
        expect(walked).toEqual(all);
      }),
      { numRuns: 30 },
    );
  });
});
