import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ProbeChoices, probeService } from '@bursar/merchant-api';
import { type Endpoints, OPERATIONS } from '@bursar/merchant-api/spec';
import { jumpingTimer } from '../../packages/merchant-api/test/support/fixtures.ts';
import {
  CHECKSUMMED,
  clientOf,
  makeObjects,
  startPlayed,
} from '../../packages/merchant-api/test/support/shape-cases.ts';
import { openApiDocument } from '../../packages/sandbox/src/openapi/document.ts';
import { KEY, SECRET } from '../../packages/sandbox/test/support/client.ts';
import type { CommandOpeners } from '../../src/cli/context.ts';
import { clientOptions } from '../../src/config.ts';
import type { Store } from '../../src/store/index.ts';
import { planBatch } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';
import { inStore } from './support/in-store.ts';

type Modes = Readonly<Record<string, string>>;

/** A command line whose service is a sandbox in these modes. Settings stand in `bursar.toml`. */
async function probeWorld({ modes = {}, env = {} }: Readonly<{ modes?: Modes; env?: Modes }> = {}) {
  const sandbox = await startPlayed(modes);
  const folder = temporaryFolder();
  const path = join(folder, 'bursar.toml');
  writeFileSync(path, `# Ours\n[api]\nbase_url = "${sandbox.url}"\n`);
  writeFileSync(join(folder, 'secret'), SECRET, { mode: 0o600 });
  const world = fakeWorld({
    cwd: folder,
    env: {
      BURSAR_API_BASE_URL: sandbox.url,
      BURSAR_API_KEY: KEY,
      BURSAR_API_ACCOUNT: CHECKSUMMED,
      BURSAR_API_SECRET_FILE: join(folder, 'secret'),
      ...env,
    },
    open: {
      probe: async (settings, choices) =>
        probeService({
          ...clientOptions(settings),
          ...choices,
          nowMs: sandbox.clock.nowMs,
          timer: jumpingTimer().timer,
        }),
    },
  });
  return { ...world, sandbox, folder, read: () => readFileSync(path, 'utf8') };
}

const settingsOfEndpoints = (endpoints: Partial<Endpoints>): Modes =>
  Object.fromEntries(Object.entries(endpoints).map(([name, path]) => [`ENDPOINT_${name}`, path]));

const FLAT = { MASS_GET_ACCEPTS: 'flat-id-only', TIMESTAMP_UNIT: 's', ENDPOINT_LOOKUP: '' };

