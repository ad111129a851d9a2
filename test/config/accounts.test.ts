import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/config.ts';

const TWO = `
[api]
base_url = "https://pay.example"
requests_per_second = 5

[limits]
row = ["5:USDT_TRC20"]
batch = ["9:USDT_TRC20"]

[accounts.emea.api]
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

[accounts.asia.api]
key = "key-asia"
account = "0x00000000000000000000000000000000000000bb"
requests_per_second = 2
[accounts.asia.temporal]
namespace = "asia"
[accounts.asia.store]
url = "sqlite:asia.db"
[accounts.asia.blob]
url = "file:asia/blobs"
[accounts.asia.report]
dir = "asia/runs"
[accounts.asia.bridge]
token_file = "asia/token"
`;

const read = (text: string, env: Record<string, string> = {}) =>
  readSettings({ env, cwd: '/pay', toml: { text, path: '/pay/bursar.toml' } });

/** The problems that settings are refused for. */
function problemsOf(text: string, env: Record<string, string> = {}): string {
  try {
    read(text, env);
  } catch (error) {
    return (error as { facts: { problems: string } }).facts.problems;
  }
  throw new Error('the settings were accepted');
}

describe('a file with accounts', () => {
  it('gives a program the settings of its account over those of all', () => {
    expect(read(TWO, { BURSAR_ACCOUNT: 'asia' })).toMatchObject({
      api: { baseUrl: 'https://pay.example', key: 'key-asia', requestsPerSecond: 2 },
      store: { url: 'sqlite:/pay/asia.db' },
      temporal: { namespace: 'asia' },
      report: { dir: '/pay/asia/runs', followDays: 30 },
    });
    const emea = read(TWO, { BURSAR_ACCOUNT: 'emea' });
    expect([emea.api.requestsPerSecond, emea.warnings]).toEqual([5, []]);
  });

  it('takes the environment before the settings of the account', () => {
    const env = { BURSAR_ACCOUNT: 'asia', BURSAR_API_REQUESTS_PER_SECOND: '9' };
    expect(read(TWO, env).api.requestsPerSecond).toBe(9);
  });

  it('refuses a program without an account, or with one that is not there', () => {
    const sentence = 'BURSAR_ACCOUNT, or --account-name, must be one of emea, asia';
    expect(problemsOf(TWO)).toBe(sentence);
    expect(problemsOf(TWO, { BURSAR_ACCOUNT: 'Emea' })).toBe(sentence);
  });

  it.each([
    ['api.account', 'account = "0x00000000000000000000000000000000000000bb"'],
    ['temporal.namespace', 'namespace = "asia"'],
    ['store.url', 'url = "sqlite:asia.db"'],
    ['blob.url', 'url = "file:asia/blobs"'],
    ['report.dir', 'dir = "asia/runs"'],
    ['bridge.token_file', 'token_file = "asia/token"'],
  ])('refuses an account without a %s of its own, for programs of all accounts', (name, line) => {
    for (const account of ['emea', 'asia']) {
      const env = { BURSAR_ACCOUNT: account };
      expect(problemsOf(TWO.replace(line, ''), env)).toBe(
        `accounts.asia.${name} (bursar.toml) must be set`,
      );
      const same = line.replace('asia', 'emea').replace(/bb"$/, 'AA"');
      expect(problemsOf(TWO.replace(line, same), env)).toBe(
        `accounts.asia.${name} (bursar.toml) must differ from that of emea`,
      );
    }
  });

  it('replaces a list, and joins tables', () => {
    const more = `${TWO}\n[accounts.asia.limits]\nrow = ["3:USDT_TRC20"]\n`;
    const { limits } = read(more, { BURSAR_ACCOUNT: 'asia' }).rules;
    const shared = read(more, { BURSAR_ACCOUNT: 'emea' }).rules.limits;
    expect([shared.row, limits.row].map((list) => list.length)).toEqual([1, 1]);
    expect(limits.row).not.toEqual(shared.row);
    expect(limits.batch).toEqual(shared.batch);
  });

  it('refuses settings of an account that are none, and odd names', () => {
    const env = { BURSAR_ACCOUNT: 'asia' };
    expect(problemsOf(`${TWO}\n[accounts.asia.paces]\nx = 1`, env)).toContain('paces');
    expect(problemsOf(`${TWO}\n[accounts."A B"]`, env)).toContain('accounts.A B');
    expect(problemsOf('accounts = 5', env)).toBe('accounts (bursar.toml) must hold tables');
    expect(problemsOf('[accounts]\nemea = 5', env)).toBe('accounts (bursar.toml) must hold tables');
  });
});

it('a file without accounts refuses a program that names one', () => {
  expect(problemsOf('', { BURSAR_ACCOUNT: 'emea' })).toBe(
    'BURSAR_ACCOUNT names an account, and bursar.toml has none',
  );
  expect(read('', { BURSAR_ACCOUNT: '' }).store.url).toBe('sqlite:/pay/.bursar/store.db');
});
