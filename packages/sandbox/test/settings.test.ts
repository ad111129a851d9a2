import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { formatDecimal } from '../src/core/decimal.ts';
import { DEFAULT_MODES, MODE_NAMES, MODE_VALUES } from '../src/core/modes.ts';
import { settingOf } from '../src/modes.ts';
import { readSettings, SettingsInvalid, stepMsOf } from '../src/settings.ts';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { ACCOUNT, KEY, SECRET } from './support/client.ts';

const FOLDER = '/some/where';

const read = (settings: Record<string, string> = {}, tomlText = '') => {
  const named = Object.entries(settings).map(([name, text]) => [`BURSAR_SANDBOX_${name}`, text]);
  return readSettings({ env: Object.fromEntries(named), tomlText, folder: FOLDER });
};

function problemsOf(settings: Record<string, string>, tomlText = ''): readonly string[] {
  try {
    read(settings, tomlText);
  } catch (error) {
    if (error instanceof SettingsInvalid) return error.problems;
    throw error;
  }
  return [];
}

describe('the settings', () => {
  it('have a default for everything', () => {
    const settings = read();
    expect(settings).toMatchObject({
      listen: { host: '127.0.0.1', port: 8788 },
      storePath: join(FOLDER, '.bursar/sandbox.db'),
      stepMs: 1_000,
      speed: 1,
      clockOffsetMs: 0,
      modes: DEFAULT_MODES,
      requestsKept: null,
      webhookUrl: null,
      isWebhookPrivateAllowed: true,
      faults: [],
      createDelayMs: 0,
      endpoints: DEFAULT_ENDPOINTS,
    });
    expect(settings.keys).toEqual(new Map([[KEY, { secret: SECRET, accounts: [ACCOUNT] }]]));
    expect(formatDecimal(settings.tariff.percent)).toBe('1');
    expect(formatDecimal(settings.balances.get('USDT_TRC20') ?? { units: 0n, scale: 0 })).toBe(
      '1000000',
    );
  });

  it('come from the environment first, then from the file', () => {
    const toml = '[sandbox]\nstep_ms = 5\nspeed = "2.5"\nfee_percent = "0.25"\n';
    expect(read({ STEP_MS: '10' }, toml)).toMatchObject({ stepMs: 10, speed: 2.5 });
    expect(formatDecimal(read({}, toml).tariff.percent)).toBe('0.25');
  });

  it('may be tables in the file', () => {
    const toml = [
      '[sandbox.endpoints]',
      'LOOKUP = ""',
      'account = "/x"',
      '[sandbox.balances]',
      'BTC = "0.1"',
      '[[sandbox.faults]]',
      'target = "ACCOUNT"',
      'kind = "status-500"',
    ].join('\n');
    const settings = read({ ENDPOINT_ACCOUNT: '/y' }, toml);
    expect(settings.endpoints).toMatchObject({
      LOOKUP: '',
      ACCOUNT: '/y',
      MASS_GET: '/api/v1/payout/mass',
    });
    expect([...settings.balances.keys()]).toEqual(['BTC']);
    expect(settings.faults).toEqual([{ target: 'ACCOUNT', kind: 'status-500' }]);
  });

  it('leave the rest of the file and of the environment alone', () => {
    const env = { PATH: '/bin', BURSAR_API_KEY: 'x' };
    expect(() => readSettings({ env, tomlText: '[api]\nkey = "x"', folder: FOLDER })).not.toThrow();
  });

  it('name all problems at once', () => {
    const toml = '[sandbox]\nfee_fix = 0.1\nunknown = 1\n';
    const problems = problemsOf({ LISTEN: 'nowhere', STEP_MS: '-1', SPEDE: '1' }, toml);
    expect(new Set(problems.map((problem) => problem.split(':')[0]))).toEqual(
      new Set([
        'BURSAR_SANDBOX_FEE_FIX',
        'BURSAR_SANDBOX_LISTEN',
        'BURSAR_SANDBOX_SPEDE',
        'BURSAR_SANDBOX_STEP_MS',
        'BURSAR_SANDBOX_UNKNOWN',
      ]),
    );
    expect(problems).toHaveLength(5);
  });

  it.each([
    ['LISTEN', '127.0.0.1'],
    ['LISTEN', '127.0.0.1:70000'],
    ['STORE_URL', 'postgres://x'],
    ['STORE_URL', 'sqlite://ann:hush@db/x'],
    ['STORE_URL', 'sqlite:'],
    ['KEYS', ''],
    ['KEYS', 'key:secret'],
    ['KEYS', `key::${ACCOUNT}`],
    ['KEYS', 'key:secret:0x12'],
    ['KEYS', `key:secret:${ACCOUNT}:more`],
    ['KEYS', `key:secret:${ACCOUNT},key:other:${ACCOUNT}`],
    ['BALANCES', '{'],
    ['BALANCES', '{"BTC":1}'],
    ['BALANCES', '{"BTC":"-1"}'],
    ['BALANCES', '[]'],
    ['STEP_MS', '1.5'],
    ['SPEED', '0'],
    ['SPEED', 'fast'],
    ['FEE_PERCENT', '-1'],
    ['FEE_FIX', '1,5'],
    ['CLOCK_OFFSET_MS', 'x'],
    ['WITHDRAWALS_MAX', '0'],
    ['IDEMPOTENCY', 'never'],
    ['LOOKUP_LAG_MS', '-1'],
    ['LOOKUP_LAG_MS', 'none'],
    ['KEY_TTL_MS', '1.5'],
    ['REQUESTS_PER_SECOND', '0'],
    ['REQUESTS_KEPT', '0'],
    ['WEBHOOK_URL', 'ftp://x'],
    ['WEBHOOK_URL', 'http://169.254.169.254/'],
    ['WEBHOOK_PRIVATE', 'maybe'],
    ['FAULTS', '[{"target":"ACCOUNT","kind":"drop"}]'],
    ['FAULTS', '{}'],
    ['DELAY_MS_CREATE', '-1'],
    ['ENDPOINT_ACCOUNT', 'account'],
    ['ENDPOINT_ACCOUNT', '/sandbox/health'],
    ['ENDPOINT_ACCOUNT', '/a?b'],
    ['ENDPOINT_ACCOUNT', 'GET /a'],
    ['ENDPOINT_ACCOUNT', 'PUT /sandbox/health'],
    ['ENDPOINT_ACCOUNT', 'PUT  /a'],
    ['ENDPOINT_ACCOUNT', 'put /a'],
    ['ENDPOINT_NOTHING', '/x'],
    ['OTHER', '1'],
  ])('refuse %s=%s', (name, text) => {
    expect(problemsOf({ [name]: text })).toEqual([
      expect.stringMatching(`^BURSAR_SANDBOX_${name}: `),
    ]);
  });

  it.each(MODE_NAMES)('have one for the mode %s, in the environment and in the file', (mode) => {
    const values: readonly string[] =
      mode in MODE_VALUES ? MODE_VALUES[mode as keyof typeof MODE_VALUES] : ['7'];
    const name = settingOf(mode);
    for (const text of values) {
      const value = text === '7' ? 7 : text;
      expect(read({ [name]: text }).modes).toEqual({ ...DEFAULT_MODES, [mode]: value });
      const toml = `[sandbox]\n${name.toLowerCase()} = "${text}"\n`;
      expect(read({}, toml).modes).toEqual({ ...DEFAULT_MODES, [mode]: value });
    }
  });

  it('may set no limit, over a file that sets one', () => {
    const toml = '[sandbox]\nwithdrawals_max = 5\n';
    expect(read({}, toml).modes.withdrawalsMax).toBe(5);
    expect(read({ WITHDRAWALS_MAX: 'none' }, toml).modes.withdrawalsMax).toBeNull();
  });

  it('refuse accounts whose UUIDs would be the same', () => {
    const alike = ACCOUNT.replace('0x5a4db0c5', '0xffffffff');
    const keys = `a:b:${ACCOUNT},c:d:${alike}`;
    expect(problemsOf({ KEYS: keys })).toEqual([expect.stringMatching('^BURSAR_SANDBOX_KEYS: ')]);
    expect(problemsOf({ KEYS: `a:b:${ACCOUNT},c:d:${ACCOUNT}` })).toEqual([]);
  });

  it('refuse two operations on one path', () => {
    expect(problemsOf({ ENDPOINT_ACCOUNT: '/x', ENDPOINT_LOOKUP: '/x' })).toEqual([
      'BURSAR_SANDBOX_ENDPOINT: two operations have the same method and path',
    ]);
  });

  it('refuse a private receiver where private networks are refused', () => {
    const settings = { WEBHOOK_URL: 'http://127.0.0.1/', WEBHOOK_PRIVATE: 'refuse' };
    expect(problemsOf(settings)).toEqual([
      'BURSAR_SANDBOX_WEBHOOK_URL: must be an http or https address that webhooks may go to',
    ]);
  });

  it('refuse a file that is not TOML', () => {
    expect(problemsOf({}, '[sandbox')).toEqual([expect.stringMatching(/^bursar\.toml: /)]);
    expect(problemsOf({}, 'sandbox = 1')).toEqual(['bursar.toml: [sandbox] must be a table']);
  });

  it('never repeat a secret in a problem', () => {
    const problems = problemsOf({ KEYS: 'key:canary-secret:wrong', FEE_FIX: 'x' });
    expect(problems.join()).not.toContain('canary-secret');
  });

  it.each([
    ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
    ['localhost:80', { host: 'localhost', port: 80 }],
    ['[::1]:8788', { host: '::1', port: 8788 }],
  ])('take the address %s', (text, listen) => {
    expect(read({ LISTEN: text }).listen).toEqual(listen);
  });

  it.each([
    ['1000', '1', 1_000],
    ['1000', '3', 333],
    ['1000', '0.5', 2_000],
    ['0', '1', 0],
  ])('make of a step of %s ms at the speed %s one of %d ms', (stepMs, speed, expected) => {
    expect(stepMsOf(read({ STEP_MS: stepMs, SPEED: speed }))).toBe(expected);
  });

  it('take a store anywhere', () => {
    expect(read({ STORE_URL: 'sqlite:/tmp/x.db' }).storePath).toBe('/tmp/x.db');
    expect(read({ STORE_URL: 'sqlite:x.db' }).storePath).toBe('/some/where/x.db');
  });
});
