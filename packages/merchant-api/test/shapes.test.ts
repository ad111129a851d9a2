import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  buildMassPayoutPayload,
  MerchantApiError,
  type MerchantClient,
} from '@bursar/merchant-api';
import {
  ENDPOINT_METHODS,
  type Operation,
  OPERATIONS,
  SHAPES,
  type ShapeChoices,
  type ShapeName,
} from '@bursar/merchant-api/spec';
import { MODE_VALUES } from '../../sandbox/src/core/modes.ts';
import { settingOf } from '../../sandbox/src/modes.ts';
import { KEY, SECRET } from '../../sandbox/test/support/client.ts';
import type { Started } from '../../sandbox/test/support/start.ts';
import { failureOf, openClient, openServer } from './support/fixtures.ts';
import { answering } from './support/raw-server.ts';
import {
  CHECKSUMMED,
  clientOf,
  type Made,
  makeObjects,
  payoutInput,
  SHAPE_CALLS,
  startPlayed,
} from './support/shape-cases.ts';

const NAMES = Object.keys(SHAPES) as ShapeName[];

/** Every value of every shape, beside the defaults of the others. */
const EACH_SHAPE: readonly (readonly [ShapeName, string])[] = NAMES.flatMap((name) =>
  SHAPES[name].map((value) => [name, value] as const),
);

/** Modes of answers, which the client reads without an option. */
const EACH_ANSWER_MODE = (['answerWrapper', 'errorDates'] as const).flatMap((name) =>
  MODE_VALUES[name].map((value) => [name, value] as const),
);

const COMBINED: ShapeChoices = {
  massGetAccepts: 'flat-key-only',
  accountIn: 'all',
  accountCase: 'lower',
  timestampUnit: 's',
  pageBase: 'zero',
};

const modesOf = (shapes: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, value]) => [settingOf(name), String(value)]),
  );

/** The failure of each operation, by its name; nothing where all succeed. */
async function failuresOf(client: MerchantClient, made: Made): Promise<Record<string, unknown>> {
  const failures: Record<string, unknown> = {};
  for (const [operation, call] of Object.entries(SHAPE_CALLS)) {
    try {
      await call(client, made);
    } catch (error) {
      const { kind, serviceMessage } = error as MerchantApiError;
      failures[operation] = `${kind}: ${serviceMessage}`;
    }
  }
  return failures;
}

type Counts = Readonly<{ payouts: number; wallets: number; subscriptions: number }>;

/** Counts the objects of a sandbox through its admin API, which has no shapes. */
async function countObjects({ client }: Started): Promise<Counts> {
  const listed = async (path: string, name: string): Promise<number> => {
    const { text } = await client.get(path);
    const list = (JSON.parse(text) as Record<string, unknown[]>)[name];
    if (list === undefined) throw new Error(`${path} has no ${name}`);
    return list.length;
  };
  return {
    payouts: await listed('/sandbox/mass-payouts', 'massPayouts'),
    wallets: await listed('/sandbox/wallets', 'wallets'),
    subscriptions: await listed('/sandbox/webhooks', 'subscriptions'),
  };
}

describe('every operation is understood', () => {
  it.each(EACH_SHAPE)('where client and sandbox have %s=%s', async (name, value) => {
    const shapes = { [name]: value };
    const sandbox = await startPlayed(modesOf(shapes));
    const client = clientOf(sandbox, shapes);
    expect(await failuresOf(client, await makeObjects(client))).toEqual({});
  });

  it('where client and sandbox differ from every default', async () => {
    const sandbox = await startPlayed(modesOf(COMBINED));
    const client = clientOf(sandbox, COMBINED);
    expect(await failuresOf(client, await makeObjects(client))).toEqual({});
  });

  it.each(EACH_ANSWER_MODE)('where the sandbox alone has %s=%s', async (name, value) => {
    const sandbox = await startPlayed(modesOf({ [name]: value }));
    const client = clientOf(sandbox);
    expect(await failuresOf(client, await makeObjects(client))).toEqual({});
  });

  it('where the client has the list of the operations that carry an account', async () => {
    const sandbox = await startPlayed({ ACCOUNT_IN: 'shown' });
    const accountIn = ['ACCOUNT', 'WEBHOOK_CREATE', 'WEBHOOK_CHANGE', 'WEBHOOK_LIST'] as const;
    const client = clientOf(sandbox, { accountIn });
    expect(await failuresOf(client, await makeObjects(client))).toEqual({});
  });
});

