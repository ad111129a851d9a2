import { describe, expect, it } from '@jest/globals';
import {
  endpointsOfOpenApi,
  type ProbeOptions,
  type ProbeReport,
  probeService,
  PROBE_REQUESTS_MAX,
} from '@bursar/merchant-api';
import { DEFAULT_ENDPOINTS, type Endpoints, OPERATIONS, SHAPES } from '@bursar/merchant-api/spec';
import { UNPROBED_OPERATIONS } from '../../src/probe/asker.ts';
import { OTHER_PATHS } from '../../src/probe/other-paths.ts';
import { openApiDocument } from '../../../sandbox/src/openapi/document.ts';
import { KEY, SECRET } from '../../../sandbox/test/support/client.ts';
import type { Started } from '../../../sandbox/test/support/start.ts';
import { jumpingTimer, openServer } from '../support/fixtures.ts';
import { answerBytes, type RawAnswer } from '../support/raw-server.ts';
import {
  CHECKSUMMED,
  clientOf,
  makeObjects,
  probeOptionsFor,
  startPlayed,
} from '../support/shape-cases.ts';

const probe = (sandbox: Started, more: Partial<ProbeOptions> = {}): Promise<ProbeReport> =>
  probeService({ ...probeOptionsFor(sandbox), ...more });

const valueOf = ({ findings }: ProbeReport, point: string): string | undefined =>
  findings.find((finding) => finding.point === point)?.value;

const openPoints = ({ open }: ProbeReport): string[] => open.map(({ point }) => point);

/** Operations that the sandbox was asked for. */
async function askedOf({ client }: Started): Promise<Set<string>> {
  const { text } = await client.get('/sandbox/requests?limit=1000');
  const { requests } = JSON.parse(text) as { requests: { operation: string }[] };
  return new Set(requests.map(({ operation }) => operation));
}

const READS = [
  'ACCOUNT',
  'FEE_CALCULATION',
  'LOOKUP',
  'LOOKUP_ADDRESS',
  'MASS_GET',
  'OPCODES',
  'TRANSACTION_LIST',
  'USER',
  'WALLET_LIST',
  'WEBHOOK_LIST',
];

/** Every operation at a path that shows nothing. */
const MOVED = Object.fromEntries(
  OPERATIONS.map((operation, index) => [operation, `/api/v1/part${index}`]),
) as Endpoints;

const settingsOfEndpoints = (endpoints: Partial<Endpoints>): Record<string, string> =>
  Object.fromEntries(Object.entries(endpoints).map(([name, path]) => [`ENDPOINT_${name}`, path]));

/**
 * A server that reads balances, answers everything else alike with status 400, and has the mass payout `mp-1`, by its id
 * beside the timestamp.
 */
const startAlike = (body: string, { flat = false } = {}) =>
  openServer({
    onRequest: (socket, { head, body: asked }) => {
      const isBalance = head.startsWith('POST /api/v1/account ');
      const isFound =
        flat && head.startsWith('POST /api/v1/payout/mass ') && asked.includes(',"id":"mp-1"');
      const good = isBalance ? BALANCE : '{"id":"mp-1","state":"COMPLETED"}';
      const isGood = isBalance || isFound;
      socket.write(answerBytes({ status: isGood ? 200 : 400, body: isGood ? good : body }));
    },
  });

const BALANCE = `{"account":"${CHECKSUMMED}","balances":[]}`;