describe('bursar probe', () => {
  it('prints what was found, what stays open and its cost, in 80 columns', async () => {
    const { run, read } = await probeWorld({ modes: FLAT });
    const before = read();
    const { code, out } = await run('probe');
    expect(code).toBe(0);
    expect(out).toContain('  mass_get_accepts  flat-id-only');
    expect(out).toContain('  timestamp_unit    s');
    expect(out).toContain('  LOOKUP\n      Mass payouts are read by MASS_GET alone.');
    expect(out).toContain('  api.endpoints.lookup = ""');
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(read()).toBe(before);
  });

  it('writes the settings, by which the next probe finds all set so', async () => {
    const { run, read } = await probeWorld({ modes: FLAT });
    const { out } = await run('probe', '--write');
    expect(out).toContain('Written: ');
    expect(read()).toMatch(/^# Ours\n\[api\]\n/);
    expect(read()).toContain('[api.endpoints]\nlookup = ""\n');
    expect(read()).toContain('mass_get_accepts = "flat-id-only"\n');
    const again = await run('probe', '--write');
    expect(again.out).toContain('The settings have these values already.');
  });

  it('names each variable of the environment that differs from what was found', async () => {
    const variable = 'BURSAR_API_SHAPE_MASS_GET_ACCEPTS';
    const line = `\n  ${variable} has another value and overrides the file: unset it.\n`;
    const env = { [variable]: 'reference', BURSAR_API_SHAPE_TIMESTAMP_UNIT: 's' };
    const { run, json, read } = await probeWorld({ modes: FLAT, env });
    expect((await run('probe')).out).toContain(line);
    const written = await run('probe', '--write');
    expect(written.out).toContain(line);
    expect(written.out).not.toContain('BURSAR_API_SHAPE_TIMESTAMP_UNIT');
    expect(read()).toContain('mass_get_accepts = "flat-id-only"\n');
    const again = await run('probe', '--write');
    expect(again.out).toContain(line);
    expect(again.out).not.toContain('The settings have these values already.');
    const { value } = await json('probe');
    expect(value['variables']).toEqual([variable]);
  });

  it('keeps the limit of requests that is set', async () => {
    const asked: ProbeChoices[] = [];
    const probe: CommandOpeners['probe'] = async (_settings, choices) => {
      asked.push(choices);
      return { shapes: {}, endpoints: {}, findings: [], open: [], forbidden: [], requests: 1 };
    };
    for (const limit of ['2', '50']) {
      const env = { BURSAR_API_REQUESTS_PER_SECOND: limit };
      await fakeWorld({ cwd: temporaryFolder(), env, open: { probe } }).run('probe');
    }
    expect(asked.map(({ requestsPerSecond }) => requestsPerSecond)).toEqual([2, 5]);
  });

  it('shows the change and makes none with --dry-run', async () => {
    const { json, read } = await probeWorld({ modes: FLAT });
    const before = read();
    const { value } = await json('probe', '--write', '--dry-run');
    expect(value).toMatchObject({ schema: 'bursar.probe/v1', isWritten: false });
    expect(value['changed']).toContainEqual({
      setting: 'api.shapes.timestamp_unit',
      before: null,
      after: '"s"',
    });
    expect(read()).toBe(before);
  });

  it('finds everything elsewhere by the description of the service', async () => {
    const endpoints = Object.fromEntries(
      OPERATIONS.map((operation, index) => [operation, `/api/v1/part${index}`]),
    ) as Endpoints;
    const { run, read, folder } = await probeWorld({ modes: settingsOfEndpoints(endpoints) });
    const document = openApiDocument({ endpoints, serverUrl: '/' });
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    const { code } = await run('probe', '--openapi', join(folder, 'openapi.json'), '--write');
    expect(code).toBe(0);
    for (const operation of OPERATIONS) {
      expect(read()).toContain(`\n${operation.toLowerCase()} = "${endpoints[operation]}"\n`);
    }
  });

  it('probes an operation at the path that is given', async () => {
    const modes = { ENDPOINT_LOOKUP: '/objects' };
    const { json } = await probeWorld({ modes });
    const { value } = await json('probe', '--endpoint', 'lookup=/objects', '--endpoint', 'USER=');
    expect(value['endpoints']).toMatchObject({ LOOKUP: '/objects' });
    expect(value['open']).toContainEqual({
      point: 'USER',
      cost: 'Nothing: no batch needs it.',
    });
  });

  it('takes a mass payout as proof', async () => {
    const { json, sandbox } = await probeWorld();
    const { id, idempotencyKey } = await makeObjects(clientOf(sandbox));
    const { value } = await json('probe', '--mass-payout', id, '--key', idempotencyKey);
    expect(value['findings']).toContainEqual(
      expect.objectContaining({ point: 'lookupByKey', value: 'available' }),
    );
  });

  it('ends with 14 and writes nothing where no read of a mass payout is understood', async () => {
    const modes = { ENDPOINT_MASS_GET: '/moved', ENDPOINT_LOOKUP: '/moved-too' };
    const { run, read } = await probeWorld({ modes });
    const before = read();
    const shown = await run('probe');
    expect(shown.code).toBe(14);
    expect(shown.out).toContain('The service accepted no read of a mass payout by id');
    const refused = await run('probe', '--write');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('there is nothing to write');
    expect(read()).toBe(before);
  });

  it('writes that MASS_GET takes keys alone once a key has found a mass payout, and not before', async () => {
    const modes = { MASS_GET_ACCEPTS: 'key-only', ENDPOINT_LOOKUP: '' };
    const { run, read, sandbox } = await probeWorld({ modes });
    expect((await run('probe', '--write')).err).toContain('there is nothing to write');
    const { id, idempotencyKey } = await makeObjects(clientOf(sandbox));
    const proof = ['--mass-payout', id, '--key', idempotencyKey];
    expect((await run('probe', '--write', ...proof)).code).toBe(0);
    expect(read()).toContain('mass_get_accepts = "key-only"');
  });

  it('ends with 4 and the words of a service that refuses the key', async () => {
    const { run } = await probeWorld({ env: { BURSAR_API_KEY: 'another-key' } });
    const { code, err } = await run('probe');
    expect(code).toBe(4);
    expect(err).toContain('The header Key is missing or unknown.');
  });

  it.each([
    [['--endpoint', 'LOOKUP'], '--endpoint: must be OPERATION=/path'],
    [['--endpoint', 'NOTHING=/x'], '--endpoint: must be OPERATION=/path'],
    [['--key', 'a'], '--key: names no mass payout without --mass-payout'],
    [['--openapi', '/nowhere/openapi.json'], '--openapi: it cannot be read as JSON (ENOENT)'],
    [['--openapi', 'bursar.toml'], '--openapi: it cannot be read as JSON'],
  ])('refuses %j', async (flags, words) => {
    const { run } = await probeWorld();
    const { code, err } = await run('probe', ...flags);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });

  it('takes the newest mass payout of the store as proof by itself', async () => {
    const asked: ProbeChoices[] = [];
    const world = fakeWorld({
      cwd: temporaryFolder(),
      open: {
        probe: async (_settings, choices) => {
          asked.push(choices);
          return { shapes: {}, endpoints: {}, findings: [], open: [], forbidden: [], requests: 1 };
        },
      },
    });
    await world.run('probe');
    const keys = await inStore(world, async (store) => {
      await planBatch(store, 'b', 2);
      return [await createOf(store, 0), await createOf(store, 1)];
    });
    await world.run('probe');
    expect(asked.map(({ known }) => known)).toEqual([
      undefined,
      { id: 'mp-1', idempotencyKey: keys[1] },
    ]);
  });

  it('writes into the tables of the account where the file has several', async () => {
    const { sandbox, folder, run, read } = await probeWorld({
      modes: FLAT,
      env: { BURSAR_ACCOUNT: 'emea' },
    });
    writeFileSync(join(folder, 'bursar.toml'), accountsText(sandbox.url));
    const { code, err } = await run('probe', '--write');
    expect([code, err]).toEqual([0, '']);
    expect(read().startsWith(accountsText(sandbox.url))).toBe(true);
    expect(read()).toContain('[accounts.emea.api.endpoints]\nlookup = ""\n');
    expect(read()).toContain('[accounts.emea.api.shapes]\n');
    expect(read()).not.toContain('[accounts.apac.api.shapes]');
  });
});

/** A create of a chunk that the service accepted as `mp-0` or `mp-1`. Returns its key. */
async function createOf(store: Store, chunk: number): Promise<string> {
  const { idempotencyKey } = await store.chunks.get('b', chunk);
  const ref = { batchId: 'b', chunk, idempotencyKey };
  const intent = { payload: `${chunk}`, payloadSha256: `${chunk}` };
  const attempt = { n: 1, timestampMs: 1_000 + chunk, bodySha256: 'b', intent };
  await store.sends.beginAttempt(ref, attempt);
  const end = { n: 1, outcome: 'ACCEPTED', endedMs: 9, httpStatus: 200, traceId: 't' } as const;
  const payout = { id: `mp-${chunk}`, state: 'CONFIRMED', fee: null, differences: [] };
  await store.sends.endAttempt(ref, end, payout);
  return idempotencyKey;
}

const accountsText = (baseUrl: string): string =>
  [
    `[api]\nbase_url = "${baseUrl}"\n`,
    ...['emea', 'apac'].map((name, index) =>
      [
        `[accounts.${name}.api]\naccount = "0x${String(index).repeat(40)}"`,
        `[accounts.${name}.temporal]\nnamespace = "${name}"`,
        `[accounts.${name}.store]\nurl = "sqlite:${name}.db"`,
        `[accounts.${name}.blob]\nurl = "file:${name}-files"`,
        `[accounts.${name}.report]\ndir = "${name}-runs"`,
        `[accounts.${name}.bridge]\ntoken_file = "${name}-token"\n`,
      ].join('\n'),
    ),
  ].join('\n');
