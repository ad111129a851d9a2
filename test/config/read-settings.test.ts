import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { readSettings, type Settings, type SettingsSources } from '../../src/config.ts';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';

const ACCOUNT = `0x${'ab'.repeat(20)}`;
const read = (sources: Partial<SettingsSources> = {}) =>
  readSettings({ env: {}, cwd: '/home/ann', ...sources });
const tomlOf = (text: string) => ({ text, path: '/etc/pay/bursar.toml' });

/** The sentence of all problems, or a failing test when there is none. */
function problemsOf(sources: Partial<SettingsSources>): string {
  try {
    read(sources);
  } catch (error) {
    expect(error).toMatchObject({ code: 'SETTINGS_INVALID' });
    return (error as { facts: { problems: string } }).facts.problems;
  }
  throw new Error('the settings were accepted');
}

describe('defaults', () => {
  it('need no setting, and leave out settings without a default', () => {
    expect(read()).toEqual({
      admin: { host: '127.0.0.1' },
      log: { level: 'info' },
      api: {
        timestampWindowMs: 180_000,
        fenceMarginMs: 60_000,
        sendBudgetMs: 10_000,
        requestTimeoutMs: 30_000,
        resend: 'auto',
        endpoints: DEFAULT_ENDPOINTS,
        shapes: { createRequires: 'needed' },
      },
      store: { url: 'sqlite:/home/ann/.bursar/store.db' },
      blob: { url: 'file:/home/ann/.bursar/blobs' },
      audit: {},
      batch: {
        chunkRows: 1000,
        chunksInFlight: 16,
        rowTag: 'append',
        canaryRows: 0,
        stopLoss: [],
      },
      poll: { minMs: 5000, maxMs: 300_000 },
      bridge: {
        listen: { host: '127.0.0.1', port: 8787 },
        tokenFile: '/home/ann/.bursar/bridge-token',
      },
      funds: { shared: false },
      report: { dir: '/home/ann/runs', followDays: 30 },
      encryption: {},
      temporal: { taskQueue: 'bursar', uiUrl: 'http://127.0.0.1:8233' },
      serve: {
        listen: { host: '127.0.0.1', port: 8790 },
        tokenFile: '/home/ann/.bursar/api-tokens.json',
        requestsPerMinute: 1_200,
        sessionHours: 8,
        oidc: { claim: 'sub', scope: 'openid' },
      },
      codec: {
        listen: { host: '127.0.0.1', port: 8789 },
        tokenFile: '/home/ann/.bursar/codec-token',
        origins: ['http://127.0.0.1:8233'],
      },
      operator: {},
      people: [],
      rules: {
        approval: null,
        findings: { confirm: [], block: [] },
        historyDays: 25,
        limits: { row: [], batch: [], day: [], payee: [] },
        fees: { driftMaxPercent: '20', shareMaxPercent: null, totalMax: [] },
      },
      schedule: { folder: '/home/ann/incoming', catchUpMs: 600_000 },
      notices: { perMinute: 60 },
      notify: { targets: [] },
      watch: { everyMs: 60_000 },
      web: {},
      worker: { deployment: 'bursar' },
      sandbox: { listen: { host: '127.0.0.1', port: 8788 }, endpoints: DEFAULT_ENDPOINTS },
      warnings: [],
    });
  });

  it('are frozen to the last level', () => {
    const settings = read();
    expect(Object.isFrozen(settings)).toBe(true);
    expect(Object.isFrozen(settings.api.endpoints)).toBe(true);
    expect(Object.isFrozen(settings.warnings)).toBe(true);
  });
});

describe('the rule about known payees', () => {
  it('is read from its section, and is missing without an amount', () => {
    const toml = tomlOf('[payees]\nknown_above = ["1000.50:USDT_TRC20"]\npaid_before = false');
    const knownAbove = [{ currency: 'USDT_TRC20', amount: '1000.5' }];
    expect(read({ toml }).rules.payees).toEqual({ knownAbove, paidBefore: false });
    expect(read({ toml: tomlOf('[payees]\npaid_before = false') }).rules.payees).toBeUndefined();
  });
});

