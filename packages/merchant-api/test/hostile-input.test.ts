import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MerchantApiError, type MerchantClient } from '@bursar/merchant-api';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import { anyText } from '../../../test/support/any-text.ts';
import { ACCOUNT, failureOf, openClient, openServer } from './support/fixtures.ts';
import { INPUT_CASES } from './support/input-cases.ts';
import { leavesOf, type Path, withLeaf, withoutLeaf } from './support/leaves.ts';
import { answering } from './support/raw-server.ts';

const CASES = INPUT_CASES.map((each) => [each.operation, each] as const);

/** Values that somebody could put where a field belongs. */
const HOSTILE = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
  anyText({ maxLength: 200 }),
  fc.constantFrom<unknown>(
    ...['', ' ', '-1', '1e5', '0x10', '１２', 'NaN', '\u0000', '\ud800', '\udc00x', '\u202Eevil'],
    ...['"},"account":"0x0"', '__proto__', 'a'.repeat(101), '💶'.repeat(51), '9'.repeat(10_000)],
    ...[-1, 0, 1.5, 2 ** 31, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, -0, 10n],
    ...[null, undefined, true, [], {}, [[]], () => 'x', Symbol('x'), new Date(Number.NaN)],
    ...[
      { length: 1 },
      { length: Object.create(null) },
      { toJSON: () => 'x' },
      { toString: () => '1' },
      new Map([['a', 1]]),
    ],
    JSON.parse('{"__proto__":{"amount":"1"},"constructor":{"prototype":{"x":1}}}'),
  ),
);

/** A good input with one place spoiled, taken away or added to; or anything else. */
function hostileInput(good: object): fc.Arbitrary<unknown> {
  const path = fc.constantFrom(...leavesOf(good));
  const name = fc.oneof(
    fc.constantFrom('extra', 'timestamp', 'account', 'payload', 'payloadText', '__proto__'),
    anyText({ minLength: 1, maxLength: 20 }),
  );
  return fc.oneof(
    HOSTILE,
    fc.tuple(path, HOSTILE).map(([at, value]) => withLeaf(good, at, value)),
    path.map((at) => withoutLeaf(good, at)),
    fc
      .tuple(path, name, HOSTILE)
      .map(([at, added, value]) => withLeaf(good, [...at.slice(0, -1), added], value)),
  );
}

/** Dotted paths of every field; places in lists are left out. */
const fieldsIn = (value: unknown, path: Path = []): string[] =>
  leavesOf(value)
    .map((leaf) => [...path, ...leaf].filter((name) => !/^\d+$/.test(name)).join('.'))
    .filter((field) => field !== '');

const isWellFormed = (value: unknown): boolean => !/\p{Cs}/u.test(JSON.stringify(value));

describe.each(CASES)('%s, whatever it is given,', (operation, { good, fields, call }) => {
  it('sends documented fields only, or refuses before anything is sent', async () => {
    const server = await openServer({ onRequest: answering({ status: 400 }) });
    const client = openClient(server.url);
    const known = fields.split(' ');
    await fc.assert(
      fc.asyncProperty(hostileInput(good), async (input) => {
        const before = server.requests.length;
        const error = await call(client, input as never).catch((caught: unknown) => caught);
        if (!(error instanceof MerchantApiError)) throw error;
        expect(error).toMatchObject({ operation });
        const bodies = server.requests.slice(before).map(({ body }) => JSON.parse(body));
        expect(bodies).toHaveLength(error.kind === 'invalid-input' ? 0 : 1);
        if (error.kind === 'invalid-input') expect(error.reason).toMatch(/^.{3,300}$/u);
        for (const { timestamp, account = ACCOUNT, payload, ...rest } of bodies) {
          expect([typeof timestamp, account, rest]).toEqual(['number', ACCOUNT, {}]);
          expect(fieldsIn(payload).filter((field) => !known.includes(field))).toEqual([]);
          expect(isWellFormed(payload)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
    expect(await failureOf(call(client, good as never))).toMatchObject({ kind: 'refused' });
  });
});

describe('options of a call, whatever they are,', () => {
  const calls: readonly ((client: MerchantClient, options: never) => Promise<unknown>)[] = [
    (client, options) => client.readBalance({}, options),
    (client, options) => client.readBalance(options),
    (client, options) => client.readUser(options),
    (client, options) => client.listOperationCodes(options),
    (client, options) => client.listWebhookSubscriptions(options),
    (client, options) => client.lookupAddress({ address: 'T1' }, options),
  ];

  it('never reach the envelope but as a timestamp and an account', async () => {
    const server = await openServer({ onRequest: answering({ status: 400 }) });
    const client = openClient(server.url);
    const options = fc.record(
      { timestampMs: HOSTILE, account: HOSTILE, extra: HOSTILE, payload: HOSTILE },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...calls), options, async (call, given) => {
        const before = server.requests.length;
        const error = await call(client, given as never).catch((caught: unknown) => caught);
        if (!(error instanceof MerchantApiError)) throw error;
        const bodies = server.requests.slice(before).map(({ body }) => JSON.parse(body));
        expect(bodies).toHaveLength(error.kind === 'invalid-input' ? 0 : 1);
        for (const { timestamp, account = ACCOUNT, payload, ...rest } of bodies) {
          expect([Number.isSafeInteger(timestamp), account, rest]).toEqual([true, ACCOUNT, {}]);
          expect(payload === undefined || payload.address === 'T1').toBe(true);
        }
      }),
    );
  });
});

it('the operations without a payload are those that have none in the spec', () => {
  const without = OPERATIONS.filter(
    (operation) => !INPUT_CASES.some((each) => each.operation === operation),
  );
  expect(without).toEqual(['ACCOUNT', 'WEBHOOK_LIST', 'OPCODES', 'USER']);
});
