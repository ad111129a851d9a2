import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { planSettings, readSettings } from '../../src/config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILE = `
[api]
base_url = "https://pay.example"
requests_per_second = 5

[limits]
row = ["5:USDT_TRC20"]

[profiles.test.api]
base_url = "http://127.0.0.1:8788"
[profiles.test.store]
url = "sqlite:test.db"
[profiles.other.api]
key = "other"
`;

const read = (text: string, env: Record<string, string> = {}) =>
  readSettings({ env, cwd: '/pay', toml: { text, path: '/pay/bursar.toml' } });

function problemsOf(text: string, env: Record<string, string> = {}): string {
  try {
    read(text, env);
  } catch (error) {
    return (error as { facts: { problems: string } }).facts.problems;
  }
  throw new Error('the settings were accepted');
}

const TEST = { BURSAR_PROFILE: 'test' };

describe('a file with profiles', () => {
  it('is used as if it had none where no profile is chosen', () => {
    expect(read(FILE)).toMatchObject({
      api: { baseUrl: 'https://pay.example' },
      store: { url: 'sqlite:/pay/.bursar/store.db' },
    });
  });

  it('gives a program the settings of its profile over those of the file', () => {
    expect(read(FILE, TEST)).toMatchObject({
      api: { baseUrl: 'http://127.0.0.1:8788', requestsPerSecond: 5 },
      store: { url: 'sqlite:/pay/test.db' },
    });
  });

  it('loses against the environment', () => {
    const env = { ...TEST, BURSAR_API_BASE_URL: 'https://env.example' };
    expect(read(FILE, env).api.baseUrl).toBe('https://env.example');
  });

  it('refuses an unknown name, with the names that are there', () => {
    expect(problemsOf(FILE, { BURSAR_PROFILE: 'tset' })).toBe(
      'BURSAR_PROFILE, or --profile, must be one of test, other',
    );
  });

  it('refuses a profile where the file has none', () => {
    expect(problemsOf('[api]\n', TEST)).toBe(
      'BURSAR_PROFILE names a profile, and bursar.toml has none',
    );
  });

  it('refuses a setting that does not exist, and a table with a bad name', () => {
    const odd = { BURSAR_PROFILE: 'odd' };
    expect(problemsOf('[profiles.odd.api]\nbase_ulr = "x"\n', odd)).toContain(
      'did you mean api.base_url?',
    );
    expect(problemsOf('[profiles.Odd.api]\nkey = "x"\n')).toContain('profiles.Odd (bursar.toml)');
    expect(problemsOf('profiles = 1\n')).toBe('profiles (bursar.toml) must hold tables');
  });
});

const ACCOUNTS = `
[accounts.emea.api]
base_url = "https://emea.example"
key = "key-emea"
account = "0x00000000000000000000000000000000000000aa"
[accounts.emea.temporal]
namespace = "emea"
[accounts.emea.store]
url = "sqlite:emea.db"
[accounts.emea.blob]
url = "file:emea/blobs"
[accounts.emea.report]
dir = "emea/runs"
[accounts.emea.bridge]
token_file = "emea/token"
`;
const EMEA = { BURSAR_ACCOUNT: 'emea', ...TEST };

describe('a file with profiles and accounts', () => {
  it('refuses a setting of a profile that the account would hide: it would pay at the wrong service', () => {
    const text = `${ACCOUNTS}[profiles.test.api]\nbase_url = "http://127.0.0.1:8788"\n`;
    expect(problemsOf(text, EMEA)).toBe(
      'profiles.test.api.base_url (bursar.toml) must stand in profiles.test.accounts.emea, since accounts.emea has it too',
    );
  });

  it('takes the settings that a profile has for an account', () => {
    const own = '[profiles.test.accounts.emea.api]\nbase_url = "http://127.0.0.1:8788"\n';
    expect(read(`${ACCOUNTS}${own}`, EMEA).api).toMatchObject({
      baseUrl: 'http://127.0.0.1:8788',
      key: 'key-emea',
    });
    expect(read(`${ACCOUNTS}${own}`, { BURSAR_ACCOUNT: 'emea' }).api.baseUrl).toBe(
      'https://emea.example',
    );
  });
});

it('a change of settings is written into the tables of the profile', () => {
  const cwd = temporaryFolder();
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'bursar.toml'), FILE);
  const values = new Map([['api.shapes.page_base', 'zero']]);
  planSettings({ env: TEST, cwd: () => cwd }, values).write();
  expect(readFileSync(join(cwd, 'bursar.toml'), 'utf8')).toContain(
    '[profiles.test.api.shapes]\npage_base = "zero"',
  );
});
