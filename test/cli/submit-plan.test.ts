import { publicKeyOf } from '../support/approvers.ts';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { payEarlier } from '../support/history-fixtures.ts';
import { running } from './support/fake-engine.ts';
import { fakeWorld } from './support/fake-world.ts';
import { address, csv, GOOD, sha256 } from './support/files.ts';
import { inStore } from './support/in-store.ts';
import {
  again,
  CONFIRM,
  ID,
  PLAN,
  plannedWorld,
  readPlan,
  refusalOf,
  world,
} from './support/planned-world.ts';
import { playEnd, playPlan } from './support/play.ts';

const OTHER_ACCOUNT = '0x00000000000000000000000000000000000000b2';

describe('bursar submit --plan', () => {
  it('starts the batch that was planned, and binds the workers to it', async () => {
    const flags =
      '--id payroll --at 2026-12-01T10:00:00+01:00 --funds wait:2h --accept ADDRESS_BURN --expect-count 3 --expect-total 60.5 --canary 2 --stop-loss 5% --currency BTC';
    const made = await plannedWorld(flags.split(' '), {
      env: { BURSAR_BATCH_CHUNK_ROWS: '2', BURSAR_BATCH_ROW_TAG: 'off' },
    });
    const { digest, parts } = readPlan(made);
    expect(await made.run('submit', '--plan', PLAN, ...CONFIRM)).toMatchObject({ code: 8 });
    expect(made.engine.started).toMatchObject([
      {
        batchId: 'payroll',
        file: { name: 'good.csv', sha256: sha256(GOOD) },
        options: {
          chunkRows: 2,
          rowTag: 'off',
          currency: 'BTC',
          skipInvalid: false,
          expectCount: 3,
          expectTotals: ['60.5'],
          accept: ['ADDRESS_BURN'],
          canaryRows: 2,
          stopLoss: ['5%'],
          at: '2026-12-01T09:00:00.000Z',
          executionDate: null,
          fundsWaitMs: 7_200_000,
          chunksInFlight: 16,
          pollMinMs: 5_000,
          pollMaxMs: 300_000,
          expectedDigest: { digest, parts },
        },
      },
    ]);
  });

  it('starts the plan when an earlier batch has made a note needless meanwhile', async () => {
    const made = await plannedWorld();
    const { digest } = readPlan(made);
    await inStore(made, (store) =>
      payEarlier(store, 'earlier', [{ address: address(1), currency: 'USDT_TRC20' }]),
    );
    expect(await made.run('submit', '--plan', PLAN, ...CONFIRM)).toMatchObject({ code: 8 });
    expect(made.engine.started).toMatchObject([
      {
        options: { expectedDigest: { digest } },
        seenNotes: [{ code: 'FIRST_TIME_PAYEE', count: 3 }],
      },
    ]);
  });

  it('takes the choices of the plan, and the load limits of the present settings', async () => {
    const made = again(await plannedWorld(['--canary', '1']), {
      env: {
        BURSAR_BATCH_CHUNK_ROWS: '1',
        BURSAR_BATCH_CHUNKS_IN_FLIGHT: '3',
        BURSAR_BATCH_CANARY_ROWS: '9',
        BURSAR_BATCH_STOP_LOSS: '1%',
      },
    });
    await made.run('submit', '--plan', PLAN, ...CONFIRM);
    expect(made.engine.started[0]?.options).toMatchObject({
      chunkRows: 1_000,
      chunksInFlight: 3,
      canaryRows: 1,
      stopLoss: [],
    });
  });

  it('finds the file from the folder of the plan, wherever it runs', async () => {
    const made = world();
    mkdirSync(join(made.world.cwd, 'elsewhere'));
    await made.run('plan', 'good.csv');
    const elsewhere = fakeWorld({ cwd: join(made.world.cwd, 'elsewhere') });
    const plan = join('..', 'runs', ID, 'plan.json');
    expect(await elsewhere.run('submit', '--plan', plan, ...CONFIRM)).toMatchObject({ code: 8 });
    expect(elsewhere.engine.started[0]).toMatchObject({ batchId: ID, file: { name: 'good.csv' } });
  });

  it('takes the given file, under any name, or from standard input', async () => {
    const made = await plannedWorld();
    renameSync(join(made.world.cwd, 'good.csv'), join(made.world.cwd, 'moved.csv'));
    expect((await refusalOf(made)).code).toBe('PLANNED_FILE_NOT_FOUND');
    await made.run('submit', '--plan', PLAN, 'moved.csv', ...CONFIRM);
    expect(made.engine.started[0]).toMatchObject({ batchId: ID, file: { name: 'moved.csv' } });
    const piped = again(made, { input: GOOD });
    await piped.run('submit', '--plan', PLAN, '-', ...CONFIRM);
    expect(piped.engine.started[0]).toMatchObject({ batchId: ID });
  });

  it('names the path of the missing file of a moved plan, and how to give the file', async () => {
    const made = await plannedWorld();
    mkdirSync(join(made.world.cwd, 'sent'));
    renameSync(join(made.world.cwd, PLAN), join(made.world.cwd, 'sent', 'plan.json'));
    const moved = join('sent', 'plan.json');
    const { code, value } = await made.json('submit', '--plan', moved, ...CONFIRM);
    expect([code, value['code']]).toEqual([13, 'PLANNED_FILE_NOT_FOUND']);
    expect(value['what']).toBe(
      `The plan ${moved} pays good.csv, and there is no file ${join('sent', 'good.csv')}.`,
    );
    expect(value['fix']).toContain(`"bursar submit FILE --plan ${moved}"`);
    await made.run('submit', 'good.csv', '--plan', moved, ...CONFIRM);
    expect(made.engine.started[0]).toMatchObject({ batchId: ID });
  });

  it('still demands the totals', async () => {
    const made = await plannedWorld();
    const { code, value } = await made.json('submit', '--plan', PLAN, '--detach');
    expect([code, value['code']]).toEqual([2, 'CONFIRMATION_MISSING']);
    expect((await refusalOf(made, '--confirm', '60:USDT_TRC20')).code).toBe('CONFIRMATION_WRONG');
  });

  it('takes flags that agree with the plan', async () => {
    const made = await plannedWorld([
      '--at',
      '2026-12-01T10:00:00+01:00',
      '--skip-invalid',
      '--canary',
      '2',
    ]);
    const flags = `--id ${ID} --at 2026-12-01T09:00:00Z --skip-invalid --canary 2 --funds fail`;
    expect(await made.run('submit', '--plan', PLAN, ...flags.split(' '), ...CONFIRM)).toMatchObject(
      {
        code: 8,
      },
    );
  });

  it.each<{ flags: string; flag: string; given: string; planned: string }>`
    flags                                      | flag                  | given                           | planned
    ${'--id other'}                            | ${'--id'}             | ${'other'}                      | ${ID}
    ${'--currency BTC'}                        | ${'--currency'}       | ${'BTC'}                        | ${'nothing'}
    ${'--at 2026-12-02T00:00:00Z'}             | ${'--at'}             | ${'2026-12-02T00:00:00.000Z'}   | ${'nothing'}
    ${'--execution-date 2026-12-02T00:00:00Z'} | ${'--execution-date'} | ${'2026-12-02T00:00:00.000Z'}   | ${'nothing'}
    ${'--skip-invalid'}                        | ${'--skip-invalid'}   | ${'yes'}                        | ${'no'}
    ${'--expect-count 3'}                      | ${'--expect-count'}   | ${'3'}                          | ${'nothing'}
    ${'--expect-total 60.5'}                   | ${'--expect-total'}   | ${'60.5'}                       | ${'nothing'}
    ${'--accept DUPLICATE_ROW'}                | ${'--accept'}         | ${'DUPLICATE_ROW'}              | ${'ADDRESS_BURN'}
    ${'--accept ADDRESS_BURN,DUPLICATE_ROW'}   | ${'--accept'}         | ${'ADDRESS_BURN,DUPLICATE_ROW'} | ${'ADDRESS_BURN'}
    ${'--funds wait'}                          | ${'--funds'}          | ${'86400000'}                   | ${'nothing'}
    ${'--canary 1'}                            | ${'--canary'}         | ${'1'}                          | ${'0'}
    ${'--stop-loss 5%'}                        | ${'--stop-loss'}      | ${'5%'}                         | ${'nothing'}
  `('refuses $flags, which the plan does not say', async ({ flags, flag, given, planned }) => {
    const made = await plannedWorld(['--accept', 'ADDRESS_BURN']);
    expect(await refusalOf(made, ...flags.split(' '))).toEqual({
      exitCode: 2,
      code: 'PLAN_FLAG_CONTRADICTS',
      what: `${flag} is ${given}, and the plan ${PLAN} has ${planned}.`,
    });
  });

  it('refuses a plan from standard input without standard input', async () => {
    const made = world({ input: GOOD });
    await made.run('plan', '-', '--out', PLAN);
    expect((await refusalOf(made)).what).toContain('plan.json was made from standard input');
  });

  it('refuses a plan whose time is over', async () => {
    const made = await plannedWorld(['--at', '2026-11-21T09:00:05Z']);
    await made.world.clock.pause(10_000, made.world.interrupted);
    expect(await refusalOf(made)).toMatchObject({ exitCode: 2, code: 'AT_IN_PAST' });
  });

  it('refuses a plan with findings that no person accepted', async () => {
    const made = world();
    await made.run('plan', 'duplicate.csv', '--out', PLAN);
    const { exitCode, code } = await refusalOf(made, '--confirm', '20:USDT_TRC20');
    expect([exitCode, code]).toEqual([13, 'FINDINGS_NOT_ACCEPTED']);
  });
});