/** A wrong pair, and the operations that the sandbox refuses for it. */
type WrongPair = readonly [client: ShapeChoices, sandbox: ShapeChoices, refused: Operation[]];

const ALL = [...OPERATIONS];
const ACCOUNT_SHOWN: Operation[] = ['ACCOUNT', 'WEBHOOK_CREATE', 'WEBHOOK_CHANGE', 'WEBHOOK_LIST'];
const ACCOUNT_ASSUMED = ALL.filter(
  (operation) => ![...ACCOUNT_SHOWN, 'USER', 'FEE_CALCULATION'].includes(operation),
);

const WRONG: readonly WrongPair[] = [
  [{ massGetAccepts: 'reference' }, { massGetAccepts: 'flat' }, ['MASS_GET']],
  [{ massGetAccepts: 'flat' }, { massGetAccepts: 'reference' }, ['MASS_GET']],
  [{ massGetAccepts: 'reference' }, { massGetAccepts: 'key-only' }, ['MASS_GET']],
  [{ massGetAccepts: 'key-only' }, { massGetAccepts: 'id-only' }, ['MASS_GET']],
  [{ massGetAccepts: 'flat' }, { massGetAccepts: 'flat-key-only' }, ['MASS_GET']],
  [{ massGetAccepts: 'flat-key-only' }, { massGetAccepts: 'flat-id-only' }, ['MASS_GET']],
  [{ accountIn: 'most' }, { accountIn: 'all' }, ['FEE_CALCULATION', 'USER']],
  [{ accountIn: 'all' }, { accountIn: 'most' }, ['FEE_CALCULATION', 'USER']],
  [{ accountIn: 'most' }, { accountIn: 'shown' }, ACCOUNT_ASSUMED],
  [{ accountIn: 'shown' }, { accountIn: 'most' }, ACCOUNT_ASSUMED],
  [{ accountCase: 'any' }, { accountCase: 'lower' }, [...ACCOUNT_SHOWN, ...ACCOUNT_ASSUMED]],
  [{ accountCase: 'lower' }, { accountCase: 'exact' }, [...ACCOUNT_SHOWN, ...ACCOUNT_ASSUMED]],
  [{ timestampUnit: 'ms' }, { timestampUnit: 's' }, ALL],
  [{ timestampUnit: 's' }, { timestampUnit: 'ms' }, ALL],
  [{ pageBase: 'zero' }, { pageBase: 'one' }, ['WALLET_LIST', 'TRANSACTION_LIST']],
];

describe('a client of another shape', () => {
  it.each(WRONG)(
    '%j is refused by a sandbox of %j, and creates nothing',
    async (wrong, played, refused) => {
      const sandbox = await startPlayed(modesOf(played));
      const made = await makeObjects(clientOf(sandbox, played));
      const before = await countObjects(sandbox);
      const client = clientOf(sandbox, wrong);
      const failures: string[] = [];
      for (const operation of refused) {
        const error = await failureOf(SHAPE_CALLS[operation](client, made));
        if (error.kind !== 'refused' || error.documented !== true) {
          failures.push(`${operation}: ${error.message}`);
        }
      }
      expect(failures).toEqual([]);
      expect(await countObjects(sandbox)).toEqual(before);
    },
  );

  it('that counts pages from 1 misses the first page of a sandbox that counts from 0', async () => {
    const sandbox = await startPlayed({ PAGE_BASE: 'zero' });
    const right = await clientOf(sandbox, { pageBase: 'zero' }).listWallets({ pageSize: 2 });
    const wrong = await clientOf(sandbox).listWallets({ pageSize: 2 });
    const second = await clientOf(sandbox, { pageBase: 'zero' }).listWallets({
      pageSize: 2,
      pageNumber: 2,
    });
    expect([right.value.page, second.value.page]).toEqual([1, 2]);
    expect(wrong.value.result).toEqual(second.value.result);
  });
});

