import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_ENDPOINTS, type Operation } from '@bursar/merchant-api/spec';
import { ACCOUNT, post } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { ledger, PLAIN_ADDRESS } from './support/payouts.ts';
import { startSandbox } from './support/start.ts';

const PAGE = { pageNumber: 1, pageSize: 10, sort: 'ASC' };
const KEY = '00000000-0000-4000-8000-000000000000';

const TRANSITION = {
  overlap: false,
  gap: true,
  dateTimeAfter: '2026-03-29T03:00:00',
  dateTimeBefore: '2026-03-29T02:00:00',
  instant: '2026-03-29T01:00:00Z',
  duration: { seconds: 3_600, nano: 0, zero: false, negative: false, units: [{ timeBased: true }] },
};

const TRANSITION_RULE = {
  month: 'MARCH',
  timeDefinition: 'UTC',
  dayOfWeek: 'SUNDAY',
  dayOfMonthIndicator: -1,
  localTime: { hour: 1, minute: 0, second: 0, nano: 0 },
  midnightEndOfDay: false,
};

/** A valid payload of each operation. Undefined where there is none. */
const PAYLOADS = {
  ACCOUNT: undefined,
  MASS_CREATE: {
    currency: 'BTC',
    name: 'name',
    comment: 'comment',
    massAddresses: [{ depositAddress: PLAIN_ADDRESS, amount: 1, comment: 'row' }],
    executionDate: '2026-12-01T00:00:00Z',
    idempotencyKey: KEY,
    externalId: 'x',
  },
  MASS_GET: { id: 'x' },
  LOOKUP: { idempotencyKey: KEY },
  FEE_CALCULATION: {
    items: [{ baseAmount: 1, currency: 'BTC', opType: 'WITHDRAWAL', feeType: 'SERVICE' }],
  },
  WALLET_LIST: {
    blockchain: 'TRON',
    currency: 'TRX',
    nameOrAddress: 'a',
    properties: 'name',
    ...PAGE,
  },
  WALLET_CREATE: { name: 'name', blockchain: 'TRON' },
  WALLET_RENAME: { address: 'x', name: 'name' },
  TRANSACTION_LIST: {
    walletAddress: 'x',
    addressTo: 'x',
    opcodes: ['FEE'],
    currency: 'BTC',
    properties: 'createdDate',
    ...PAGE,
  },
  OPCODES: undefined,
  LOOKUP_ADDRESS: { address: 'x' },
  REPORT: {
    firstDate: '2026-11-01T00:00:00Z',
    lastDate: '2026-12-01T00:00:00+02:00',
    blockchainList: 'TRON,BITCOIN',
    zoneOffset: {
      totalSeconds: 0,
      id: 'Z',
      rules: {
        fixedOffset: false,
        transitions: [TRANSITION],
        transitionRules: [TRANSITION_RULE],
      },
    },
  },
  USER: undefined,
} as const satisfies Partial<Record<Operation, object | undefined>>;

const NO_ACCOUNT: readonly Operation[] = ['FEE_CALCULATION'];

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Path = readonly (string | number)[];

/** Stands for a field that is left out. */
const ABSENT = Symbol('absent');
/** Texts that are written into the body as they are, because JavaScript has no such numbers. */
const RAW_NUMBERS = ['1e400', '-1e-400', '9'.repeat(500), '0.1e-39', '-0', '1.0', '2147483648'];
const rawNumber = (text: string): string => `raw number ${text}`;

const RAW_NUMBER = /"raw number ([^"]*)"/g;

const hostile: fc.Arbitrary<Json | typeof ABSENT> = fc.oneof(
  fc.constant(ABSENT),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  fc.constantFrom(...RAW_NUMBERS.map(rawNumber)),
  fc.constantFrom<Json>(
    '',
    'a'.repeat(5_000),
    '\0',
    '\u202e\u0000\ud800',
    '👩‍👩‍👧‍👦'.repeat(300),
    "'; DROP TABLE wallet; --",
    '%',
    '__proto__',
    -1,
    2 ** 53,
    {},
    [],
    Array(200).fill('FEE'),
    { constructor: null, ['__proto__']: 1 },
  ),
);

/** Every path in a document, the inner ones too. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, field]) => pathsOf(field, [...path, name])),
  ];
}

function replaced(value: unknown, [name, ...rest]: Path, by: Json | typeof ABSENT): unknown {
  if (name === undefined) return by === ABSENT ? undefined : by;
  if (Array.isArray(value)) {
    return value.map((item, at) => (at === Number(name) ? replaced(item, rest, by) : item));
  }
  const fields = value as Record<string, unknown>;
  return { ...fields, [name]: replaced(fields[name], rest, by) };
}

const textOf = (document: unknown): string =>
  (JSON.stringify(document) ?? 'null').replaceAll(RAW_NUMBER, '$1');

const bodyOf = (operation: keyof typeof PAYLOADS): Record<string, unknown> => ({
  timestamp: START_MS,
  ...(NO_ACCOUNT.includes(operation) ? {} : { account: ACCOUNT }),
  ...(PAYLOADS[operation] === undefined ? {} : { payload: PAYLOADS[operation] }),
});

/** No account can pay, so that even a valid create changes no balance. */
const settings = { BALANCES: '{"USDT_TRC20":"0"}' };

describe.each(Object.keys(PAYLOADS) as (keyof typeof PAYLOADS)[])('%s', (operation) => {
  const body = bodyOf(operation);

  it('with anything at all in any place is answered civilly and moves no money', async () => {
    const { url, client } = await startSandbox({ settings });
    const path = fc.constantFrom(...pathsOf(body).filter(({ length }) => length > 0));
    await fc.assert(
      fc.asyncProperty(path, hostile, async (at, value) => {
        const { status, text } = await post(
          url + DEFAULT_ENDPOINTS[operation],
          textOf(replaced(body, at, value)),
        );
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
        if (status === 200) return;
        expect(Object.keys(JSON.parse(text) as object)).toEqual([
          'traceId',
          'errorCode',
          'message',
        ]);
      }),
      { numRuns: 120 },
    );
    expect((await ledger(client)).entries).toEqual([]);
  });

  it.each([
    ['cannot become a number', { toString: 1, valueOf: 1 }],
    ['is over every number', rawNumber('1e400')],
  ])('refuses, in any place, something whose length %s', async (_what, length) => {
    const { url } = await startSandbox({ settings });
    for (const at of pathsOf(body)) {
      const { status, text } = await post(
        url + DEFAULT_ENDPOINTS[operation],
        textOf(replaced(body, at, { length })),
      );
      expect([status, JSON.parse(text)]).toMatchObject([
        400,
        { errorCode: expect.stringMatching(/^FIELD_(INVALID|UNKNOWN)$/) },
      ]);
    }
  });

  it('refuses a field that is not documented, in any object', async () => {
    const { url } = await startSandbox({ settings });
    const objects = pathsOf(body).filter((at) => isObject(at.reduce(step, body)));
    for (const at of objects) {
      const document = replaced(body, [...at, 'undocumented'], 1);
      const { status, text } = await post(url + DEFAULT_ENDPOINTS[operation], textOf(document));
      expect([status, JSON.parse(text)]).toMatchObject([400, { errorCode: 'FIELD_UNKNOWN' }]);
    }
  });
});

const step = (value: unknown, name: string | number): unknown =>
  (value as Record<string, unknown>)[name];

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