describe('bursar submit --plan starts nothing', () => {
  const fourRows = `${GOOD}${address(4)},10,USDT_TRC20\n`;
  const otherRows = GOOD.replace('20,', '21,').replace('30,', '29,');
  const reordered = csv(...GOOD.trimEnd().split('\n').slice(1).toReversed());
  const twoCurrencies = `${GOOD}0x5D1c142E2Dbf6596282a86b4e30dF3ddAd92B52a,1.5,USDC_ERC20\n`;
  const damaged = GOOD.replace('20,', '2E1,');

  it.each<{ what: string; text: string; changes: string }>`
    what                       | text             | changes
    ${'a row more'}            | ${fourRows}      | ${'rows 3 -> 4; total 60.50 -> 70.50 USDT (TRC20)'}
    ${'other amounts'}         | ${otherRows}     | ${'the rows; the chunks'}
    ${'rows in another order'} | ${reordered}     | ${'the rows; the chunks'}
    ${'another currency'}      | ${twoCurrencies} | ${'rows 3 -> 4; total 0.00 -> 1.50 USDC (ERC20); chunks 1 -> 2'}
    ${'a row that is refused'} | ${damaged}       | ${'refused rows 0 -> 1; total 60.50 -> 40.50 USDT (TRC20)'}
  `('when the file has $what, and says so', async ({ text, changes }) => {
    const made = await plannedWorld();
    writeFileSync(join(made.world.cwd, 'good.csv'), text);
    const { exitCode, code, what } = await refusalOf(made);
    expect([exitCode, code]).toEqual([2, 'PLAN_CHANGED']);
    const file = `the file ${sha256(GOOD).slice(0, 12)} -> ${sha256(text).slice(0, 12)} (sha256)`;
    expect(what).toContain(`no longer those of the plan ${PLAN}. Changed: ${file}; `);
    for (const change of changes.split('; ')) expect(what).toContain(`; ${change}`);
  });

  it('when only a line end was added to the file, and names only that change', async () => {
    const made = await plannedWorld();
    writeFileSync(join(made.world.cwd, 'good.csv'), `${GOOD}\n`);
    expect((await refusalOf(made)).what).toMatch(
      /Changed: the file \w{12} -> \w{12} \(sha256\)\.$/,
    );
  });

  it('when the account is another one, or none', async () => {
    const made = await plannedWorld();
    const { what } = await refusalOf(again(made, { env: { BURSAR_API_ACCOUNT: OTHER_ACCOUNT } }));
    expect(what).toMatch(/the account 0x0+a1 -> 0x0+b2; the chunks\.$/);
    const none = await refusalOf(again(made, { env: { BURSAR_API_ACCOUNT: '' } }));
    expect(none.what).toBe('The setting api.account is missing.');
  });

  const tier = { above: '1000', currency: 'USDT_TRC20', approvals: 2 };
  const bob = { name: 'bob', public_key: publicKeyOf('bob') };
  const eve = { name: 'eve', public_key: publicKeyOf('eve') };

  it.each<{ setting: string; value: string; changes: string }>`
    setting                            | value               | changes
    ${'BURSAR_FINDINGS_HISTORY_DAYS'}  | ${'30'}             | ${'the rules for findings: "Payments of the last 25 days are looked at." -> "Payments of the last 30 days are looked at.".'}
    ${'BURSAR_FINDINGS_BLOCK'}         | ${'ADDRESS_BURN'}   | ${'the rules for findings: "nothing" -> "These stop a batch: ADDRESS_BURN.".'}
    ${'BURSAR_LIMITS_ROW'}             | ${'500:USDT_TRC20'} | ${'the limits: "No limits." -> "A row: at most 500 USDT_TRC20.".'}
    ${'BURSAR_FEES_SHARE_MAX_PERCENT'} | ${'2'}              | ${'the rules for fees: "nothing" -> "Fees: at most 2 % of the amount.".'}
  `('when $setting has changed, and says so', async ({ setting, value, changes }) => {
    const made = again(await plannedWorld(), { env: { [setting]: value } });
    const { exitCode, code, what } = await refusalOf(made);
    expect([exitCode, code]).toEqual([2, 'PLAN_CHANGED']);
    expect(what).toContain(`Changed: ${changes}`);
  });

  it('when approvals are needed now, and reports that', async () => {
    const made = again(await plannedWorld(), {
      env: {
        BURSAR_APPROVAL_TIERS: JSON.stringify([tier]),
        BURSAR_APPROVAL_PEOPLE: JSON.stringify([bob, eve]),
      },
    });
    const { what } = await refusalOf(made);
    expect(what).toContain(
      'the approval policy: "No approval is needed." -> "Approvals are signed.',
    );
    expect(what).toContain('Above 1000 USDT_TRC20: 2 approvals by anybody who may approve.');
    expect(what).toContain('bob may approve: no role, ed25519:');
  });

  it('when the same rows were submitted as another batch since, and reports that', async () => {
    const made = await plannedWorld(['--id', 'second']);
    await made.run('submit', 'good.csv', '--id', 'first', ...CONFIRM);
    const [input] = made.engine.started.splice(0);
    if (input === undefined) throw new Error('nothing was started');
    const store = await made.store();
    await playPlan(store, input, join(made.world.cwd, 'good.csv'));
    await store.close();
    const { what } = await refusalOf(made);
    expect(what).toMatch(/Changed: finding SAME_FILE_AGAIN 0 -> 3\.$/);
    const accepting = ['--id', 'second', '--accept', 'SAME_FILE_AGAIN'];
    expect(await made.run('plan', 'good.csv', '--out', PLAN, ...accepting)).toMatchObject({
      code: 0,
    });
    const { code } = await made.run('submit', '--plan', PLAN, ...CONFIRM);
    expect([code, made.engine.started[0]?.batchId]).toEqual([8, 'second']);
  });
});