describe('sources', () => {
  const toml = tomlOf('[batch]\nchunk_rows = 200\nchunks_in_flight = 2\nrow_tag = "off"');
  const env = { BURSAR_BATCH_CHUNK_ROWS: '300', BURSAR_BATCH_CHUNKS_IN_FLIGHT: '3' };

  it('win in the order command line, environment, bursar.toml, default', () => {
    const settings = read({ toml, env, flags: { 'batch.chunk_rows': '400' } });
    expect(settings.batch).toMatchObject({ chunkRows: 400, chunksInFlight: 3, rowTag: 'off' });
    expect(settings.poll.minMs).toBe(5000);
  });

  it('are not set when a variable is empty', () => {
    expect(read({ toml, env: { BURSAR_BATCH_CHUNK_ROWS: '' } }).batch.chunkRows).toBe(200);
  });

  it.each<{ variable: string; text: string; part: keyof Settings; expected: object }>`
    variable                               | text                                        | part          | expected
    ${'BURSAR_API_BASE_URL'}               | ${'https://pay.example/'}                   | ${'api'}      | ${{ baseUrl: 'https://pay.example' }}
    ${'BURSAR_API_KEY'}                    | ${'pk'}                                     | ${'api'}      | ${{ key: 'pk' }}
    ${'BURSAR_API_SECRET_FILE'}            | ${'s/key'}                                  | ${'api'}      | ${{ secretFile: '/home/ann/s/key' }}
    ${'BURSAR_API_ACCOUNT'}                | ${ACCOUNT}                                  | ${'api'}      | ${{ account: ACCOUNT }}
    ${'BURSAR_API_TIMESTAMP_WINDOW_MS'}    | ${'60000'}                                  | ${'api'}      | ${{ timestampWindowMs: 60_000 }}
    ${'BURSAR_API_SKEW_MS'}                | ${'0'}                                      | ${'api'}      | ${{ skewMs: 0 }}
    ${'BURSAR_API_FENCE_MARGIN_MS'}        | ${'2000'}                                   | ${'api'}      | ${{ fenceMarginMs: 2_000 }}
    ${'BURSAR_API_SEND_BUDGET_MS'}         | ${'5000'}                                   | ${'api'}      | ${{ sendBudgetMs: 5000 }}
    ${'BURSAR_API_REQUEST_TIMEOUT_MS'}     | ${'9'}                                      | ${'api'}      | ${{ requestTimeoutMs: 9 }}
    ${'BURSAR_API_RESEND'}                 | ${'operator'}                               | ${'api'}      | ${{ resend: 'operator' }}
    ${'BURSAR_API_REQUESTS_PER_SECOND'}    | ${'0.5'}                                    | ${'api'}      | ${{ requestsPerSecond: 0.5 }}
    ${'BURSAR_API_CREATES_IN_FLIGHT'}      | ${'32'}                                     | ${'api'}      | ${{ createsInFlight: 32 }}
    ${'BURSAR_API_SHAPE_MASS_GET_ACCEPTS'} | ${'reference'}                              | ${'api'}      | ${{ shapes: { massGetAccepts: 'reference', createRequires: 'needed' } }}
    ${'BURSAR_API_SHAPE_ACCOUNT_IN'}       | ${'shown'}                                  | ${'api'}      | ${{ shapes: { accountIn: 'shown' } }}
    ${'BURSAR_API_SHAPE_ACCOUNT_IN'}       | ${'account, MASS_GET'}                      | ${'api'}      | ${{ shapes: { accountIn: ['ACCOUNT', 'MASS_GET'] } }}
    ${'BURSAR_API_SHAPE_ACCOUNT_CASE'}     | ${'lower'}                                  | ${'api'}      | ${{ shapes: { accountCase: 'lower' } }}
    ${'BURSAR_API_SHAPE_TIMESTAMP_UNIT'}   | ${'s'}                                      | ${'api'}      | ${{ shapes: { timestampUnit: 's' } }}
    ${'BURSAR_API_SHAPE_PAGE_BASE'}        | ${'zero'}                                   | ${'api'}      | ${{ shapes: { pageBase: 'zero' } }}
    ${'BURSAR_API_SHAPE_CREATE_REQUIRES'}  | ${'all'}                                    | ${'api'}      | ${{ shapes: { createRequires: 'all' } }}
    ${'BURSAR_STORE_URL'}                  | ${'sqlite:x.db'}                            | ${'store'}    | ${{ url: 'sqlite:/home/ann/x.db' }}
    ${'BURSAR_STORE_URL'}                  | ${'sqlite::memory:'}                        | ${'store'}    | ${{ url: 'sqlite::memory:' }}
    ${'BURSAR_BLOB_URL'}                   | ${'file:/srv/blobs'}                        | ${'blob'}     | ${{ url: 'file:/srv/blobs' }}
    ${'BURSAR_BLOB_URL'}                   | ${'s3://payouts/copies?region=us-east-1'}   | ${'blob'}     | ${{ url: 's3://payouts/copies?region=us-east-1' }}
    ${'BURSAR_SCHEDULE_FOLDER'}            | ${'in'}                                     | ${'schedule'} | ${{ folder: '/home/ann/in' }}
    ${'BURSAR_SCHEDULE_FOLDER'}            | ${'s3://payouts/in?region=us-east-1'}       | ${'schedule'} | ${{ folder: 's3://payouts/in?region=us-east-1' }}
    ${'BURSAR_BATCH_ROW_TAG'}              | ${'off'}                                    | ${'batch'}    | ${{ rowTag: 'off' }}
    ${'BURSAR_POLL_MIN_MS'}                | ${'10'}                                     | ${'poll'}     | ${{ minMs: 10 }}
    ${'BURSAR_POLL_MAX_MS'}                | ${'10000'}                                  | ${'poll'}     | ${{ maxMs: 10_000 }}
    ${'BURSAR_BRIDGE_LISTEN'}              | ${'[::1]:0'}                                | ${'bridge'}   | ${{ listen: { host: '::1', port: 0 } }}
    ${'BURSAR_BRIDGE_PUBLIC_URL'}          | ${'https://h.example/b'}                    | ${'bridge'}   | ${{ publicUrl: 'https://h.example/b' }}
    ${'BURSAR_TEMPORAL_KEY_RING_FILE'}     | ${'ring'}                                   | ${'temporal'} | ${{ keyRingFile: '/home/ann/ring' }}
    ${'BURSAR_CODEC_LISTEN'}               | ${'127.0.0.1:9'}                            | ${'codec'}    | ${{ listen: { host: '127.0.0.1', port: 9 } }}
    ${'BURSAR_CODEC_ORIGINS'}              | ${'https://ui.example, http://[::1]:8233/'} | ${'codec'}    | ${{ origins: ['https://ui.example', 'http://[::1]:8233'] }}
    ${'BURSAR_TEMPORAL_UI_URL'}            | ${'https://ui.example/temporal'}            | ${'codec'}    | ${{ origins: ['https://ui.example'] }}
    ${'BURSAR_SERVE_ORIGIN'}               | ${'https://pay.example.com/'}               | ${'serve'}    | ${{ origin: 'https://pay.example.com' }}
    ${'BURSAR_SERVE_ORIGIN'}               | ${'http://localhost:9'}                     | ${'serve'}    | ${{ origin: 'http://localhost:9' }}
    ${'BURSAR_SERVE_SESSION_HOURS'}        | ${'1'}                                      | ${'serve'}    | ${{ sessionHours: 1 }}
    ${'BURSAR_BRIDGE_TOKEN_FILE'}          | ${'/run/token'}                             | ${'bridge'}   | ${{ tokenFile: '/run/token' }}
    ${'BURSAR_REPORT_DIR'}                 | ${'out'}                                    | ${'report'}   | ${{ dir: '/home/ann/out' }}
    ${'BURSAR_TASK_QUEUE'}                 | ${'other'}                                  | ${'temporal'} | ${{ taskQueue: 'other' }}
  `('take $variable=$text from the environment', ({ variable, text, part, expected }) => {
    const settings = read({ env: { [variable]: text } });
    expect(settings[part]).toMatchObject(expected);
    expect(settings.warnings).toEqual([]);
  });

  it('count relative paths from the folder of bursar.toml, also those of the environment', () => {
    const settings = read({ toml: tomlOf(''), env: { BURSAR_REPORT_DIR: 'out' } });
    expect(settings.report.dir).toBe('/etc/pay/out');
    expect(settings.store.url).toBe('sqlite:/etc/pay/.bursar/store.db');
  });

  it('have the address of the sandbox, and leave the rest of its section unread', () => {
    const section = tomlOf(
      '[sandbox]\nlisten = "127.0.0.1:1"\nodd = true\n[sandbox.endpoints]\nmass_create = ""',
    );
    const { sandbox, warnings } = read({ toml: section });
    expect(warnings).toEqual([]);
    expect(sandbox).toEqual({
      listen: { host: '127.0.0.1', port: 1 },
      endpoints: { ...DEFAULT_ENDPOINTS, MASS_CREATE: '' },
    });
    const variables = {
      BURSAR_SANDBOX_LISTEN: '[::1]:2',
      BURSAR_SANDBOX_ENDPOINT_LOOKUP: '/look',
    };
    expect(read({ toml: section, env: variables }).sandbox).toEqual({
      listen: { host: '::1', port: 2 },
      endpoints: { ...DEFAULT_ENDPOINTS, MASS_CREATE: '', LOOKUP: '/look' },
    });
  });
});

