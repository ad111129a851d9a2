import { describe, expect, it } from '@jest/globals';
import { createBursar } from '../../src/library.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { playEnd, playSettle } from '../cli/support/play.ts';

const paid = () =>
  payrollWorld(async (store) => {
    await playSettle(store, 'payroll', { outcome: 'PAID' });
    await playEnd(store, 'payroll', { state: 'COMPLETED' });
  });

/** Records of the store need no Temporal. This address answers nothing. */
const NOWHERE = { TEMPORAL_ADDRESS: '127.0.0.1:9' };

async function libraryOf(world: Awaited<ReturnType<typeof paid>>) {
  const { cwd, env } = world.world;
  return createBursar({ cwd, env: { ...env, ...NOWHERE } });
}

describe('createBursar', () => {
  it('gives the JSON of the command line', async () => {
    const world = await paid();
    const { value: explained } = await world.json('explain', 'payroll', '3');
    const { value: listed } = await world.json('rows', 'payroll');
    await using bursar = await libraryOf(world);
    expect(await bursar.explainRow({ batchId: 'payroll', row: 3 })).toEqual(explained);
    const rows: object[] = [];
    for await (const row of bursar.listRows({ batchId: 'payroll' })) rows.push(row);
    const { about } = await bursar.listRows({ batchId: 'payroll' }).open();
    expect({ schema: 'bursar.rows/v1', ...about, rows }).toEqual(listed);
  }, 60_000);

  it('stops reading a list where the caller stops, and can be closed then', async () => {
    await using bursar = await libraryOf(await paid());
    for await (const row of bursar.listRows({ batchId: 'payroll' })) {
      expect(row.row).toBe(2);
      break;
    }
  }, 60_000);

  it('throws errors with what happened, why, and how to mend it', async () => {
    await using bursar = await libraryOf(await paid());
    await expect(bursar.explainRow({ batchId: 'payroll', row: 99 })).rejects.toMatchObject({
      code: 'ROW_NOT_FOUND',
      note: { what: expect.any(String), why: expect.any(String), fix: expect.any(String) },
    });
    await expect(bursar.explainRow({ batchId: '-', row: 1 })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    });
  }, 60_000);
});
