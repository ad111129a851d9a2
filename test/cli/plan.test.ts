import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PLAN_PARTS } from '../../src/domain/plan/digest.ts';
import { idempotencyKeyOf } from '../../src/domain/sending/identity.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';
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
  it('tells as one object what would happen', async () => {
    const { json } = world();
    const { code, value } = await json('plan', 'good.csv');
    expect(code).toBe(0);
    expect(value).toEqual({
      schema: 'bursar.plan/v1',
      batchId: ID,
      account: ACCOUNT,
      file: { name: 'good.csv', path: null, sha256: sha256(GOOD), sizeBytes: GOOD.length },
      rows: { total: 3, accepted: 3, refused: 0 },
      currencies: [{ currency: 'USDT_TRC20', rows: 3, total: '60.5' }],
      funds: null,
      chunks: 1,
      at: null,
      executionDate: null,
      choices: {
        ...{ currency: null, at: null, executionDate: null, fundsWaitMs: null, skipInvalid: false },
        ...{ expectCount: null, expectTotals: [], accept: [], chunkRows: 1_000, rowTag: 'append' },
        ...{ canaryRows: 0, stopLoss: [] },
      },
      controlTotals: null,
      findings: [],
      rules: {
        approval: ['No approval is needed.'],
        approvers: [],
        findings: ['Payments of the last 25 days are looked at.'],
        limits: ['No limits.'],
        fees: ['Fees may rise by 20 % before the due time.'],
      },
      historyRead: false,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      parts: Object.fromEntries(PLAN_PARTS.map((part) => [part, expect.stringMatching(HASH)])),
      nack: null,
      problems: [],
      chunkList: [
        {
          ...{ chunk: 0, currency: 'USDT_TRC20', rows: 3, total: '60.5', firstRow: 2, lastRow: 4 },
          rowsSha256: expect.stringMatching(HASH),
          idempotencyKey: idempotencyKeyOf({
            ...{ account: ACCOUNT, batchId: ID, chunk: 0, generation: 0 },
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

  it('lists refused rows, in the output and in nack.csv, and ends with 13', async () => {
    const { run, world: made } = world();
    const { code, out } = await run('plan', 'one bad.csv');
    expect(code).toBe(13);
    expect(out).toContain('3, of which 1 refused');
    expect(out).toContain('row 3, amount: The amount "2E1" is not a plain decimal.');
    expect(out).toContain("bursar submit 'one bad.csv'\n");
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

  it('shows findings, and spells out what has to be accepted', async () => {
    const { run } = world();
    const { code, out } = await run('plan', 'duplicate.csv');
    expect(code).toBe(13);
    expect(out).toContain('DUPLICATE_ROW (must be accepted), 1 rows');
    expect(out).toContain('FINDINGS_NOT_ACCEPTED');
    expect(out).toContain('submit duplicate.csv --accept DUPLICATE_ROW --confirm 20:USDT_TRC20');
    expect(out).not.toContain('submit --plan');
    const accepted = await run('plan', 'duplicate.csv', '--accept', 'DUPLICATE_ROW');
    expect([accepted.code, accepted.out]).toEqual([0, expect.stringContaining('(accepted)')]);
  });

  it('tells every problem at once', async () => {
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

  it('says what the digest needs when the account is not set', async () => {
    const made = world({ env: { BURSAR_API_ACCOUNT: '' } });
    expect((await made.json('plan', 'good.csv')).value['digest']).toBeNull();
    expect((await made.run('plan', 'good.csv')).out).toContain('BURSAR_API_ACCOUNT');
  });

  it('asks the service for balance and fees with --online', async () => {
    const { json } = world({ service: fakeService() });
    const { value } = await json('plan', 'good.csv', '--online');
    expect(value['funds']).toEqual([
      {
        currency: 'USDT_TRC20',
        available: '1000',
        requested: '60.5',
        fee: '0.03',
        left: '939.47',
        caps: [],
      },
    ]);
  });

  it('shows a shortfall', async () => {
    const poor = { account: ACCOUNT, name: '', balances: [{ currency: 'BTC', amount: '9' }] };
    const answer = { value: poor, httpStatus: 200, bodySha256: 'b' };
    const service = fakeService({ readBalance: async () => answer, hasOperation: () => false });
    const { out } = await world({ service }).run('plan', 'good.csv', '--online');
    expect(out).toContain('60.5 USDT_TRC20 are missing, without fees');
  });

  it('shows instants in the zone of the reader and in UTC', async () => {
    const { out } = await world({ timeZone: 'Europe/Berlin' }).run(
      ...['plan', 'good.csv', '--at', '2026-12-01T09:00:00Z'],
    );
    expect(out).toContain('2026-12-01 10:00:00 Europe/Berlin (2026-12-01 09:00:00 UTC)');
  });

  it('shows hidden characters of a hostile file instead of obeying them', async () => {
    const file = csv(`${address(1)},\u001B[2J\u202E1,USDT_TRC20`);
    const { run } = fakeWorld({ cwd: withFiles(temporaryFolder(), { 'evil.csv': file }) });
    const { out, err } = await run('plan', 'evil.csv');
    for (const hidden of ['\u001B', '\u202E']) expect(`${out}${err}`).not.toContain(hidden);
  });

  it('says where nothing can be written', async () => {
    const { json } = world({ env: { BURSAR_REPORT_DIR: 'good.csv/runs' } });
    const { code, value } = await json('plan', 'one bad.csv');
    expect([code, value['what']]).toEqual([
      2,
      'report.dir: nothing can be written there (ENOTDIR).',
    ]);
  });
});