it('the keys of a sandbox are valid, and shown nowhere', () => {
  const toml = tomlOf('[sandbox]\nkeys = "k:hush:a"');
  const { sandbox } = read({ toml });
  expect(sandbox.keys?.()).toBe('k:hush:a');
  expect(JSON.stringify(sandbox) + inspect(sandbox)).not.toContain('hush');
  expect(read({ toml, env: { BURSAR_SANDBOX_KEYS: 'other' } }).sandbox.keys?.()).toBe('other');
});

describe('endpoints', () => {
  it('can be set one by one in both places, and be emptied', () => {
    const { endpoints } = read({
      toml: tomlOf('[api.endpoints]\nlookup = "/v2/look"\nmass_get = "/v2/get"'),
      env: { BURSAR_API_ENDPOINT_LOOKUP: '', BURSAR_API_ENDPOINT_FEE_CALCULATION: '/v2/fee' },
    }).api;
    expect(endpoints).toEqual({
      ...DEFAULT_ENDPOINTS,
      LOOKUP: '',
      FEE_CALCULATION: '/v2/fee',
      MASS_GET: '/v2/get',
    });
  });

  it('cannot be emptied when Bursar cannot do without', () => {
    expect(problemsOf({ env: { BURSAR_API_ENDPOINT_MASS_CREATE: '' } })).toBe(
      'api.endpoints.mass_create (BURSAR_API_ENDPOINT_MASS_CREATE) must be a path that begins with a slash, or a method and such a path',
    );
  });

  it.each(['PUT /api/v2/user', 'DELETE /x', '/x'])('may have a method: %s', (endpoint) => {
    const env = { BURSAR_API_ENDPOINT_USER: endpoint, BURSAR_API_ENDPOINT_MASS_GET: endpoint };
    expect(read({ env }).api.endpoints).toMatchObject({ USER: endpoint, MASS_GET: endpoint });
  });

  it.each(['GET /x', 'put /x', 'PUT  /x', 'PUT x', 'PUT', '/a b', '/a?b'])(
    'refuses %j, which names none',
    (endpoint) => {
      const env = { BURSAR_API_ENDPOINT_USER: endpoint };
      expect(problemsOf({ env })).toMatch(/^api\.endpoints\.user .* must be a path/);
    },
  );
});