describe('pages', () => {
  it.each(SHAPES.pageBase)('from %s are walked once each', async (pageBase) => {
    const sandbox = await startPlayed(modesOf({ pageBase }));
    const client = clientOf(sandbox, { pageBase });
    const walked: string[] = [];
    for await (const { address } of client.eachWallet({ pageSize: 3 })) walked.push(address);
    const { totalElements, total } = (await client.listWallets({ pageSize: 3 })).value;
    expect([walked.length, new Set(walked).size]).toEqual([totalElements, totalElements]);
    expect(total).toBeGreaterThan(2);
  });

  it.each(SHAPES.pageBase)('from %s are walked once each by transactions', async (pageBase) => {
    const sandbox = await startPlayed(modesOf({ pageBase }));
    for (const amount of ['1', '2', '3']) {
      await sandbox.client.admin('POST', '/sandbox/top-up', { currency: 'TRX', amount });
    }
    const client = clientOf(sandbox, { pageBase });
    const amounts: string[] = [];
    const filter = { currency: 'TRX', pageSize: 1 };
    for await (const { amount } of client.eachTransaction(filter)) amounts.push(amount);
    expect(amounts).toEqual(['1', '2', '3']);
  });
});

describe('a reference that MASS_GET does not take', () => {
  const NOT_TAKEN = SHAPES.massGetAccepts.flatMap((value) => [
    ...(value.endsWith('key-only') ? ([[value, 'id']] as const) : []),
    ...(value.endsWith('id-only') ? ([[value, 'idempotencyKey']] as const) : []),
  ]);

  it.each(NOT_TAKEN)('%s: %s rejects before anything is sent', async (massGetAccepts, name) => {
    const server = await openServer({ onRequest: answering({ body: '{}' }) });
    const client = openClient(server.url, { shapes: { massGetAccepts } });
    const key = '3f6f2a8e-5f0b-4d0c-9a57-0e6f6a2f3c11';
    const reference = name === 'id' ? { id: 'x' } : { idempotencyKey: key };
    const error = await failureOf(client.readMassPayout(reference));
    expect(error).toMatchObject({
      kind: 'unavailable',
      operation: 'MASS_GET',
      reason: `it takes no ${name}`,
    });
    expect(client.takesReference('MASS_GET', name)).toBe(false);
    expect(client.takesReference('LOOKUP', name)).toBe(true);
    expect(server.requests).toEqual([]);
  });

  it('is none where the service has no such operation', () => {
    const client = openClient('https://api.example', { endpoints: { LOOKUP: '' } });
    expect(client.takesReference('LOOKUP', 'id')).toBe(false);
    expect(client.takesReference('MASS_GET', 'id')).toBe(true);
  });
});

describe('an account', () => {
  it.each([
    ['any', CHECKSUMMED.toLowerCase(), CHECKSUMMED],
    ['exact', CHECKSUMMED, CHECKSUMMED],
    ['lower', CHECKSUMMED, CHECKSUMMED.toLowerCase()],
  ] as const)(
    'in the case %s is sent and answered in its form',
    async (accountCase, sent, shown) => {
      const sandbox = await startPlayed(modesOf({ accountCase }));
      const client = clientOf(sandbox, { accountCase }, { account: sent });
      expect((await client.readBalance()).value.account).toBe(shown);
      expect((await client.createMassPayout(payoutInput())).value.account).toBe(shown);
    },
  );
});