describe('the shapes of a service', () => {
  it.each([
    ...SHAPES.massGetAccepts.map((value) => [
      { MASS_GET_ACCEPTS: value },
      { massGetAccepts: value },
    ]),
    ...SHAPES.accountIn.map((value) => [{ ACCOUNT_IN: value }, { accountIn: value }]),
    [{ ACCOUNT_CASE: 'exact' }, { accountCase: 'any' }],
    [{ ACCOUNT_CASE: 'lower' }, { accountCase: 'lower' }],
    [{ TIMESTAMP_UNIT: 's' }, { timestampUnit: 's' }],
    [
      { ACCOUNT_IN: 'all', ACCOUNT_CASE: 'lower', TIMESTAMP_UNIT: 's', MASS_GET_ACCEPTS: 'flat' },
      { accountIn: 'all', accountCase: 'lower', timestampUnit: 's', massGetAccepts: 'flat' },
    ],
    [
      { ERROR_STATUS: 'all-400', ERROR_CODE: 'one-for-all', MASS_GET_ACCEPTS: 'flat-key-only' },
      { massGetAccepts: 'flat-key-only' },
    ],
    [
      { ERROR_STATUS: 'all-200', ACCOUNT_IN: 'shown', MASS_GET_ACCEPTS: 'id-only' },
      { accountIn: 'shown', massGetAccepts: 'id-only' },
    ],
    [
      { ANSWER_WRAPPER: 'data', EXTRA_FIELDS: 'some', NUMBERS: 'exponent' },
      { accountIn: 'most', massGetAccepts: 'reference', pageBase: 'one' },
    ],
  ] as [Record<string, string>, object][])('of %j are %j', async (modes, shapes) => {
    expect((await probe(await startPlayed(modes))).shapes).toMatchObject(shapes);
  });

  it.each([...SHAPES.pageBase])(
    'has the first page %s by the wallets that exist',
    async (value) => {
      const sandbox = await startPlayed({ PAGE_BASE: value });
      await makeObjects(clientOf(sandbox, { pageBase: value }));
      expect((await probe(sandbox)).shapes.pageBase).toBe(value);
    },
  );

  it('are those by which a client then reads what exists', async () => {
    const modes = { ACCOUNT_IN: 'shown', MASS_GET_ACCEPTS: 'flat-id-only', TIMESTAMP_UNIT: 's' };
    const sandbox = await startPlayed(modes);
    const { shapes } = await probe(sandbox);
    const client = clientOf(sandbox, shapes);
    const { id } = await makeObjects(client);
    expect((await client.readMassPayout({ id })).value.id).toBe(id);
  });
});

describe('a mass payout that exists', () => {
  it('proves that reads by id and by key find', async () => {
    const sandbox = await startPlayed();
    const { id, idempotencyKey } = await makeObjects(clientOf(sandbox));
    const report = await probe(sandbox, { known: { id, idempotencyKey } });
    expect(valueOf(report, 'lookupByKey')).toBe('available');
    expect(openPoints(report)).toEqual(['MASS_CREATE']);
  });

  it('shows that nothing can be read where reads go by key alone and find nothing', async () => {
    const modes = { MASS_GET_ACCEPTS: 'key-only', LOOKUP_BY_KEY: 'absent', ENDPOINT_LOOKUP: '' };
    const sandbox = await startPlayed(modes);
    expect((await probe(sandbox)).shapes.massGetAccepts).toBe('key-only');
    const { id, idempotencyKey } = await makeObjects(clientOf(sandbox));
    const report = await probe(sandbox, { known: { id, idempotencyKey } });
    expect(valueOf(report, 'lookupByKey')).toBe('absent');
    expect(report.shapes.massGetAccepts).toBeUndefined();
    expect(openPoints(report)).toEqual(expect.arrayContaining(['massGetAccepts', 'LOOKUP']));
  });

  it.each(['absent', 'refused'])(
    'shows that reads by key find nothing where they are %s',
    async (mode) => {
      const sandbox = await startPlayed({ LOOKUP_BY_KEY: mode });
      const { id, idempotencyKey } = await makeObjects(clientOf(sandbox));
      const report = await probe(sandbox, { known: { id, idempotencyKey } });
      expect(valueOf(report, 'lookupByKey')).toBe('absent');
      expect(report.open).toContainEqual({
        point: 'lookupByKeyAbsent',
        cost: 'No lookup by key: a create in doubt needs a person.',
      });
    },
  );

  it('is proof where the refusals of the service show nothing', async () => {
    const { url } = await startAlike('{"message":"no"}', { flat: true });
    const options = { baseUrl: url, key: KEY, secret: SECRET, account: CHECKSUMMED };
    const timer = jumpingTimer().timer;
    expect(openPoints(await probeService({ ...options, timer }))).toContain('massGetAccepts');
    const report = await probeService({ ...options, timer, known: { id: 'mp-1' } });
    expect(report.shapes.massGetAccepts).toBe('flat');
  });
});

