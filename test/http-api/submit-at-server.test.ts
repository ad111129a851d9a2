import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { FakeWorld } from '../cli/support/fake-world.ts';
import { GOOD } from '../cli/support/files.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { playEnd, playSettle } from '../cli/support/play.ts';
import { bobApproves } from '../support/signing-people.ts';
import { machineAt, plain, worldOf } from './support/machine-at.ts';

describe('bursar submit at a server prints what it prints there, and starts the same batch', () => {
  it.each([
    ['good.csv', GOOD, ['--yes']],
    ['good.csv', GOOD, ['--confirm', '1:USDT_TRC20']],
    ['good.csv', GOOD.replace('20,', '2E1,'), ['--yes']],
  ])('%s: %j %j', async (name, text, flags) => {
    const [local, remote] = [worldOf(), worldOf()];
    // A plan reads the store where there is one, and makes none.
    for (const made of [local, remote]) await made.run('list');
    const there = await machineAt(remote);
    for (const { world } of [local, there]) writeFileSync(join(world.cwd, name), text);
    const args = ['submit', name, '--id', 'payroll', '--detach', ...flags];
    const here = plain(await local.run(...args), local);
    expect(plain(await there.run(...args), remote)).toEqual(here);
    const started = ({ engine }: FakeWorld) =>
      engine.started.map(({ batchId, file, submittedBy }) => ({ batchId, file, submittedBy }));
    expect(started(remote)).toEqual(started(local));
  });
});

/** Settings by which every batch needs an approval. */
const { BURSAR_OPERATOR_KEY_FILE: _, ...POLICY } = bobApproves('USDT_TRC20');
const ALWAYS = { BURSAR_APPROVAL_TIERS: '[{"approvals":1,"roles":["finance"]}]' };

it('a submit at a server is signed on this machine', async () => {
  const server = worldOf({ ...POLICY, ...ALWAYS });
  const there = await machineAt(server, 'alice');
  writeFileSync(join(there.world.cwd, 'good.csv'), GOOD);
  const args = ['submit', 'good.csv', '--id', 'payroll', '--detach', '--yes'];
  expect((await there.run(...args)).err).toContain('SUBMIT_UNSIGNED');
  expect(server.engine.started).toEqual([]);
  await there.run(...args, '--key', 'alice.key');
  expect(server.engine.started).toMatchObject([
    {
      batchId: 'payroll',
      submittedBy: 'alice',
      submission: { person: 'alice', decision: 'submit', signature: expect.any(String) },
    },
  ]);
});

it('a resend at a server prints what it prints there', async () => {
  const failed = () =>
    payrollWorld(async (store) => {
      await playSettle(store, 'payroll', { outcome: 'FAILED' });
      await playEnd(store, 'payroll', { state: 'FAILED' });
    });
  const [local, remote] = [await failed(), await failed()];
  const there = await machineAt(remote);
  for (const args of [
    ['resend', 'payroll', '--dry-run'],
    ['resend', 'payroll', '--confirm-not-paid-elsewhere', '--yes', '--detach'],
  ]) {
    const here = plain(await local.run(...args), local);
    expect(plain(await there.run(...args), remote)).toEqual(here);
  }
  expect(remote.engine.started.at(-1)).toMatchObject({ parentBatchId: 'payroll' });
});