describe('problems', () => {
  /** Values that the sentence of the problem contains by itself. */
  const PART_OF_SENTENCE = ['0', '-1', ' ', '1.5', 'lookup', '8787'];

  it.each<{ variable: string; text: string }>`
    variable                               | text
    ${'BURSAR_API_BASE_URL'}               | ${'pay.example'}
    ${'BURSAR_API_BASE_URL'}               | ${'ftp://pay.example'}
    ${'BURSAR_API_BASE_URL'}               | ${'https://ann:pw@pay.example'}
    ${'BURSAR_API_BASE_URL'}               | ${'https://pay.example?x=1'}
    ${'BURSAR_API_BASE_URL'}               | ${'https://pay.example/api/v1/'}
    ${'BURSAR_API_ACCOUNT'}                | ${'0x12'}
    ${'BURSAR_API_ACCOUNT'}                | ${`${ACCOUNT}0`}
    ${'BURSAR_API_TIMESTAMP_WINDOW_MS'}    | ${'3m'}
    ${'BURSAR_API_FENCE_MARGIN_MS'}        | ${'-1'}
    ${'BURSAR_API_SKEW_MS'}                | ${'1e3'}
    ${'BURSAR_API_REQUEST_TIMEOUT_MS'}     | ${'0'}
    ${'BURSAR_API_REQUEST_TIMEOUT_MS'}     | ${'99999999999999999999'}
    ${'BURSAR_API_RESEND'}                 | ${'always'}
    ${'BURSAR_API_REQUESTS_PER_SECOND'}    | ${'0'}
    ${'BURSAR_API_ENDPOINT_LOOKUP'}        | ${'lookup'}
    ${'BURSAR_API_ENDPOINT_LOOKUP'}        | ${'/a?b=c'}
    ${'BURSAR_API_SHAPE_MASS_GET_ACCEPTS'} | ${'body'}
    ${'BURSAR_API_SHAPE_ACCOUNT_IN'}       | ${'ACCOUNT,MASS_FIND'}
    ${'BURSAR_API_SHAPE_ACCOUNT_IN'}       | ${'most,ACCOUNT'}
    ${'BURSAR_API_SHAPE_TIMESTAMP_UNIT'}   | ${'minutes'}
    ${'BURSAR_API_SHAPE_CREATE_REQUIRES'}  | ${'key-not'}
    ${'BURSAR_STORE_URL'}                  | ${'mysql://x'}
    ${'BURSAR_STORE_URL'}                  | ${'postgres://ann:hush@db/x'}
    ${'BURSAR_STORE_URL'}                  | ${'mysql://db/x'}
    ${'BURSAR_STORE_URL'}                  | ${'sqlite://ann:hush@db/x'}
    ${'BURSAR_BLOB_URL'}                   | ${'file://ann:hush@host/blobs'}
    ${'BURSAR_BLOB_URL'}                   | ${'s3://ann:hush@bucket'}
    ${'BURSAR_BLOB_URL'}                   | ${'s3://bucket?secretAccessKey=hush'}
    ${'BURSAR_BLOB_URL'}                   | ${'/srv/blobs'}
    ${'BURSAR_SCHEDULE_FOLDER'}            | ${'s3://ann:hush@bucket'}
    ${'BURSAR_SCHEDULE_FOLDER'}            | ${'s3://in?acl=public'}
    ${'BURSAR_SCHEDULE_FOLDER'}            | ${' '}
    ${'BURSAR_BATCH_CHUNK_ROWS'}           | ${'0'}
    ${'BURSAR_BATCH_CHUNK_ROWS'}           | ${'1.5'}
    ${'BURSAR_BATCH_CHUNK_ROWS'}           | ${'10001'}
    ${'BURSAR_BATCH_ROW_TAG'}              | ${'yes'}
    ${'BURSAR_BRIDGE_LISTEN'}              | ${'8787'}
    ${'BURSAR_BRIDGE_LISTEN'}              | ${'127.0.0.1:65536'}
    ${'BURSAR_REPORT_DIR'}                 | ${' '}
  `('are seen in $variable="$text", and the value is not repeated', ({ variable, text }) => {
    const problems = problemsOf({ env: { [variable]: text } });
    expect(problems).toContain(`(${variable}) must`);
    if (!PART_OF_SENTENCE.includes(text)) expect(problems).not.toContain(text);
  });

  it.each([
    ['BURSAR_STORE_URL', 'sqlite:a@b.db', 'must be sqlite:FILE, or postgres://USER@HOST/DATABASE'],
    ['BURSAR_BLOB_URL', 'file:a@b', 'must be file:FOLDER, or s3://BUCKET/PREFIX'],
  ])('%s="%s" is refused with an error that names the rule', (variable, text, says) => {
    expect(problemsOf({ env: { [variable]: text } })).toContain(says);
  });

  it('are reported all at once, each with its name and place', () => {
    const problems = problemsOf({
      toml: tomlOf('poll = 3\n[batch]\nchunk_rows = "many"\nchunk_row = 5\n[apy]\nkey = "x"'),
      env: { BURSAR_API_RESEND: 'x' },
      flags: { 'report.dir': ' ' },
    });
    expect(problems.split('; ').sort()).toEqual([
      'api.resend (BURSAR_API_RESEND) must be auto or fenced or operator',
      'apy (bursar.toml) is not a setting',
      'batch.chunk_row (bursar.toml) is not a setting',
      'batch.chunk_rows (bursar.toml) must be a whole number from 1 to 10000',
      'did you mean batch.chunk_rows?',
      'poll (bursar.toml) must be a table',
      'report.dir (command line) must be a text that is not empty',
    ]);
  });

  it('keep a secret out of bursar.toml', () => {
    expect(problemsOf({ toml: tomlOf('[api]\nsecret = "hush"') })).toBe(
      'api.secret (bursar.toml) is not a setting; the secret belongs in a file that api.secret_file names',
    );
  });

  it('name line and column of malformed TOML, and quote nothing', () => {
    expect(problemsOf({ toml: tomlOf('[store]\nurl = postgres://ann:hush@db') })).toBe(
      '/etc/pay/bursar.toml is not TOML at line 2, column 7',
    );
  });

  it('are seen where a receiver of the end of the audit log could not check it', () => {
    const problems = (url: string) => problemsOf({ env: { BURSAR_AUDIT_HEAD_URL: url } });
    expect(problems('https://receiver.example')).toContain(
      'audit.head_secret_file (bursar.toml) is needed: the receiver must be able to check',
    );
    expect(problems('https://ann:hush@receiver')).not.toContain('hush');
  });

  it('are seen where two settings contradict each other', () => {
    expect(problemsOf({ env: { BURSAR_POLL_MIN_MS: '400000' } })).toContain('poll.min_ms');
    expect(problemsOf({ env: { BURSAR_API_SEND_BUDGET_MS: '180000' } })).toContain(
      'api.send_budget_ms (BURSAR_API_SEND_BUDGET_MS) 180000 must be below api.timestamp_window_ms 180000',
    );
    expect(
      problemsOf({
        env: { BURSAR_API_SKEW_MS: '3000' },
        toml: tomlOf('[api]\nfence_margin_ms = 2000'),
      }),
    ).toContain(
      'api.fence_margin_ms (bursar.toml) 2000 must be at least 2 x api.skew_ms 3000 = 6000',
    );
  });
});

