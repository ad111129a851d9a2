import { describe, expect, it } from '@jest/globals';
import { liveStatus } from './support/fake-engine.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { keyOf, playDoubt } from './support/play.ts';

/** A world in which chunk 0 of three may have arrived, and no create of the others has left. */
const worldHeld = () =>
  payrollWorld((store) => playDoubt(store, 'payroll'), { env: { BURSAR_BATCH_CHUNK_ROWS: '1' } });

describe('a chunk of which no create has left is not sent yet', () => {
  it('in the counts and amounts of status', async () => {
    const { json, run } = await worldHeld();
    const { value } = await json('status', 'payroll');
    expect(value['rows']).toEqual({
      total: 3,
      paid: 0,
      failed: 0,
      unknown: 0,
      notSent: 0,
      inFlight: 1,
      notSentYet: 2,
    });
    expect(value['amounts']).toMatchObject([{ inFlight: '10.5', notSentYet: '50' }]);
    const { out } = await run('status', 'payroll');
    expect(out).toContain('0 of 3 rows paid, 1 in flight, 2 not sent yet');
    expect(out).toMatch(/in flight +not sent yet/);
  });

  it('in each state of the batch', async () => {
    const made = await payrollWorld(async () => undefined);
    for (const state of ['SCHEDULED', 'PAYING'] as const) {
      made.engine.statuses.set('payroll', liveStatus({ state }));
      const { out } = await made.run('status', 'payroll');
      expect(out).toContain('0 of 3 rows paid, 3 not sent yet\n');
    }
  });

  it('in the list of its rows, which can be chosen by that', async () => {
    const { json, run } = await worldHeld();
    const outcomes = async (...more: string[]) => {
      const { value } = await json('rows', 'payroll', ...more);
      return (value['rows'] as { row: number; outcome: string }[]).map(({ row, outcome }) => [
        row,
        outcome,
      ]);
    };
    const rest = [
      [3, 'NOT_SENT_YET'],
      [4, 'NOT_SENT_YET'],
    ];
    expect(await outcomes()).toEqual([[2, 'IN_FLIGHT'], ...rest]);
    expect(await outcomes('--outcome', 'not_sent_yet')).toEqual(rest);
    expect(await outcomes('--outcome', 'IN_FLIGHT')).toEqual([[2, 'IN_FLIGHT']]);
    expect((await run('rows', 'payroll')).out).toMatch(/3 +Not sent yet +20\.00 /);
  });

  it('in the story of a row', async () => {
    const { json, run } = await worldHeld();
    const { value } = await json('explain', 'payroll', '3');
    expect(value).toMatchObject({
      row: { outcome: 'NOT_SENT_YET' },
      lineage: [{ outcome: 'NOT_SENT_YET', sentAt: null }],
      why: 'its create request is not sent yet',
    });
    const { out } = await run('explain', 'payroll', '3');
    expect(out).toContain('Row 3 of batch payroll: Not sent yet');
    expect(out).toMatch(/mass payout +none \(not sent yet\)/);
    expect((await json('explain', 'payroll', '2')).value).toMatchObject({
      row: { outcome: 'IN_FLIGHT' },
      lineage: [{ outcome: 'IN_FLIGHT' }],
    });
  });

  it('in the result of find for its key', async () => {
    const { run } = await worldHeld();
    const { out } = await run('find', keyOf('payroll', 1));
    expect(out).toContain(`key ${keyOf('payroll', 1)}, no mass payout, not sent yet`);
    expect((await run('find', keyOf('payroll', 0))).out).toContain('needs operator');
  });

  it('in the support bundle', async () => {
    const { json } = await worldHeld();
    const { value } = await json('support-bundle', 'payroll');
    expect(JSON.stringify(value)).toContain('"NOT_SENT_YET"');
  });
});
