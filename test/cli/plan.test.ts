import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PLAN_PARTS } from '../../src/domain/plan/digest.ts';
import { idempotencyKeyOf } from '../../src/domain/sending/identity.ts';
import { ACCOUNT, newBatch } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeService } from './support/fake-service.ts';
import { fakeWorld, type WorldOptions } from './support/fake-world.ts';
import {
  address,
  csv,
  DUPLICATE,
  derivedId,
  GOOD,
  ONE_BAD,
  sha256,
  withFiles,
} from './support/files.ts';

const FILES = { 'good.csv': GOOD, 'one bad.csv': ONE_BAD, 'duplicate.csv': DUPLICATE };

const ID = derivedId('good', GOOD);
const HASH = /^[0-9a-f]{64}$/;

const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), FILES), ...more });

describe('bursar plan', () => {
  it('names the totals to confirm in the order in which it shows them', async () => {
    const file = csv(
      `${address(1)},2712.75,USDT_TRC20`,
      '0xdEADbeEF00000000000000000000000000000001,1195.55,USDC_ERC20',
    );
    const { run } = fakeWorld({ cwd: withFiles(temporaryFolder(), { 'two.csv': file }) });
    const { out } = await run('plan', 'two.csv');
    expect(out).toMatch(/pays +2,712\.75 USDT \(TRC20\)[^\n]*\n +pays +1,195\.55 USDC \(ERC20\)/);
    expect(out).toContain('--confirm 2712.75:USDT_TRC20,1195.55:USDC_ERC20');
  });

  it('prints one object with the whole plan', async () => {
    const { json } = world();
    const { code, value } = await json('plan', 'good.csv');
    expect(code).toBe(0);
    expect(value).toEqual({
      schema: 'bursar.plan/v1',
      batchId: ID,
      account: ACCOUNT,
      service: { url: 'https://service.example', account: ACCOUNT, environment: 'LIVE' },
      file: { name: 'good.csv', path: null, sha256: sha256(GOOD), sizeBytes: GOOD.length },
      rows: { total: 3, accepted: 3, refused: 0 },
      currencies: [{ currency: 'USDT_TRC20', rows: 3, total: '60.5' }],
      funds: null,
      chunks: 1,
      at: null,
      executionDate: null,
      choices: {
        currency: null,
        at: null,
        executionDate: null,
        fundsWaitMs: null,
        skipInvalid: false,
        expectCount: null,
        expectTotals: [],
        accept: [],
        chunkRows: 1_000,
        rowTag: 'append',
        canaryRows: 0,
        stopLoss: [],
        beforeScheduled: false,
      },
      controlTotals: null,
      findings: [expect.objectContaining({ code: 'FIRST_TIME_PAYEE', severity: 'info', count: 3 })],
      rules: {
        approval: ['No approval is needed.'],
        approvers: [],
        findings: ['Payments of the last 25 days are looked at.'],
        limits: ['No limits.'],
        fees: ['Fees may rise by 20 % before the due time.'],
      },
      approvalNeeded: ['none: the settings name no approval tiers'],
      historyRead: false,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      parts: Object.fromEntries(PLAN_PARTS.map((part) => [part, expect.stringMatching(HASH)])),
      nack: null,
      problems: [],
      chunkList: [
        {
          chunk: 0,
          currency: 'USDT_TRC20',
          rows: 3,
          total: '60.5',
          firstRow: 2,
          lastRow: 4,
          rowsSha256: expect.stringMatching(HASH),
          idempotencyKey: idempotencyKeyOf({
            account: ACCOUNT,
            batchId: ID,
            chunk: 0,
            generation: 0,
          }),
        },
      ],
      command: 'bursar submit good.csv --confirm 60.5:USDT_TRC20',
      planFile: `runs/${ID}/plan.json`,
      apply: `bursar submit --plan runs/${ID}/plan.json --confirm 60.5:USDT_TRC20`,
    });
  });

  it('needs neither store nor Temporal, and leaves nothing behind but the plan', async () => {
    const { run, world: made, engine } = world();
    engine.isDown = true;
    expect(await run('plan', 'good.csv')).toMatchObject({ code: 0 });
    expect(existsSync(join(made.cwd, '.bursar'))).toBe(false);
    expect(readdirSync(join(made.cwd, 'runs'))).toEqual([ID]);
    expect(readdirSync(join(made.cwd, 'runs', ID))).toEqual(['plan.json']);
  });

  it('reads standard input', async () => {
    const { json } = world({ input: GOOD });
    expect((await json('plan', '-')).value).toMatchObject({ batchId: derivedId('stdin', GOOD) });
  });

  it('does not offer to accept findings of a file that must be corrected', async () => {
    const { run, world: made } = world();
    withFiles(made.cwd, { 'mixed.csv': `${DUPLICATE}${address(9)},2E1,USDT_TRC20\n` });
    const { out } = await run('plan', 'mixed.csv');
    expect(out).toContain('DUPLICATE_ROW (must be accepted), 1 row');
    expect(out).toContain('When the file is corrected:\n  bursar submit mixed.csv\n');
    const skipped = await run('plan', 'mixed.csv', '--skip-invalid');
    expect(skipped.out).toContain('--skip-invalid --accept DUPLICATE_ROW');
  });

  it('lists refused rows, in the output and in nack.csv, and ends with 13', async () => {
    const { run, world: made } = world();
    const { code, out } = await run('plan', 'one bad.csv');
    expect(code).toBe(13);
    expect(out).toContain('3, of which 1 refused');
    expect(out).toContain('row 3, amount: The amount "2E1" is not a plain decimal.');
    expect(out).toContain("When the file is corrected:\n  bursar submit 'one bad.csv'\n");
    expect(out).toContain('1 of 3 rows of one bad.csv is refused.');
    expect(out).toMatch(/plan +none: rows are refused$/m);
    const nack = join(made.cwd, 'runs', derivedId('one-bad', ONE_BAD), 'nack.csv');
    expect(readFileSync(nack, 'utf8')).toContain('AMOUNT_NOT_DECIMAL');
  });

  it('shows at most twenty reasons on a terminal', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${address(i)},x,USDT_TRC20`);
    const { run } = fakeWorld({ cwd: withFiles(temporaryFolder(), { 'bad.csv': csv(...rows) }) });
    const { out } = await run('plan', 'bad.csv');
    expect(out.match(/AMOUNT_NOT_DECIMAL/g)).toHaveLength(20);
    expect(out).toContain('and 10 more reasons');
  });

  it('does not touch the report of a batch that has one', async () => {
    const folder = join('runs', 'payroll');
    const files = {
      ...FILES,
      [join(folder, 'report.json')]: '{}',
      [join(folder, 'nack.csv')]: 'mine',
    };
    const { run, world: made } = fakeWorld({ cwd: withFiles(temporaryFolder(), files) });
    await run('plan', 'one bad.csv', '--id', 'payroll');
    expect(readFileSync(join(made.cwd, folder, 'nack.csv'), 'utf8')).toBe('mine');
    expect(readFileSync(join(made.cwd, folder, 'plan.nack.csv'), 'utf8')).toContain('2E1');
  });

  it('shows findings, and the flags that accept them', async () => {
    const { run } = world();
    const { code, out } = await run('plan', 'duplicate.csv');
    expect(code).toBe(13);
    expect(out).toContain('DUPLICATE_ROW (must be accepted), 1 row\n');
    expect(out).toContain('FINDINGS_NOT_ACCEPTED');
    expect(out).toContain('submit duplicate.csv --accept DUPLICATE_ROW --confirm 20:USDT_TRC20');
    expect(out).not.toContain('submit --plan');
    const accepted = await run('plan', 'duplicate.csv', '--accept', 'DUPLICATE_ROW');
    expect([accepted.code, accepted.out]).toEqual([0, expect.stringContaining('(accepted)')]);
    expect(accepted.out).toContain('that are not intended. This is accepted already.');
    expect(accepted.out).not.toContain('or accept');
  });

  it('shows amount and address of each row that a finding names', async () => {
    const { run } = world();
    const { out } = await run('plan', 'duplicate.csv');
    const paid = `10.00 USDT (TRC20) to ${address(1)}`;
    expect(out).toContain(`row 3  ${paid}; same as row 2\n`);
    expect(out).toContain(`FIRST_TIME_PAYEE (for your information), 2 rows\n`);
    expect(out).toContain(`row 2  ${paid}\n    row 3  ${paid}\n`);
  });

  it('stops at limits and at findings that the settings raise, also when they are accepted', async () => {
    const env = { BURSAR_LIMITS_ROW: '20:USDT_TRC20', BURSAR_FINDINGS_BLOCK: 'DUPLICATE_ROW' };
    const { run } = world({ env });
    const limited = await run('plan', 'good.csv', '--accept', 'LIMIT_ROW');
    expect([limited.code, limited.out]).toEqual([
      13,
      expect.stringContaining('LIMIT_ROW (stops the batch), 1 row'),
    ]);
    expect(limited.out).toContain(`row 4  30.00 USDT (TRC20) to ${address(3)}; the limit is 20.00`);
    expect(limited.out).toContain('FINDINGS_BLOCK');
    const raised = await run('plan', 'duplicate.csv');
    expect(raised.out).toContain('DUPLICATE_ROW (stops the batch)');
    expect(raised.out).not.toContain('--accept DUPLICATE_ROW');
    expect(raised.out).toContain(
      'Remove the rows that are not intended. Your policy does not allow',
    );
    expect(raised.out).not.toContain('or accept');
  });

  it('counts no more examples for a finding of the whole file', async () => {
    const env = { BURSAR_LIMITS_BATCH: '20:USDT_TRC20' };
    const { out } = await world({ env }).run('plan', 'good.csv');
    expect(out).toMatch(/LIMIT_BATCH .*, 3 rows\n/);
    expect(out).toContain('    -  60.50 USDT (TRC20); the limit is 20.00\n');
    expect(out).not.toMatch(/and \d+ more/);
  });

  it('prints every problem at once', async () => {
    const { json } = world();
    const { value } = await json(
      'plan',
      'one bad.csv',
      '--expect-count',
      '9',
      '--expect-total',
      '1',
    );
    const codes = (value['problems'] as { code: string }[]).map(({ code }) => code);
    expect(codes).toEqual(['FILE_ROWS_REFUSED', 'CONTROL_TOTAL_COUNT']);
  });

  it('repeats the flags in the command that pays', async () => {
    const flags =
      '--id p-1 --at 2026-12-01T10:00:00+01:00 --skip-invalid --expect-count 3 --expect-total 60.5 --funds wait --canary 2 --stop-loss 5%,9:BTC --accept ADDRESS_BURN';
    const { value } = await world().json('plan', 'good.csv', ...flags.split(' '));
    expect(value['command']).toBe(
      'bursar submit good.csv --id p-1 --at 2026-12-01T09:00:00.000Z --skip-invalid --expect-count 3 --expect-total 60.5 --funds wait --canary 2 --stop-loss 5%,9:BTC --accept ADDRESS_BURN --confirm 60.5:USDT_TRC20',
    );
  });

  it('has a digest for everything that is decided, and another one for any change of it', async () => {
    const { json } = world();
    const digestOf = async (...flags: string[]) =>
      (await json('plan', 'good.csv', ...flags)).value['digest'];
    const changes = [
      [],
      ['--id', 'other'],
      ['--at', '2026-12-01T09:00:00Z'],
      ['--execution-date', '2026-12-01T09:00:00Z'],
      ['--accept', 'ADDRESS_BURN'],
      ['--canary', '1'],
      ['--stop-loss', '5%'],
      ['--funds', 'wait'],
    ];
    const all: unknown[] = [];
    for (const flags of changes) all.push(await digestOf(...flags));
    expect(new Set(all).size).toBe(changes.length);
    expect(await digestOf('--at', '2026-12-01T10:00:00+01:00')).toBe(all[2]);
  });

  it('names the setting that the digest needs when the account is missing', async () => {
    const made = world({ env: { BURSAR_API_ACCOUNT: '' } });
    expect((await made.json('plan', 'good.csv')).value['digest']).toBeNull();
    const { out } = await made.run('plan', 'good.csv');
    expect(out).toMatch(/plan +none: api\.account \(BURSAR_API_ACCOUNT\) is not set$/m);
    const both = await made.run('plan', 'one bad.csv');
    expect(both.out).toMatch(/plan +none: api\.account .* is not set, and rows are refused$/m);
  });

  it('reads balance and fees from the service with --online', async () => {
    const { json } = world({ service: fakeService() });
    const { value } = await json('plan', 'good.csv', '--online');
    expect(value['funds']).toEqual([
      {
        currency: 'USDT_TRC20',
        available: '1000',
        requested: '60.5',
        fee: '0.03',
        reserved: null,
        claimed: null,
        free: null,
        left: '939.47',
        caps: [],
      },
    ]);
  });

  it('compares fees with the caps of the settings with --online', async () => {
    const env = {
      BURSAR_FEES_SHARE_MAX_PERCENT: '0.05',
      BURSAR_FEES_TOTAL_MAX: '0.02:USDT_TRC20,1:BTC',
    };
    const { json, run } = world({ service: fakeService(), env });
    const { code, value } = await json('plan', 'good.csv', '--online');
    expect([code, value['funds']]).toMatchObject([
      0,
      [
        {
          caps: [
            { cap: '0.05 % of the amount', isAbove: false },
            { cap: '0.02 USDT_TRC20', isAbove: true },
          ],
        },
      ],
    ]);
    const { out } = await run('plan', 'good.csv', '--online');
    expect(out).toMatch(/fee cap +within 0\.05 % of the amount/);
    expect(out).toMatch(/FEE CAP +above 0\.02 USDT \(TRC20\): the batch would be put on hold/);
  });

  it.each<{ percent: string; isAbove: boolean }>`
    percent     | isAbove
    ${'0.0495'} | ${true}
    ${'0.0496'} | ${false}
  `('is exact: 0.03 of 60.5 is above $percent percent: $isAbove', async ({ percent, isAbove }) => {
    const env = { BURSAR_FEES_SHARE_MAX_PERCENT: percent };
    const { value } = await world({ service: fakeService(), env }).json(
      ...['plan', 'good.csv', '--online'],
    );
    expect(value['funds']).toMatchObject([{ caps: [{ isAbove }] }]);
  });

  it('shows the limits of a mistake, and the control totals of the file', async () => {
    const files = { 'stated.csv': `# rows=3 total=60.5\n${GOOD}` };
    const made = fakeWorld({ cwd: withFiles(temporaryFolder(), files) });
    const { code, out } = await made.run(
      ...['plan', 'stated.csv', '--canary', '2', '--stop-loss', '5%,10:USDT_TRC20'],
    );
    expect(code).toBe(0);
    expect(out).toMatch(/file says +3 rows, 60\.5/);
    expect(out).toMatch(/canary +the first 2 rows of each currency/);
    expect(out).toMatch(/stop loss +5%, 10\.00 USDT \(TRC20\)/);
    const { value } = await made.json('plan', 'stated.csv');
    expect(value['controlTotals']).toEqual({ expectCount: 3, expectTotals: ['60.5'] });
  });

  it('refuses a file that differs from its control totals', async () => {
    const files = { 'cut.csv': `# rows=4 total=60.5\n${GOOD}` };
    const made = fakeWorld({ cwd: withFiles(temporaryFolder(), files) });
    const { code, value } = await made.json('plan', 'cut.csv');
    expect([code, value['problems']]).toMatchObject([13, [{ code: 'CONTROL_TOTAL_COUNT' }]]);
    const submitted = await made.json('submit', 'cut.csv', '--yes');
    expect([submitted.code, submitted.value['what']]).toEqual([
      13,
      'The file has 3 rows. By its control line it has 4.',
    ]);
    expect(made.engine.started).toEqual([]);
  });

  it('shows who must approve, with a warning when approvals prove nothing', async () => {
    const tier = { above: '10', approvals: 2, roles: ['board'], must_include: ['chair'] };
    const people = [
      { name: 'bob', roles: ['board', 'chair'] },
      { name: 'eve', roles: ['board'] },
    ];
    const env = {
      BURSAR_APPROVAL_MODE: 'unsigned',
      BURSAR_APPROVAL_TIERS: JSON.stringify([tier]),
      BURSAR_APPROVAL_PEOPLE: JSON.stringify(people),
    };
    const { out } = await world({ env }).run('plan', 'good.csv');
    expect(out).toMatch(/approval +Approvals are UNSIGNED/);
    expect(out).toMatch(
      /approval +2 people from board \(bob, eve\), one of them from chair, valid for 3 days/,
    );
    expect((await world().run('plan', 'good.csv')).out).toMatch(
      /approval +none: the settings name no approval tiers/,
    );
  });

  it('warns when earlier batches were not compared, and compares them where there is a store', async () => {
    const made = world();
    const { out } = await made.run('plan', 'good.csv');
    expect(out).toMatch(/history +not read, so each payee counts as new: it needs a store/);
    await (await made.store()).close();
    const { value } = await made.json('plan', 'good.csv');
    expect(value['historyRead']).toBe(true);
  });

  it('warns when its id stands for a batch already, which would not be paid again', async () => {
    const made = world();
    expect((await made.run('plan', 'good.csv', '--id', 'b')).out).not.toContain('already');
    const store = await made.store();
    await store.batches.register(newBatch('b'));
    await store.batches.end('b', { state: 'COMPLETED', atMs: 1, error: null });
    await store.close();
    const { out } = await made.run('plan', 'good.csv', '--id', 'b');
    expect(out).toContain('There is a batch b already (completed). Each id is paid once');
  });

  it('refuses another spelling of an account of its store, since it would miss earlier payments', async () => {
    const made = world();
    const store = await made.store();
    await store.batches.register(newBatch('b'));
    await store.close();
    const respelled = ACCOUNT.replace('a1', 'A1');
    const other = world({ cwd: made.world.cwd, env: { BURSAR_API_ACCOUNT: respelled } });
    const { code, value } = await other.json('plan', 'good.csv');
    expect([code, value['code']]).toEqual([2, 'ACCOUNT_SPELLED_OTHERWISE']);
    expect(value['fix']).toContain(ACCOUNT);
  });

  it('fails on a store that it cannot read', async () => {
    const made = world();
    withFiles(made.world.cwd, { '.bursar/store.db': 'no database' });
    const { code, value } = await made.json('plan', 'good.csv');
    expect([code, value['code']]).toEqual([2, 'STORE_UNUSABLE']);
  });

  it('shows how far it is to a person who waits', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `${address(i)},1,USDT_TRC20`);
    const made = fakeWorld({
      cwd: withFiles(temporaryFolder(), { 'many.csv': csv(...rows) }),
      isTty: true,
    });
    const { err } = await made.run('plan', 'many.csv');
    expect(err).toMatch(/1,\d{3} rows, +\d+ % \[#+ +\] Reading many\.csv/);
    expect(err).toMatch(/3,000 rows, 100 % \[#{24}\] Reading many\.csv/);
  });

  it('shows a shortfall', async () => {
    const balances = [{ currency: 'BTC', amount: '9' }];
    const poor = { account: ACCOUNT, name: '', balances, unreadableParts: [] };
    const answer = { value: poor, httpStatus: 200, timestampMs: 1, bodySha256: 'b' };
    const service = fakeService({ readBalance: async () => answer, hasOperation: () => false });
    const { out } = await world({ service }).run('plan', 'good.csv', '--online');
    expect(out).toContain('by 60.50 USDT (TRC20) (fees not included)');
  });

  it('shows instants in the zone of the reader and in UTC', async () => {
    const { out } = await world({ timeZone: 'Europe/Berlin' }).run(
      ...['plan', 'good.csv', '--at', '2026-12-01T09:00:00Z'],
    );
    expect(out).toContain('2026-12-01 10:00:00 Europe/Berlin (2026-12-01 09:00:00 UTC)');
  });

  it('shows hidden characters of a hostile file as text', async () => {
    const file = csv(`${address(1)},\u001B[2J\u202E1,USDT_TRC20`);
    const { run } = fakeWorld({ cwd: withFiles(temporaryFolder(), { 'evil.csv': file }) });
    const { out, err } = await run('plan', 'evil.csv');
    for (const hidden of ['\u001B', '\u202E']) expect(`${out}${err}`).not.toContain(hidden);
  });

  it('reports a path that cannot be written', async () => {
    const { json } = world({ env: { BURSAR_REPORT_DIR: 'good.csv/runs' } });
    const { code, value } = await json('plan', 'one bad.csv');
    expect([code, value['what']]).toEqual([
      2,
      'report.dir: nothing can be written there (ENOTDIR).',
    ]);
  });
});
