import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startSandbox } from '../../packages/sandbox/test/support/start.ts';
import { BursarError } from '../../src/domain/errors/bursar-error.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { withFiles } from './support/files.ts';

const TOML = `[operator]
name = "ann"
[profiles.test.api]
base_url = "http://127.0.0.1:8788"
`;

const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), { 'bursar.toml': TOML }), ...more });

const closed = (what: string) => () => {
  throw new Error(`${what} was opened`);
};

describe('bursar whoami', () => {
  it('shows service, account, store, Temporal and user, and opens nothing', async () => {
    const open = { store: closed('the store'), engine: closed('Temporal') };
    const env = { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE: 'pay' };
    const made = world({ open, env });
    const { cwd } = made.world;
    expect(await made.json('whoami')).toEqual({
      code: 0,
      value: {
        schema: 'bursar.whoami/v1',
        environment: 'LIVE',
        service: 'https://service.example',
        account: ACCOUNT,
        profile: null,
        accountName: null,
        keyId: 'key',
        settingsFile: join(cwd, 'bursar.toml'),
        store: `sqlite:${cwd}/.bursar/store.db`,
        files: `file:${cwd}/.bursar/blobs`,
        temporal: { address: 'temporal.example:7233', namespace: 'pay', taskQueue: 'bursar' },
        user: 'ann',
        signingKeyFile: null,
        version: '9.9.9',
        checks: null,
        server: null,
        isSandbox: null,
      },
    });
    const { out } = await made.run('whoami');
    expect(out).toMatch(/environment +LIVE/);
    expect(out).toMatch(/Temporal +temporal\.example:7233, namespace pay, queue bursar/);
  });

  it('takes the profile of the flag', async () => {
    const env = { BURSAR_API_BASE_URL: '' };
    const { value } = await world({ env }).json('whoami', '--profile', 'test');
    expect(value).toMatchObject({ environment: 'SANDBOX', profile: 'test' });
    const refused = await world({ env }).json('whoami', '--profile', 'other');
    expect([refused.code, refused.value['code']]).toEqual([2, 'SETTINGS_INVALID']);
    expect(refused.value['what']).toContain('must be one of test');
  });

  it('shows no password of the store', async () => {
    const env = { BURSAR_STORE_URL: 'postgres://ann:hunter2@db/bursar' };
    const { out } = await world({ env }).run('whoami', '-o', 'json');
    expect(out).not.toContain('hunter2');
  });

  it('with --check ends with the code of what does not answer', async () => {
    const unreachable = new BursarError('TEMPORAL_UNREACHABLE', { address: 'a', reason: 'no' });
    const service = {
      service: () =>
        Promise.reject(
          new BursarError('SETTING_MISSING', { setting: 'api.secret_file', variable: 'X' }),
        ),
    };
    const open = { ...service, engine: () => Promise.reject(unreachable) };
    const { code, value } = await world({ open }).json('whoami', '--check');
    expect(code).toBe(2);
    expect(value['checks']).toMatchObject([
      { name: 'service', problem: { code: 'SETTING_MISSING' } },
      { name: 'store', problem: null },
      { name: 'temporal', problem: { code: 'TEMPORAL_UNREACHABLE' } },
    ]);
    const { out } = await world({ open }).run('whoami', '--check');
    expect(out).toContain('ok  store answers');
    expect(out).toContain('TEMPORAL_UNREACHABLE');
  });
});

describe('bursar whoami --check', () => {
  const CALLS = {
    service: () =>
      Promise.reject(
        new BursarError('SETTING_MISSING', { setting: 'api.secret_file', variable: 'X' }),
      ),
  };

  it('warns of a sandbox that is shown as LIVE, and of a service on this machine that is none', async () => {
    const { url } = await startSandbox();
    const asLive = { BURSAR_API_BASE_URL: url, BURSAR_API_ENVIRONMENT: 'live' };
    const live = await world({ open: CALLS, env: asLive }).run('whoami', '--check');
    expect(live.out).toContain('Set api.environment = "sandbox"');
    const right = world({ open: CALLS, env: { BURSAR_API_BASE_URL: url } });
    expect((await right.json('whoami', '--check')).value['isSandbox']).toBe(true);
    expect((await right.run('whoami', '--check')).out).not.toContain('api.environment');
    const nothing = { BURSAR_API_BASE_URL: 'http://127.0.0.1:9' };
    const proxy = await world({ open: CALLS, env: nothing }).run('whoami', '--check');
    expect(proxy.out).toContain('Set api.environment = "live" if its money is real');
  });
});

describe('bursar config show', () => {
  it('shows every setting with its origin', async () => {
    const made = world();
    const path = join(made.world.cwd, 'bursar.toml');
    const { code, value } = await made.json('config', 'show', 'operator', '--origin');
    expect(code).toBe(0);
    expect(value).toMatchObject({
      schema: 'bursar.config/v1',
      file: path,
      settings: [
        { name: 'operator.name', value: 'ann', origin: 'file', place: `${path}:2` },
        { name: 'operator.key_file', value: null, origin: 'default', place: null },
      ],
    });
    const { out } = await made.run('config', 'show', '--origin');
    expect(out).toMatch(/^operator\.name +ann +bursar\.toml:2$/m);
    expect(out).toMatch(/^api\.account +0x\w+ +variable BURSAR_API_ACCOUNT$/m);
    expect(out).toMatch(/^batch\.chunk_rows +1000 +default$/m);
    expect((await made.run('config', 'show', 'operator.name')).out).toBe(
      'SETTING        VALUE\noperator.name  ann\n',
    );
  });

  it('refuses the name of no setting, and settings that are wrong', async () => {
    const made = world();
    expect((await made.json('config', 'show', 'opertor')).value['code']).toBe('FLAG_INVALID');
    writeFileSync(join(made.world.cwd, 'bursar.toml'), '[api]\nresend = "x"\n');
    expect((await made.json('config', 'show')).value['code']).toBe('SETTINGS_INVALID');
  });
});
