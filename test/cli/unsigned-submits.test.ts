import { describe, expect, it } from '@jest/globals';
import { createSchedule, definition } from '../support/schedule-definitions.ts';
import { bobApproves, writeKeyFile } from '../support/signing-people.ts';
import { type FakeWorld, fakeWorld, NOW } from './support/fake-world.ts';
import { csv, address, withFiles } from './support/files.ts';
import { inStore } from './support/in-store.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { playEnd, playSettle } from './support/play.ts';

const DAY_MS = 86_400_000;

/** Settings by which every batch needs an approval, of a person who has no key at hand. */
const { BURSAR_OPERATOR_KEY_FILE: _, ...POLICY } = bobApproves('USDT_TRC20');
const ALWAYS = { BURSAR_APPROVAL_TIERS: '[{"approvals":1,"roles":["finance"]}]' };

/** A world with a batch that failed, a schedule that missed its runs, and a file; nothing was started since. */
async function guardedWorld(): Promise<FakeWorld> {
  const made = await payrollWorld(async (store) => {
    await playSettle(store, 'payroll', { outcome: 'FAILED' });
    await playEnd(store, 'payroll', { state: 'FAILED' });
    await createSchedule(store, definition(), Date.parse(NOW) - 3 * DAY_MS);
  });
  withFiles(made.world.cwd, { 'other.csv': csv(`${address(9)},7,USDT_TRC20`) });
  writeKeyFile(made.world.cwd, 'alice');
  made.engine.started.length = 0;
  made.engine.executions.clear();
  return fakeWorld({
    cwd: made.world.cwd,
    engine: made.engine,
    env: { ...POLICY, ...ALWAYS },
  });
}

/** Everything that a command may have begun. */
const begunBy = async (made: FakeWorld) => ({
  started: made.engine.started.map(({ batchId }) => batchId),
  runs: made.engine.demands.map(({ nominal }) => nominal),
  schedules: await inStore(made, async ({ schedules }) =>
    (await schedules.list()).map(({ scheduleId }) => scheduleId),
  ),
});

const NOTHING = { started: [], runs: [], schedules: ['rent'] };
const RULE = '--cron|0 9 * * *|--timezone|UTC|--file|pay-{date}.csv';

describe('a batch that needs approvals is not started without a signature', () => {
  it.each<{ command: string; begun: object }>`
    command                                                                              | begun
    ${'submit|other.csv|--id|other|--detach'}                                            | ${{ started: ['other'] }}
    ${'resend|payroll|--confirm-not-paid-elsewhere|--detach'}                            | ${{ started: ['payroll-r1'] }}
    ${`schedule|create|wages|${RULE}`}                                                   | ${{ schedules: ['rent', 'wages'] }}
    ${'schedule|trigger|rent|--run|2026-11-22T09:00|--reason|early'}                     | ${{ runs: ['2026-11-22T09:00'] }}
    ${'schedule|backfill|rent|--from|2026-11-20|--to|2026-11-20|--reason|the file came'} | ${{ runs: ['2026-11-20T09:00'] }}
  `('by $command', async ({ command, begun }) => {
    const made = await guardedWorld();
    const args = [...command.split('|'), '--yes'];
    const { code, value } = await made.json(...args);
    expect([code, value['code']]).toEqual([4, 'SUBMIT_UNSIGNED']);
    expect(await begunBy(made)).toEqual(NOTHING);
    expect(made.engine.timetables.size).toBe(0);

    const { err } = await made.run(...args, '--key', 'alice.key');
    expect([err, await begunBy(made)]).toEqual([
      expect.not.stringContaining('UNSIGNED'),
      { ...NOTHING, ...begun },
    ]);
  });
});