describe('a prepared body', () => {
  const account = CHECKSUMMED;
  const timestampMs = 1_763_678_400_999;
  const payloadText = buildMassPayoutPayload(payoutInput());

  /** Every choice that a client can have, with a list that has the create, and one without. */
  const everyShape = (): Required<ShapeChoices>[] => {
    const accountIns = [...SHAPES.accountIn, ['MASS_CREATE'] as const, ['ACCOUNT'] as const];
    return SHAPES.massGetAccepts.flatMap((massGetAccepts) =>
      accountIns.flatMap((accountIn) =>
        SHAPES.accountCase.flatMap((accountCase) =>
          SHAPES.timestampUnit.flatMap((timestampUnit) =>
            SHAPES.pageBase.map((pageBase) => ({
              massGetAccepts,
              accountIn,
              accountCase,
              timestampUnit,
              pageBase,
            })),
          ),
        ),
      ),
    );
  };

  it('has the digest of the bytes on the wire in every combination of shapes', async () => {
    const body = '{"id":"mp-1","state":"CREATION_IN_PROGRESS"}';
    const server = await openServer({ onRequest: answering({ body }) });
    const differences: unknown[] = [];
    for (const shapes of everyShape()) {
      const client = openClient(server.url, { shapes });
      const prepared = client.prepareBody({ timestampMs, account, payloadText });
      const answers = [
        await client.createMassPayout({ body: prepared }),
        await client.createMassPayout({ payloadText }, { timestampMs, account }),
      ];
      const wire = server.requests
        .slice(-2)
        .map((request) => createHash('sha256').update(request.body).digest('hex'));
      const digests = [...wire, ...answers.map(({ bodySha256 }) => bodySha256)];
      if (!digests.every((digest) => digest === prepared.bodySha256)) differences.push(shapes);
    }
    expect(differences).toEqual([]);
    expect(new Set(server.requests.map((request) => request.body)).size).toBe(6);
  });

  it('has the account of the client unless it names another, and none where none is carried', () => {
    const of = (shapes: ShapeChoices) =>
      openClient('https://api.example', { shapes }).prepareBody({ timestampMs, payloadText });
    expect(of({}).account).toBe(account);
    expect(of({ accountCase: 'lower' }).account).toBe(account.toLowerCase());
    expect(of({ accountIn: 'shown' }).bytes.toString()).toBe(
      `{"timestamp":${timestampMs},"payload":${payloadText}}`,
    );
    expect(of({ accountIn: 'shown' }).account).toBeUndefined();
  });

  it.each([
    ['timestampMs', { timestampMs: 1.5 }],
    ['timestampMs', { timestampMs: Number.NaN }],
    ['account', { account: '0x12' }],
  ])('is refused for a wrong %s', (name, wrong) => {
    const client = openClient('https://api.example');
    const prepare = () => client.prepareBody({ timestampMs, account, payloadText, ...wrong });
    expect(prepare).toThrow(MerchantApiError);
    expect(prepare).toThrow(name);
  });

  it('sends whole seconds, rounded down', () => {
    const client = openClient('https://api.example', { shapes: { timestampUnit: 's' } });
    const body = client.prepareBody({ timestampMs, account, payloadText });
    expect(body.bytes.toString()).toMatch(/^\{"timestamp":1763678400,/);
    expect(body.timestampMs).toBe(1_763_678_400_000);
  });
});

describe('the timestamp of errors and answers', () => {
  it('is in milliseconds where the service wants seconds', async () => {
    const sandbox = await startPlayed({ TIMESTAMP_UNIT: 's' });
    const client = clientOf(sandbox, { timestampUnit: 's' });
    const timestampMs = sandbox.clock.nowMs() - 200_000;
    const error = await failureOf(client.readUser({ timestampMs: timestampMs + 500 }));
    expect([error.errorCode, error.timestampMs]).toEqual(['TIMESTAMP_OUT_OF_WINDOW', timestampMs]);
    const { text } = await sandbox.client.get('/sandbox/requests');
    expect(JSON.parse(text)).toMatchObject({ requests: [{ timestampMs }] });
  });
});

describe('an endpoint with a method', () => {
  it.each(ENDPOINT_METHODS)('%s is called and served on any path', async (method) => {
    const sandbox = await startPlayed(
      Object.fromEntries(OPERATIONS.map((name) => [`ENDPOINT_${name}`, `${method} /v2/${name}`])),
    );
    const endpoints = Object.fromEntries(OPERATIONS.map((name) => [name, `${method} /v2/${name}`]));
    const client = clientOf(sandbox, {}, { endpoints });
    expect(await failuresOf(client, await makeObjects(client))).toEqual({});
  });

  it('shares its path with operations of other methods', async () => {
    const endpoints = {
      WEBHOOK_CREATE: '/v2/hooks',
      WEBHOOK_CHANGE: 'PUT /v2/hooks',
      WEBHOOK_DELETE: 'DELETE /v2/hooks',
    };
    const settings = Object.entries(endpoints).map(([name, text]) => [`ENDPOINT_${name}`, text]);
    const sandbox = await startPlayed(Object.fromEntries(settings));
    const client = clientOf(sandbox, {}, { endpoints });
    expect(await failuresOf(client, await makeObjects(client))).toEqual({});
    const refused = await fetch(`${sandbox.url}/v2/hooks`, { method: 'PATCH', body: '{}' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'DELETE, POST, PUT']);
    const { text } = await sandbox.client.get('/sandbox/openapi.json');
    const { paths } = JSON.parse(text) as { paths: Record<string, object> };
    expect(Object.keys(paths['/v2/hooks'] ?? {}).toSorted()).toEqual(['delete', 'post', 'put']);
    const listed = JSON.parse((await sandbox.client.get('/sandbox/operations')).text) as object;
    expect(listed).toMatchObject({
      operations: expect.arrayContaining([
        { operation: 'WEBHOOK_CHANGE', method: 'PUT', path: '/v2/hooks' },
      ]),
    });
  });

  it.each(['GET /x', 'HEAD /x', 'put /x', 'PUT  /x', 'PUT x', 'PUT', ' /x', 'POST /x y', 5, null])(
    'is refused: %j',
    (text) => {
      const endpoints = { USER: text } as never;
      expect(() => openClient('https://api.example', { endpoints })).toThrow(
        /^MerchantClientOptions: endpoints\.USER must be empty or a path/,
      );
    },
  );
});

describe('the option shapes', () => {
  const BAD: readonly (readonly [string, unknown])[] = [
    ['shapes must be an object', null],
    ['shapes must be an object', []],
    ['shapes must be an object', 'flat'],
    ['shapes has a name other than', { mass_get_accepts: 'flat' }],
    ['shapes has a name other than', { constructor: 'flat' }],
    ['shapes has a name other than', JSON.parse('{"__proto__":"CANARY"}')],
    ['shapes has a name other than', { answerWrapper: 'data' }],
    ['shapes.massGetAccepts must be', { massGetAccepts: 'CANARY' }],
    ['shapes.massGetAccepts must be', { massGetAccepts: ['flat'] }],
    ['shapes.timestampUnit must be', { timestampUnit: null }],
    ['shapes.pageBase must be', { pageBase: 0 }],
    ['shapes.accountCase must be', { accountCase: {} }],
    ['shapes.accountIn must be', { accountIn: 'CANARY' }],
    ['shapes.accountIn must be', { accountIn: ['ACCOUNT', 'CANARY'] }],
    ['shapes.accountIn must be', { accountIn: ['most'] }],
    ['shapes.accountIn must be', { accountIn: [null] }],
    ['shapes.accountIn must be', { accountIn: { 0: 'ACCOUNT', length: 1 } }],
  ];

  it.each(BAD)('%s: %j', (message, shapes) => {
    const open = () => openClient('https://api.example', { shapes: shapes as ShapeChoices });
    expect(open).toThrow(TypeError);
    expect(open).toThrow(`MerchantClientOptions: ${message}`);
    expect(open).not.toThrow(/CANARY/);
  });

  it('has the default where a choice is undefined', () => {
    const shapes = { massGetAccepts: undefined } as unknown as ShapeChoices;
    const client = openClient('https://api.example', { shapes });
    expect(client.takesReference('MASS_GET', 'id')).toBe(true);
  });

  it('is not changed by a later change of the list', async () => {
    const sandbox = await startPlayed({ ACCOUNT_IN: 'shown' });
    const accountIn: Operation[] = ['ACCOUNT'];
    const client = clientOf(sandbox, { accountIn });
    accountIn.pop();
    expect((await client.readBalance()).value.account).toBe(CHECKSUMMED);
  });
});

describe('a key of several accounts', () => {
  const OTHER = '0x00000000000000000000000000000000000000ff';
  const KEYS = [CHECKSUMMED, OTHER].map((account) => `${KEY}:${SECRET}:${account}`).join(',');

  it('pays from none where the create carries no account', async () => {
    const sandbox = await startPlayed({ KEYS, ACCOUNT_IN: 'shown' });
    const client = clientOf(sandbox, { accountIn: 'shown' });
    const error = await failureOf(client.createMassPayout(payoutInput()));
    expect([error.kind, error.errorCode]).toEqual(['refused', 'FIELD_INVALID']);
    expect((await countObjects(sandbox)).payouts).toBe(0);
  });
});
