import { describe, expect, it } from '@jest/globals';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planStack, type StackPlan } from '../../src/local-stack/plan.ts';
import { loadSettings, readApiSecret, readSettings, requireApi } from '../../src/config.ts';
import { readSettings as readSandboxSettings } from '../../packages/sandbox/src/settings.ts';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { freePort } from '../support/free-port.ts';
import { newFolder } from './support/folders.ts';

type Given = Readonly<{
  env?: Record<string, string>;
  sandbox?: boolean;
  encrypt?: boolean;
  cwd?: string;
}>;

async function plan({ env = {}, cwd = newFolder(), ...given }: Given = {}) {
  const dataDir = join(cwd, '.bursar');
  mkdirSync(dataDir, { recursive: true });
  const tokens = `token-4711-0123456789-0123456789-0123\n${'o'.repeat(40)}\n`;
  writeFileSync(join(dataDir, 'bridge-token'), tokens, { mode: 0o600 });
  const settings = loadSettings({ env, cwd: () => cwd });
  const fixed = { ports: 'free', temporalPorts: { grpc: 0, ui: 0 }, say: () => {} } as const;
  return {
    cwd,
    dataDir,
    ...(await planStack({ settings, env, cwd, ...fixed, ...given }, dataDir)),
  };
}

/** The settings that the sandbox of a stack reads. */
const sandboxOf = ({ cwd, sandboxEnv }: StackPlan & { cwd: string }, tomlText = '') =>
  readSandboxSettings({ env: sandboxEnv?.() ?? {}, tomlText, folder: cwd });

const keysOf = ({ sandboxEnv }: StackPlan) => sandboxEnv?.()['BURSAR_SANDBOX_KEYS'];

describe('engine and sandbox of a stack', () => {
  it('have the addresses of each other', async () => {
    const { addresses, env, sandboxEnv } = await plan();
    expect(env).toMatchObject({
      BURSAR_API_BASE_URL: addresses.sandbox,
      BURSAR_BRIDGE_LISTEN: addresses.bridge.replace('http://', ''),
    });
    expect(sandboxEnv?.()).toMatchObject({
      BURSAR_SANDBOX_LISTEN: addresses.sandbox?.replace('http://', ''),
      BURSAR_SANDBOX_WEBHOOK_URL: `${addresses.bridge}/hooks/token-4711-0123456789-0123456789-0123`,
    });
  });

  it('meet at the addresses of bursar.toml, under the paths that the sandbox serves', async () => {
    const cwd = newFolder();
    const port = await freePort();
    writeFileSync(
      join(cwd, 'bursar.toml'),
      `[sandbox]
       listen = "127.0.0.1:${port}"
       [sandbox.endpoints]
       lookup = "/sand/look"
       [api.endpoints]
       mass_get = "/real/get"`,
    );
    const { addresses, env } = await plan({ cwd });
    expect(addresses.sandbox).toBe(`http://127.0.0.1:${port}`);
    expect(env['BURSAR_SANDBOX_LISTEN']).toBeUndefined();
    const { api, sandbox } = loadSettings({ env, cwd: () => cwd });
    expect(api.endpoints).toEqual(sandbox.endpoints);
    expect(api.endpoints).toEqual({ ...DEFAULT_ENDPOINTS, LOOKUP: '/sand/look' });
  });

  it('give commands the address of the sandbox when its port differs from the settings', async () => {
    const { addresses, env } = await plan({ env: { BURSAR_SANDBOX_LISTEN: '127.0.0.1:0' } });
    expect(`http://${env['BURSAR_SANDBOX_LISTEN']}`).toBe(addresses.sandbox);
  });

  it('lead people to the web UI of this stack, with any settings', async () => {
    const { addresses, env, cwd } = await plan({
      env: { BURSAR_TEMPORAL_UI_URL: 'https://cloud.example' },
    });
    expect(loadSettings({ env, cwd: () => cwd }).temporal.uiUrl).toBe(addresses.ui);
  });

  it('share one secret, which lies in a file of mode 0600 and in no environment of the engine', async () => {
    const made = await plan();
    const settings = loadSettings({ env: made.env, cwd: () => made.cwd });
    const { key, account } = requireApi(settings);
    const secret = readApiSecret(settings);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(keysOf(made)).toBe(`${key}:${secret}:${account}`);
    expect(JSON.stringify(made.env)).not.toContain(secret);
    expect(statSync(join(made.dataDir, 'sandbox-secret')).mode & 0o777).toBe(0o600);
    expect(settings.warnings).toEqual([]);
  });

  it('keep their secret and data from one start to the next', async () => {
    const first = await plan();
    const second = await plan({ cwd: first.cwd });
    expect(keysOf(second)).toBe(keysOf(first));
    for (const made of [first, second]) {
      expect(sandboxOf(made).storePath).toBe(join(first.dataDir, 'sandbox.db'));
    }
    expect(keysOf(await plan())).not.toBe(keysOf(first));
  });

  it("leave the user's own sandbox settings unchanged", async () => {
    const env = {
      BURSAR_SANDBOX_KEYS: 'k:s:a',
      BURSAR_SANDBOX_STORE_URL: 'sqlite:mine.db',
      BURSAR_SANDBOX_SPEED: '100',
    };
    const made = await plan({ env });
    expect(keysOf(made)).toMatch(/^bursar-local:.+,k:s:a$/);
    expect(made.sandboxEnv?.()).toMatchObject({
      BURSAR_SANDBOX_STORE_URL: 'sqlite:mine.db',
      BURSAR_SANDBOX_SPEED: '100',
    });
  });
});

