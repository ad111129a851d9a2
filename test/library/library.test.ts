import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createBursar } from '../../src/library.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { playEnd, playSettle } from '../cli/support/play.ts';

const ROWS = [
  { address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC', amount: '10.5', currency: 'USDT_TRC20' },
  { address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC', amount: '20', currency: 'USDT_TRC20' },
];

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

  it('reads other records while a list is open', async () => {
    await using bursar = await libraryOf(await paid());
    const named = new Set<string>();
    for await (const { batchId } of bursar.readAuditLog({ all: true })) {
      if (batchId === null || named.has(batchId)) continue;
      named.add((await bursar.showBatch({ batchId })).batchId);
    }
    expect([...named]).toEqual(['payroll']);
  }, 30_000);

  it('plans rows of a program as it plans their file', async () => {
    const world = await paid();
    writeFileSync(
      join(world.world.cwd, 'rows.csv'),
      `address,amount,currency,comment,reference,name\n${ROWS.map(({ address, amount, currency }) => `${address},${amount},${currency},,,`).join('\n')}\n`,
    );
    const { value } = await world.json('plan', 'rows.csv', '--id', 'next', '--no-out');
    await using bursar = await libraryOf(world);
    const file = await bursar.uploadFile({ name: 'rows.csv', rows: ROWS });
    const plan = await bursar.planFile({ file, choices: { id: 'next' } });
    expect(plan.digest).toBe(value['digest']);
    const same = await bursar.uploadFile({ path: 'rows.csv' });
    expect(same).toEqual(file);
  }, 60_000);

  it('takes a plan back as it returned it', async () => {
    await using bursar = await libraryOf(await paid());
    const file = await bursar.uploadFile({ name: 'rows.csv', rows: ROWS });
    const plan = await bursar.planFile({ file, choices: { id: 'next' } });
    const { batchId, choices, digest, parts } = plan;
    if (digest === null || parts === null) throw new Error(plan.problems[0]?.what);
    const confirm = plan.currencies.map(({ currency, total }) => ({ currency, total }));
    const submit = bursar.submitFile({
      file,
      plan: { batchId, choices, digest, parts },
      confirm,
    });
    // It was read, for another shape is REQUEST_INVALID, and then looked for the Temporal that is not there.
    await expect(submit).rejects.toMatchObject({ code: 'TEMPORAL_UNREACHABLE' });
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