describe('the paths of a service', () => {
  it.each(['json', 'text', 'html'])(
    'are empty for operations that it lacks, unknownPath %s',
    async (unknown) => {
      const lacking = { LOOKUP: '', FEE_CALCULATION: '', USER: '' };
      const modes = { ...settingsOfEndpoints(lacking), UNKNOWN_PATH: unknown };
      const report = await probe(await startPlayed(modes));
      expect(report.endpoints).toMatchObject({ ...lacking, WALLET_LIST: '/api/v1/wallet/list' });
      expect(openPoints(report)).toEqual(
        expect.arrayContaining(['LOOKUP', 'FEE_CALCULATION', 'USER']),
      );
    },
  );

  it('are found among likely ones', async () => {
    const others = {
      LOOKUP: '/api/v1/payout/find',
      FEE_CALCULATION: '/api/v1/fee/calculation',
      WEBHOOK_LIST: '/api/v1/webhooks/list',
    };
    const report = await probe(await startPlayed(settingsOfEndpoints(others)));
    expect(report.endpoints).toMatchObject(others);
  });

  it('are found by its description where every operation is elsewhere', async () => {
    const sandbox = await startPlayed({ ...settingsOfEndpoints(MOVED), MASS_GET_ACCEPTS: 'flat' });
    const document = openApiDocument({ endpoints: MOVED, serverUrl: '/' });
    const described = endpointsOfOpenApi(JSON.parse(JSON.stringify(document)));
    const report = await probe(sandbox, { described });
    expect(report.endpoints).toEqual({ ...MOVED, ACCOUNT: MOVED.ACCOUNT });
    expect(report.shapes.massGetAccepts).toBe('flat');
    expect([...(await askedOf(sandbox))].toSorted()).toEqual(READS);
  });

  it('are not asked where they are switched off', async () => {
    const sandbox = await startPlayed();
    const report = await probe(sandbox, { endpoints: { LOOKUP: '', USER: '' } });
    expect([...(await askedOf(sandbox))]).not.toEqual(expect.arrayContaining(['LOOKUP']));
    expect(openPoints(report)).toEqual(expect.arrayContaining(['LOOKUP', 'USER']));
  });
});