describe('a batch that was started before', () => {
  it('with the same plan is followed', async () => {
    const made = await plannedWorld();
    await made.run('submit', '--plan', PLAN, ...CONFIRM);
    const { code, err } = await made.run('submit', '--plan', PLAN, ...CONFIRM);
    expect([code, made.engine.started.length]).toEqual([8, 1]);
    expect(err).toContain('already exists with this file. The command follows it');
  });

  it('without that plan is not followed as if it were it, whether or not a worker has seen it', async () => {
    const made = await plannedWorld();
    await made.run('submit', 'good.csv', '--canary', '1', ...CONFIRM);
    const [input] = made.engine.started.splice(0);
    if (input === undefined) throw new Error('nothing was started');
    expect(await refusalOf(made)).toMatchObject({ exitCode: 2, code: 'BATCH_HAS_OTHER_PLAN' });
    const store = await made.store();
    await playPlan(store, input, join(made.world.cwd, 'good.csv'));
    const seen = await refusalOf(made);
    expect([seen.code, seen.what]).toEqual([
      'BATCH_HAS_OTHER_PLAN',
      `Batch ${ID} was started with another plan (sha256:worker) than ${PLAN}.`,
    ]);
    await playEnd(store, ID, { state: 'COMPLETED' });
    await store.close();
    expect((await refusalOf(made)).code).toBe('BATCH_HAS_OTHER_PLAN');
  });

  it('and whose id another file has taken is reported', async () => {
    const made = await plannedWorld(['--id', 'payroll']);
    made.engine.executions.set('payroll', running('another-hash'));
    expect((await refusalOf(made)).code).toBe('BATCH_ID_TAKEN');
  });
});
