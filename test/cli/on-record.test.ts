import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decisionsIn } from '../support/decisions.ts';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import type { FakeWorld } from './support/fake-world.ts';
import { GOOD } from './support/files.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { playDoubt, playEnd } from './support/play.ts';

const NEXT = '2026-11-22T09:00';
const RULE = ['--cron', '0 9 * * *', '--timezone', 'UTC', '--file', 'pay-{date}.csv'];

/** A world in which the batch payroll is under way, and a schedule has been created. */
async function worldAtWork(): Promise<FakeWorld> {
  const made = await payrollWorld((store) => playDoubt(store, 'payroll'));
  await made.run('schedule', 'create', 'rent', ...RULE, '--yes');
  await made.run('schedule', 'trigger', 'rent', '--run', NEXT, '--reason', 'x', '--yes');
  return made;
}

async function refusalsOf({ store: open }: FakeWorld): Promise<object[]> {
  const store = await open();
  const entries = await decisionsIn(store);
  await store.close();
  return entries
    .filter(({ action }) => action.endsWith('-rejected'))
    .map(({ actor, action, batchId, detail }) => ({ actor, action, batchId, ...detail }));
}

const spoil = (made: FakeWorld): void =>
  writeFileSync(join(made.world.cwd, 'good.csv'), GOOD.replace('20,', '2E1,'));

describe('a refused try to release money is in the audit log', () => {
  it.each<{ what: string; tries(made: FakeWorld): Promise<unknown>; entry: object }>([
    {
      what: 'with a file that has changed under its id',
      async tries(made) {
        writeFileSync(join(made.world.cwd, 'good.csv'), GOOD.replace('20,', '21,'));
        return made.run('submit', 'good.csv', '--id', 'payroll', '--yes');
      },
      entry: { action: 'submit-rejected', batchId: 'payroll', code: 'BATCH_ID_TAKEN' },
    },
    {
      what: 'with a file that has a wrong row',
      tries: async (made) => {
        spoil(made);
        return made.run('submit', 'good.csv', '--id', 'other', '--yes');
      },
      entry: { action: 'submit-rejected', batchId: 'other', code: 'FILE_ROWS_REFUSED' },
    },
    {
      what: 'with a resend of a batch that is under way',
      tries: (made) => made.run('resend', 'payroll', '--confirm-not-paid-elsewhere', '--yes'),
      entry: { action: 'resend-rejected', batchId: 'payroll', code: 'BATCH_OPEN' },
    },
    {
      what: 'with an answer that its batch does not take',
      tries: (made) => {
        made.engine.refusal = noteOf('CHUNK_NOT_WAITING', { chunk: '3', batchId: 'payroll' });
        return made.run('resolve', 'payroll', '3', 'not-created', '--reason', 'x');
      },
      entry: {
        action: 'resolve-rejected',
        batchId: 'payroll',
        code: 'CHUNK_NOT_WAITING',
        chunk: 3,
        answer: 'not-created',
        reason: 'x',
      },
    },
    {
      what: 'with a run of a schedule that has begun',
      tries: (made) =>
        made.run('schedule', 'trigger', 'rent', '--run', NEXT, '--reason', 'x', '--yes'),
      entry: {
        action: 'schedule-trigger-rejected',
        batchId: null,
        code: 'SCHEDULE_RUN_TAKEN',
        scheduleId: 'rent',
        run: NEXT,
      },
    },
    {
      what: 'with more runs of a schedule than anybody means',
      tries: (made) =>
        made.run(
          ...['schedule', 'backfill', 'rent', '--from', '2026-01-01', '--to', '2026-11-20'],
          ...['--reason', 'x', '--yes'],
        ),
      entry: {
        action: 'schedule-backfill-rejected',
        batchId: null,
        code: 'BACKFILL_TOO_LARGE',
        scheduleId: 'rent',
        from: '2026-01-01',
        to: '2026-11-20',
        reason: 'x',
      },
    },
  ])('$what', async ({ tries, entry }) => {
    const made = await worldAtWork();
    await tries(made);
    expect(await refusalsOf(made)).toEqual([{ actor: 'alice', ...entry }]);
  });

  it.each<{ words: string; entry: object }>`
    words                                         | entry
    ${'resume payroll --reason x'}                | ${{ action: 'resume-rejected', reason: 'x' }}
    ${'resume payroll --hold 1 --reason x'}       | ${{ action: 'resume-rejected', reason: 'x' }}
    ${'resolve payroll 0 not-created --reason x'} | ${{ action: 'resolve-rejected', chunk: 0, answer: 'not-created', reason: 'x' }}
    ${'approve payroll --as bob --confirm 1:X'}   | ${{ action: 'approve-rejected', person: 'bob' }}
    ${'refuse payroll --as bob --reason x'}       | ${{ action: 'refuse-rejected', person: 'bob' }}
  `('of a batch that has ended: $words', async ({ words, entry }) => {
    const made = await worldAtWork();
    const store = await made.store();
    await playEnd(store, 'payroll', { state: 'CANCELED' });
    await store.close();
    const { code, value } = await made.json(...words.split(' '));
    expect([code, value['code']]).toEqual([2, 'BATCH_ENDED']);
    expect(await refusalsOf(made)).toEqual([
      { actor: 'alice', batchId: 'payroll', code: 'BATCH_ENDED', ...entry },
    ]);
  });

  it('of a batch that ends during the resume', async () => {
    const made = await worldAtWork();
    made.engine.refusal = noteOf('BATCH_ENDED', { batchId: 'payroll', state: 'REPORTING' });
    await made.run('resume', 'payroll', '--reason', 'x');
    expect(await refusalsOf(made)).toMatchObject([
      { action: 'resume-rejected', code: 'BATCH_ENDED', reason: 'x' },
    ]);
  });

  it('once: its worker stores whom a running batch refuses', async () => {
    const made = await worldAtWork();
    made.engine.refusal = noteOf('NOT_HELD', { batchId: 'payroll' });
    await made.run('resume', 'payroll', '--reason', 'x');
    expect(await refusalsOf(made)).toEqual([]);
  });

  it('but not who only read, declined, or reached no server', async () => {
    const made = await worldAtWork();
    await made.run('resend', 'payroll', '--dry-run');
    await made.run('resend', 'nobody', '--confirm-not-paid-elsewhere', '--yes');
    const confirmed = ['--accept', 'SAME_FILE_AGAIN', '--confirm', '1:USDT_TRC20'];
    expect((await made.run('submit', 'good.csv', '--id', 'other', ...confirmed)).code).toBe(3);
    spoil(made);
    await made.run('plan', 'good.csv');
    expect(await refusalsOf(made)).toEqual([]);
  });
});