describe('a window that is shorter than the one that the service documents', () => {
  const short = { BURSAR_API_TIMESTAMP_WINDOW_MS: '60000' };

  it.each([
    'https://pay.example',
    'https://127.pay.example',
    'https://localhost.pay.example',
    'http://10.0.0.1:8788',
  ])('is refused for %s, since a create would be paid twice', (url) => {
    expect(problemsOf({ env: { ...short, BURSAR_API_BASE_URL: url } })).toContain(
      'api.timestamp_window_ms (BURSAR_API_TIMESTAMP_WINDOW_MS) 60000 must be at least 180000, the window that the service documents',
    );
  });

  it.each(['http://127.0.0.1:8788', 'http://127.1.2.3', 'http://[::1]:8788', 'http://localhost:1'])(
    'is taken for a sandbox at %s',
    (url) => {
      const env = { ...short, BURSAR_API_BASE_URL: url };
      expect(read({ env }).api.timestampWindowMs).toBe(60_000);
    },
  );

  it('is none where it is as long, or longer', () => {
    for (const window of ['180000', '240000']) {
      const env = { BURSAR_API_TIMESTAMP_WINDOW_MS: window };
      expect(read({ env: { ...env, BURSAR_API_BASE_URL: 'https://pay.example' } })).toBeDefined();
    }
  });
});

