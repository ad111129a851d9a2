import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { CommandOpeners } from '../../src/cli/context.ts';
import { MerchantApiError } from '@bursar/merchant-api';
import { createFiles } from '../../src/files/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { running } from './support/fake-engine.ts';
import { fakeService } from './support/fake-service.ts';
import { fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { csv, derivedId, DUPLICATE, GOOD, ONE_BAD, withFiles } from './support/files.ts';

const FILES = {
  'good.csv': GOOD,
  'one-bad.csv': ONE_BAD,
  'duplicate.csv': DUPLICATE,
  'empty.csv': '',
  'header.csv': csv(),
  'columns.csv': 'address,sum\nx,1\n',
  'folder/x.csv': GOOD,
};

const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), FILES), ...more });

const CONFIRM = ['--confirm', '60.5:USDT_TRC20'];

describe('bursar submit starts nothing', () => {
  it.each<{ args: string; code: string; exitCode: number }>`
    args                                                                                 | code                       | exitCode
    ${'submit'}                                                                          | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv other.csv'}                                                       | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv --acept DUPLICATE_ROW'}                                           | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv --accept NOTHING'}                                                | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv --id a/b --yes'}                                                  | ${'BATCH_ID_INVALID'}      | ${2}
    ${'submit good.csv --currency usdt --yes'}                                           | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv --at 2026-11-20T09:00:00Z --yes'}                                 | ${'AT_IN_PAST'}            | ${2}
    ${'submit good.csv --at 2026-12-01T09:00:00 --yes'}                                  | ${'TIME_UNREADABLE'}       | ${2}
    ${'submit good.csv --at tomorrow --yes'}                                             | ${'TIME_UNREADABLE'}       | ${2}
    ${'submit good.csv --execution-date 2026-12-01 --yes'}                               | ${'TIME_UNREADABLE'}       | ${2}
    ${'submit good.csv --execution-date 2026-11-01T00:00:00Z --yes'}                     | ${'AT_IN_PAST'}            | ${2}
    ${'submit good.csv --at 2026-12-01T09:00:00Z --execution-date 2026-12-01T09:00:00Z'} | ${'AT_AND_EXECUTION_DATE'} | ${2}
    ${'submit good.csv --expect-count many --yes'}                                       | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv --expect-total 1e3 --yes'}                                        | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv --funds later --yes'}                                             | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv --timeout soon --yes'}                                            | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv --wait --detach --yes'}                                           | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv --detach --timeout 5m --yes'}                                     | ${'FLAG_INVALID'}          | ${2}
    ${'submit good.csv'}                                                                 | ${'CONFIRMATION_MISSING'}  | ${2}
    ${'submit good.csv --confirm 60:USDT_TRC20'}                                         | ${'CONFIRMATION_WRONG'}    | ${3}
    ${'submit good.csv --yes --confirm 60:USDT_TRC20'}                                   | ${'CONFIRMATION_WRONG'}    | ${3}
    ${'submit nowhere.csv --yes'}                                                        | ${'FILE_NOT_FOUND'}        | ${13}
    ${'submit folder --yes'}                                                             | ${'FILE_NOT_REGULAR'}      | ${13}
    ${'submit empty.csv --yes'}                                                          | ${'FILE_EMPTY'}            | ${13}
    ${'submit header.csv --yes'}                                                         | ${'FILE_WITHOUT_ROWS'}     | ${13}
    ${'submit columns.csv --yes'}                                                        | ${'HEADER_MISSING_COLUMN'} | ${13}
    ${'submit one-bad.csv --yes'}                                                        | ${'FILE_ROWS_REFUSED'}     | ${13}
    ${'submit duplicate.csv --yes'}                                                      | ${'FINDINGS_NOT_ACCEPTED'} | ${13}
    ${'submit good.csv --expect-count 4 --yes'}                                          | ${'CONTROL_TOTAL_COUNT'}   | ${13}
    ${'submit good.csv --expect-total 60 --yes'}                                         | ${'CONTROL_TOTAL_AMOUNT'}  | ${13}
    ${'submit good.csv --expect-total 60.5:BTC --yes'}                                   | ${'CONTROL_TOTAL_AMOUNT'}  | ${13}
  `('for "$args": $code, exit $exitCode', async ({ args, code, exitCode }) => {
    const { json, engine, world: made } = world();
    const ended = await json(...args.split(' '));
    expect(ended).toEqual({
      code: exitCode,
      value: {
        schema: 'bursar.error/v1',
        code,
        what: expect.any(String),
        why: expect.any(String),
        fix: expect.any(String),
      },
    });
    expect(engine.started).toEqual([]);
    expect(existsSync(join(made.cwd, '.bursar/blobs'))).toBe(false);
  });

  it.each<{ how: string; change: (file: string) => void }>`
    how            | change
    ${'replaced'}  | ${(file: string) => renameSync(join(file, '..', 'duplicate.csv'), file)}
    ${'appended'}  | ${(file: string) => appendFileSync(file, GOOD)}
    ${'truncated'} | ${(file: string) => truncateSync(file, GOOD.length - 1)}
  `('for a file that was $how after it was read and confirmed', async ({ change }) => {
    const blobs: CommandOpeners['blobs'] = async ({ blob }) => {
      change(join(made.world.cwd, 'good.csv'));
      return createFiles(blob.url);
    };
    const made = world({ open: { blobs } });
    const { code, value } = await made.json('submit', 'good.csv', ...CONFIRM);
    expect([code, value['code']]).toEqual([13, 'FILE_CHANGED']);
    expect(made.engine.started).toEqual([]);
  });

  it('and lists refused rows in nack.csv and on the terminal', async () => {
    const { run, world: made } = world();
    const { err } = await run('submit', 'one-bad.csv', '--yes');
    const nack = join('runs', derivedId('one-bad', ONE_BAD), 'nack.csv');
    expect(readFileSync(join(made.cwd, nack), 'utf8')).toContain('AMOUNT_NOT_DECIMAL');
    expect(err).toContain('row 3, amount: The amount "2E1" is not a plain decimal.');
    expect(err).toContain(`Correct the rows listed in ${nack}`);
  });

  it('and leaves no copy of standard input', async () => {
    const temporaryDir = temporaryFolder();
    const { code, err } = await world({ input: ONE_BAD, temporaryDir }).run('submit', '-', '--yes');
    expect([code, err]).toEqual([13, expect.stringContaining('standard input')]);
    expect(readdirSync(temporaryDir)).toEqual([]);
  });

  it.each(['-', 'good.csv'])('when nothing can be written while %s is read', async (file) => {
    const temporaryDir = join(temporaryFolder(), 'gone');
    const { code, err } = await world({ input: GOOD, temporaryDir }).run('submit', file, '--yes');
    expect([code, err]).toEqual([2, expect.stringContaining('TEMPORARY_UNUSABLE')]);
    expect(err).toContain(`The folder for temporary files, ${temporaryDir}, cannot be used`);
  });

  it('when standard input holds the file, which cannot hold the answer too', async () => {
    const { run, engine } = world({ input: GOOD, isTty: true });
    const { code, err } = await run('submit', '-');
    expect(code).toBe(2);
    expect(err).toContain('CONFIRMATION_MISSING');
    expect(engine.started).toEqual([]);
  });

  it.each<{ typed: string; shown: string; exitCode: number }>`
    typed                   | shown                   | exitCode
    ${'\n'}                 | ${'PERSON_SAID_NO'}     | ${3}
    ${''}                   | ${'PERSON_SAID_NO'}     | ${3}
    ${'no\n'}               | ${'CONFIRMATION_WRONG'} | ${3}
    ${'60.50:USDT_ERC20\n'} | ${'CONFIRMATION_WRONG'} | ${3}
  `('when the person types $typed', async ({ typed, shown, exitCode }) => {
    const { run, engine } = world({ isTty: true, input: typed });
    const { code, err } = await run('submit', 'good.csv');
    expect(err).toContain('Type the amount (60.5) to pay, or press Enter to stop: ');
    expect(err).toContain(shown);
    expect(code).toBe(exitCode);
    expect(engine.started).toEqual([]);
  });

  it.each<{ lines: string[]; code: string; tries: number }>`
    lines                                                 | code                    | tries
    ${['no', '60.50:USDT_ERC20', 'x', '60.5:USDT_TRC20']} | ${'CONFIRMATION_WRONG'} | ${3}
    ${['no', '']}                                         | ${'PERSON_SAID_NO'}     | ${2}
  `('when the person types $lines one after the other', async ({ lines, code, tries }) => {
    const { run, engine } = world({ isTty: true, input: lines.map((line) => `${line}\n`) });
    const { err, code: exitCode } = await run('submit', 'good.csv');
    expect([exitCode, err]).toEqual([3, expect.stringContaining(code)]);
    expect(err.split('Type the amount (60.5)').length - 1).toBe(tries);
    expect(engine.started).toEqual([]);
  });

  it('for a person under --no-input, who cannot confirm', async () => {
    const { run } = world({ isTty: true, input: '60.5:USDT_TRC20\n' });
    const { code, err } = await run('submit', 'good.csv', '--no-input');
    expect([code, err]).toEqual([2, expect.stringContaining('CONFIRMATION_MISSING')]);
  });

  it('when Temporal cannot be reached, before the confirmation', async () => {
    const made = world({ isTty: true, input: '60.5:USDT_TRC20\n' });
    made.engine.isDown = true;
    const { code, err } = await made.run('submit', 'good.csv');
    expect(code).toBe(6);
    expect(err).toContain('TEMPORAL_UNREACHABLE');
    expect(err).not.toContain('Type 60.5');
  });

  it('when the id already stands for another file, in Temporal or in the store', async () => {
    const made = world();
    made.engine.executions.set('payroll', running('another-hash'));
    const { code, value } = await made.json('submit', 'good.csv', '--id', 'payroll', ...CONFIRM);
    expect([code, value['code']]).toEqual([2, 'BATCH_ID_TAKEN']);
    expect(made.engine.started).toEqual([]);
  });
});

