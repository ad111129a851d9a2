import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
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

const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), FILES), ...more });

describe('bursar plan', () => {
  it('tells as one object what would happen', async () => {
    const { json } = world();
    const { code, value } = await json('plan', 'good.csv');
    expect(code).toBe(0);
    expect(value).toEqual({
      schema: 'bursar.plan/v1',
      batchId: derivedId('good', GOOD),
      file: { name: 'good.csv', sha256: sha256(GOOD), sizeBytes: GOOD.length },
      rows: { total: 3, accepted: 3, refused: 0 },
      currencies: [{ currency: 'USDT_TRC20', rows: 3, total: '60.5' }],
      chunks: 1,
      at: null,
      executionDate: null,
      findings: [],
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      nack: null,
      problems: [],
      funds: null,
      command: 'bursar submit good.csv --confirm 60.5:USDT_TRC20',
    });
  });

  it('needs neither store nor Temporal, and leaves nothing behind', async () => {
    const { run, world: made, engine } = world();
    engine.isDown = true;
    expect(await run('plan', 'good.csv')).toMatchObject({ code: 0 });
    expect(existsSync(join(made.cwd, '.bursar'))).toBe(false);
    expect(existsSync(join(made.cwd, 'runs'))).toBe(false);
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
    const accepted = await run('plan', 'duplicate.csv', '--accept', 'DUPLICATE_ROW');
    expect([accepted.code, accepted.out]).toEqual([0, expect.stringContaining('(accepted)')]);
  });

  it('stops at limits and at findings that the settings raise, whatever is accepted', async () => {
    const env = { BURSAR_LIMITS_ROW: '20:USDT_TRC20', BURSAR_FINDINGS_BLOCK: 'DUPLICATE_ROW' };
    const { run } = world({ env });
    const limited = await run('plan', 'good.csv', '--accept', 'LIMIT_ROW');
    expect([limited.code, limited.out]).toEqual([
      13,
      expect.stringContaining('LIMIT_ROW (stops the batch), 1 rows'),
    ]);
    expect(limited.out).toContain('row 4  30 USDT_TRC20; the limit is 20');
    expect(limited.out).toContain('FINDINGS_BLOCK');
    const raised = await run('plan', 'duplicate.csv');
    expect(raised.out).toContain('DUPLICATE_ROW (stops the batch)');
    expect(raised.out).not.toContain('--accept DUPLICATE_ROW');
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
      '--id p-1 --at 2026-12-01T10:00:00+01:00 --skip-invalid --expect-count 3 --expect-total 60.5 --accept ADDRESS_BURN';
    const { value } = await world().json('plan', 'good.csv', ...flags.split(' '));
    expect(value['command']).toBe(
      'bursar submit good.csv --id p-1 --at 2026-12-01T09:00:00.000Z --skip-invalid --expect-count 3 --expect-total 60.5 --accept ADDRESS_BURN --confirm 60.5:USDT_TRC20',
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
    ];
    const all: unknown[] = [];
    for (const flags of changes) all.push(await digestOf(...flags));
    expect(new Set(all).size).toBe(5);
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
      { currency: 'USDT_TRC20', available: '1000', requested: '60.5', fee: '0.03', left: '939.47' },
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