describe('the sandbox of a stack', () => {
  const mine = `mine:hush:0x${'a'.repeat(40)}`;
  const section = `[sandbox]
    keys = "${mine}"
    store_url = "sqlite:mine.db"
    step_ms = 7
    webhook_url = "http://127.0.0.1:9/mine"`;

  async function planWith(env: Record<string, string> = {}) {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'bursar.toml'), section);
    const made = await plan({ cwd, env });
    return { cwd, made, sandbox: sandboxOf(made, section) };
  }

  it('follows bursar.toml as one that is started alone does, but sends its webhooks to the bridge', async () => {
    const { cwd, made, sandbox } = await planWith();
    expect([...sandbox.keys.keys()]).toEqual(['bursar-local', 'mine']);
    expect(sandbox.keys.get('mine')?.secret).toBe('hush');
    expect(sandbox.storePath).toBe(join(cwd, 'mine.db'));
    expect(sandbox.stepMs).toBe(7);
    expect(sandbox.webhookUrl).toBe(
      `${made.addresses.bridge}/hooks/token-4711-0123456789-0123456789-0123`,
    );
  });

  it('follows the environment before bursar.toml', async () => {
    const { cwd, sandbox } = await planWith({
      BURSAR_SANDBOX_KEYS: mine.replace('mine', 'other'),
      BURSAR_SANDBOX_STORE_URL: 'sqlite:other.db',
    });
    expect([...sandbox.keys.keys()]).toEqual(['bursar-local', 'other']);
    expect(sandbox.storePath).toBe(join(cwd, 'other.db'));
  });
});

describe('beside a real service', () => {
  const real = { BURSAR_API_BASE_URL: 'https://pay.example', BURSAR_API_SECRET: 'hush' };

  it('no sandbox is planned, and the settings of the service stay', async () => {
    const { addresses, env, sandboxEnv } = await plan({ env: real });
    expect(addresses.sandbox).toBeUndefined();
    expect(sandboxEnv).toBeUndefined();
    expect(env).toMatchObject(real);
  });

  it('a demanded sandbox replaces the service altogether', async () => {
    const { addresses, env } = await plan({ env: real, sandbox: true });
    expect(env['BURSAR_API_BASE_URL']).toBe(addresses.sandbox);
    expect(env['BURSAR_API_SECRET']).toBeUndefined();
    expect(env['BURSAR_API_KEY']).toBe('bursar-local');
  });

  it('none is planned when the flags forbid it', async () => {
    expect((await plan({ sandbox: false })).addresses.sandbox).toBeUndefined();
  });
});

it("keeps the user's own Temporal profile away from the local server", async () => {
  const env = { TEMPORAL_API_KEY: 'cloud', TEMPORAL_PROFILE: 'cloud', TEMPORAL_TLS: 'true' };
  const made = await plan({ env });
  const profile = join(made.dataDir, 'temporal.toml');
  const temporal = Object.entries(made.env).filter(([name]) => name.startsWith('TEMPORAL_'));
  expect(Object.fromEntries(temporal)).toEqual({
    TEMPORAL_ADDRESS: made.addresses.temporal,
    TEMPORAL_CONFIG_FILE: profile,
    TEMPORAL_NAMESPACE: 'default',
  });
  expect(readFileSync(profile, 'utf8')).toBe(
    `[profile.default]\naddress = "${made.addresses.temporal}"\nnamespace = "default"\n`,
  );
});

describe('an encrypted stack', () => {
  const RING = 'BURSAR_TEMPORAL_KEY_RING_FILE';

  it('makes its key ring and its token, and gives every process the path of the keys', async () => {
    const { dataDir, addresses, env, uiCodecEndpoint = '' } = await plan({ encrypt: true });
    const ring = join(dataDir, 'key-ring');
    expect(env[RING]).toBe(ring);
    for (const file of [ring, join(dataDir, 'codec-token')]) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    const token = readFileSync(join(dataDir, 'codec-token'), 'utf8').trim();
    expect(uiCodecEndpoint).toBe(`${addresses.codecServer}/${token}`);
    expect(JSON.stringify([addresses, env])).not.toContain(token);
    expect(readSettings({ env, cwd: '/' }).codec.origins).toEqual([addresses.ui]);
  });

  it('stays encrypted when it is started again, with the same keys', async () => {
    const { cwd, dataDir } = await plan({ encrypt: true });
    const ring = readFileSync(join(dataDir, 'key-ring'));
    for (const again of [await plan({ cwd }), await plan({ cwd, encrypt: true })]) {
      expect(again.env[RING]).toBe(join(dataDir, 'key-ring'));
      expect(again.uiCodecEndpoint).toBeDefined();
    }
    expect(readFileSync(join(dataDir, 'key-ring'))).toEqual(ring);
  });

  it('takes the key ring of the settings, which must exist unless a new one is demanded', async () => {
    const cwd = newFolder();
    const env = { [RING]: join(cwd, 'mine') };
    await expect(plan({ cwd, env })).rejects.toMatchObject({ code: 'KEY_RING_UNREADABLE' });
    expect((await plan({ cwd, env, encrypt: true })).env[RING]).toBe(join(cwd, 'mine'));
    expect((await plan({ cwd, env })).env[RING]).toBe(join(cwd, 'mine'));
  });

  it('is not the default', async () => {
    const { addresses, env, uiCodecEndpoint } = await plan();
    expect([addresses.codecServer, env[RING], uiCodecEndpoint]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