describe('the check of the service before a batch starts', () => {
  const API = {
    BURSAR_API_BASE_URL: 'https://service.test',
    BURSAR_API_KEY: 'key',
    BURSAR_API_SECRET: 'secret',
  };
  const failing = (error: MerchantApiError, skewMs?: number) =>
    fakeService({
      readBalance: async () => {
        throw error;
      },
      clockSkewMs: () => skewMs,
    });
  const operation = 'ACCOUNT' as const;

  it.each([
    ['SERVICE_REFUSED_KEY', 4, new MerchantApiError('refused', { operation, httpStatus: 401 }), 0],
    ['SERVICE_REFUSED_KEY', 4, new MerchantApiError('refused', { operation, httpStatus: 400 }), 0],
    ['CLOCK_SKEW', 4, new MerchantApiError('refused', { operation, httpStatus: 400 }), 200_000],
    ['SERVICE_UNREACHABLE', 6, new MerchantApiError('not-sent', { operation, reason: 'X' }), 0],
    ['SERVICE_UNREACHABLE', 6, new MerchantApiError('no-answer', { operation, reason: 'X' }), 0],
    ['SERVICE_UNREACHABLE', 6, new MerchantApiError('refused', { operation, httpStatus: 503 }), 0],
    [
      'SERVICE_ANSWER_UNREADABLE',
      6,
      new MerchantApiError('unreadable', { operation, httpStatus: 200, reason: 'X' }),
      0,
    ],
  ])('stops it with %s, exit %i', async (code, exitCode, error, skewMs) => {
    const service = failing(error, skewMs);
    const made = world({ env: API, service });
    const ended = await made.json('submit', 'good.csv', '--yes');
    expect([ended.code, ended.value['code']]).toEqual([exitCode, code]);
    expect(made.engine.started).toEqual([]);
    // Once for the wallets of the account, and once for its balance.
    expect(service.closed()).toBe(2);
  });

  it.each([61_000, -61_000])('stops it when the clocks are %i ms apart', async (skewMs) => {
    const made = world({ env: API, service: fakeService({ clockSkewMs: () => skewMs }) });
    const { code, value } = await made.json('submit', 'good.csv', '--yes');
    expect([code, value['code']]).toEqual([4, 'CLOCK_SKEW']);
    expect(made.engine.started).toEqual([]);
  });

  it('shows the balance, and the amount that would be left', async () => {
    const made = world({ env: API, service: fakeService() });
    const { err } = await made.run('submit', 'good.csv');
    expect(err).toContain('balance        1,000.00 USDT (TRC20)');
    expect(err).toContain('balance after  939.50 USDT (TRC20) (fees not included)');
  });

  it('can be skipped, and is skipped when settings are missing', async () => {
    const withoutIt = world({ env: API });
    await withoutIt.run('submit', 'good.csv', '--yes', '--detach', '--no-preflight');
    expect(withoutIt.engine.started).toHaveLength(1);
    const { BURSAR_API_SECRET: _, ...noSecret } = API;
    const withoutSecret = world({ env: noSecret });
    await withoutSecret.run('submit', 'good.csv', '--yes', '--detach');
    expect(withoutSecret.engine.started).toHaveLength(1);
  });
});
