import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { probeService } from '@bursar/merchant-api';
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
import { clientOptions } from '../../src/config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

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
    expect(again.out).toContain('The settings are so already.');
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
    expect(shown.out).toContain('No read of a mass payout was understood.');
    const refused = await run('probe', '--write');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('nothing was found to write');
    expect(read()).toBe(before);
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
});