describe('warnings', () => {
  const warningsOf = (env: Record<string, string>) => read({ env }).warnings;

  it.each<{ variable: string; text: string; warning: string }>`
    variable                    | text                                      | warning
    ${'BURSAR_API_SECRET'}      | ${'hush'}                                 | ${'better put it in a file'}
    ${'BURSAR_API_ACCOUNT'}     | ${'123e4567-e89b-12d3-a456-426614174000'} | ${'api.account is a UUID'}
    ${'BURSAR_API_BASE_URL'}    | ${'http://pay.example'}                   | ${'api.base_url is not https'}
    ${'BURSAR_API_BASE_URI'}    | ${'https://pay.example'}                  | ${'did you mean BURSAR_API_BASE_URL?'}
    ${'BURSAR_ENTIRELY_MADEUP'} | ${'1'}                                    | ${'BURSAR_ENTIRELY_MADEUP is not a setting and is ignored'}
  `('say what is odd about $variable', ({ variable, text, warning }) => {
    const warnings = warningsOf({ [variable]: text });
    expect(warnings).toEqual([expect.stringContaining(warning)]);
    expect(warnings.join()).not.toContain('hush');
  });

  it.each([
    ['BURSAR_SANDBOX_SPEED', '10'],
    ['BURSAR_TEMPORAL_CLI', '/bin/temporal'],
    ['BURSAR_CONFIG', 'x.toml'],
    ['BURSAR_API_BASE_URL', 'http://127.0.0.1:8788'],
    ['BURSAR_API_BASE_URL', 'http://[::1]:8788'],
    ['HOME', '/home/ann'],
  ])('are not given for %s=%s', (variable, text) => {
    expect(warningsOf({ [variable]: text })).toEqual([]);
  });
});