describe('a probe', () => {
  it.each([{}, { ACCOUNT_IN: 'shown' }, { MASS_GET_ACCEPTS: 'flat' }, { ERROR_STATUS: 'all-200' }])(
    'of a sandbox of %j sends reads alone',
    async (modes) => {
      const sandbox = await startPlayed(modes);
      const { requests } = await probe(sandbox);
      expect(requests).toBeLessThanOrEqual(PROBE_REQUESTS_MAX);
      expect([...(await askedOf(sandbox))].toSorted()).toEqual(READS);
    },
  );

  it('sends nothing to a path that is set for a create too', async () => {
    const sandbox = await startPlayed();
    const report = await probe(sandbox, { endpoints: { LOOKUP: DEFAULT_ENDPOINTS.MASS_CREATE } });
    expect([...(await askedOf(sandbox))]).not.toContain('MASS_CREATE');
    expect(openPoints(report)).toContain('LOOKUP');
  });

  it('rejects with the words of a service that refuses every form of account and time', async () => {
    const sandbox = await startPlayed();
    await expect(probe(sandbox, { secret: 'wrong-secret' })).rejects.toMatchObject({
      kind: 'refused',
      operation: 'ACCOUNT',
      errorCode: 'SIGNATURE_INVALID',
      serviceMessage: 'The header Sign does not match the body.',
    });
  });

  it('rejects where nothing listens', async () => {
    const sandbox = await startPlayed();
    await sandbox.close();
    await expect(probe(sandbox)).rejects.toMatchObject({ kind: 'not-sent', operation: 'ACCOUNT' });
  });

  it('ends when it is aborted', async () => {
    const sandbox = await startPlayed();
    const aborted = new AbortController();
    aborted.abort();
    await expect(probe(sandbox, { signal: aborted.signal })).rejects.toMatchObject({
      kind: 'not-sent',
    });
  });

  it('is refused a pace that is no number above 0', async () => {
    const sandbox = await startPlayed();
    await expect(probe(sandbox, { requestsPerSecond: 0 })).rejects.toThrow(TypeError);
  });

  it.each([
    ['refuses everything alike', { status: 400, body: '{}' }],
    ['fails at everything', { status: 500 }],
    ['answers an empty object to everything', { status: 200, body: '{}' }],
    ['answers a page to everything', { status: 200, body: '<html></html>' }],
    ['has too many requests', { status: 429, headers: { 'Retry-After': '7' } }],
  ] as [string, RawAnswer][])('finds only the account at a service that %s', async (_, answer) => {
    const { url, requests } = await openServer({
      onRequest: (socket, { head }) => {
        const isBalance = head.startsWith('POST /api/v1/account ');
        socket.write(answerBytes(isBalance ? { body: BALANCE } : answer));
      },
    });
    const { timer } = jumpingTimer();
    const options = { baseUrl: url, key: KEY, secret: SECRET, account: CHECKSUMMED, timer };
    const report = await probeService(options);
    expect(report.shapes).toEqual({ accountCase: 'any', timestampUnit: 'ms' });
    expect(report.requests).toBe(requests.length);
    expect(requests.length).toBeLessThanOrEqual(PROBE_REQUESTS_MAX);
    const unprobed = UNPROBED_OPERATIONS.map(
      (operation) => `POST ${DEFAULT_ENDPOINTS[operation]} `,
    );
    expect(requests.filter(({ head }) => unprobed.some((start) => head.startsWith(start)))).toEqual(
      [],
    );
  });

  it('names the operations that the service refuses for this key, and does not call them served', async () => {
    const forbidden = ['LOOKUP', 'FEE_CALCULATION', 'OPCODES'] as const;
    const starts = forbidden.map((operation) => `POST ${DEFAULT_ENDPOINTS[operation]} `);
    const { url } = await openServer({
      onRequest: (socket, { head }) => {
        const isForbidden = starts.some((start) => head.startsWith(start));
        const refusal = { status: isForbidden ? 403 : 404, body: '{"message":"no"}' };
        const isBalance = head.startsWith('POST /api/v1/account ');
        socket.write(answerBytes(isBalance ? { body: BALANCE } : refusal));
      },
    });
    const { timer } = jumpingTimer();
    const options = { baseUrl: url, key: KEY, secret: SECRET, account: CHECKSUMMED, timer };
    const report = await probeService(options);
    expect(report.forbidden).toEqual(forbidden);
    expect(openPoints(report)).toEqual(expect.arrayContaining([...forbidden]));
    expect(Object.keys(report.endpoints)).not.toEqual(expect.arrayContaining(['LOOKUP']));
  });

  it('names none where the service refuses every path so', async () => {
    const { url } = await openServer({
      onRequest: (socket, { head }) => {
        const isBalance = head.startsWith('POST /api/v1/account ');
        socket.write(answerBytes(isBalance ? { body: BALANCE } : { status: 403, body: '{}' }));
      },
    });
    const { timer } = jumpingTimer();
    const options = { baseUrl: url, key: KEY, secret: SECRET, account: CHECKSUMMED, timer };
    expect((await probeService(options)).forbidden).toEqual([]);
  });

  it('waits for as long as a refusal for too many requests names, and goes on', async () => {
    const { timer, waits } = jumpingTimer();
    let count = 0;
    const { url } = await openServer({
      onRequest: (socket) => {
        count += 1;
        const busy = { status: 429, headers: { 'Retry-After': '7' } };
        socket.write(answerBytes(count === 1 ? busy : { body: BALANCE }));
      },
    });
    const options = { baseUrl: url, key: KEY, secret: SECRET, account: CHECKSUMMED, timer };
    const { findings } = await probeService({ ...options, requestsPerSecond: 4 });
    expect(findings[0]).toEqual({ point: 'ACCOUNT', value: 'served', by: 'status 200' });
    expect(waits.slice(0, 4)).toEqual([0, 7_000, 250, 250]);
  });
});

describe('the likely paths', () => {
  const paths = Object.values(OTHER_PATHS).flat();

  it('name reads alone', () => {
    const reads = /\/(?:get|find|lookup|list|info|opcodes|calculate|calculation)$/;
    expect(paths.filter((path) => !reads.test(path))).toEqual([]);
  });

  it('are not those of operations that create, change or delete', () => {
    const unprobed: string[] = UNPROBED_OPERATIONS.map((operation) => DEFAULT_ENDPOINTS[operation]);
    expect(paths.filter((path) => unprobed.includes(path))).toEqual([]);
  });
});
