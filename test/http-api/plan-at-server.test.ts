import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { FakeWorld } from '../cli/support/fake-world.ts';
import { address, csv, DUPLICATE, GOOD, ONE_BAD, withFiles } from '../cli/support/files.ts';
import { bobApproves, writeKeyFile } from '../support/signing-people.ts';
import { machineAt, plain, worldOf } from './support/machine-at.ts';

/** More reasons than a plan over HTTP names. */
const MANY_BAD = csv(...Array.from({ length: 1_100 }, (_, n) => `${address(n + 1)},x,TRX`));

const FILES = {
  'good.csv': GOOD,
  'x/good.csv': GOOD,
  'one-bad.csv': ONE_BAD,
  'many-bad.csv': MANY_BAD,
  'duplicate.csv': DUPLICATE,
  'empty.csv': '',
  'unknown.csv': `wallet,${GOOD}`,
  'runs/march/to-correct.csv': ONE_BAD,
};

/** The same files on a machine by itself, and on one without settings and store at a server. */
async function twoMachines(env: Record<string, string> = {}) {
  const [local, remote] = [worldOf(env), worldOf(env)];
  // A plan reads the store where there is one, and makes none.
  for (const made of [local, remote]) await made.run('list');
  const there = await machineAt(remote);
  for (const { world } of [local, there]) withFiles(world.cwd, FILES);
  return { local, there, remote };
}

/** Runs the same command on both machines. */
async function onBoth(
  { local, there, remote }: Awaited<ReturnType<typeof twoMachines>>,
  args: readonly string[],
) {
  const here = plain(await local.run(...args), local);
  const atServer = plain(await there.run(...args), remote);
  return { here, atServer };
}

const textIn = ({ world }: FakeWorld, path: string): string | null =>
  existsSync(join(world.cwd, path)) ? readFileSync(join(world.cwd, path), 'utf8') : null;

describe('bursar plan at a server prints what it prints without one, and writes the same files here', () => {
  it.each([
    ['a good file', ['good.csv', '--id', 'march']],
    ['a good file, as JSON', ['good.csv', '--id', 'march', '-o', 'json']],
    ['a file in a folder', ['./x/good.csv', '--id', 'march']],
    ['a file with an id of its own', ['good.csv', '--out', 'plan.json']],
    ['a good file, of which no plan is written', ['good.csv', '--no-out', '-o', 'jsonl']],
    ['a finding', ['duplicate.csv', '--id', 'march', '--at', '2027-01-01T00:00:00Z']],
    ['a refused row', ['one-bad.csv', '--id', 'march']],
    ['a refused row, as JSON', ['one-bad.csv', '--id', 'march', '-o', 'json']],
    ['a refused row that is left out', ['one-bad.csv', '--id', 'march', '--skip-invalid']],
    ['more refused rows than are shown', ['many-bad.csv', '--id', 'march']],
    ['the file that is to be corrected', ['runs/march/to-correct.csv', '--id', 'march']],
    ['a wrong total', ['x/good.csv', '--id', 'march', '--expect-total', '1']],
    ['an unknown column', ['x/../unknown.csv']],
    ['an empty file', ['x/../empty.csv']],
    ['no file', ['nowhere.csv']],
    ['a time that is over', ['good.csv', '--at', '2020-01-01T00:00:00Z']],
    ['a place that is no plan', ['good.csv', '--out', 'good.csv']],
  ])('%s', async (_what, args) => {
    const machines = await twoMachines();
    const { here, atServer } = await onBoth(machines, ['plan', ...args]);
    expect(atServer).toEqual(here);
    const { local, there } = machines;
    for (const name of ['nack.csv', 'to-correct.csv', 'to-correct.again.csv', 'plan.json']) {
      const path = join('runs/march', name);
      expect([name, textIn(there, path)]).toEqual([name, textIn(local, path)]);
    }
  });

  it('a file whose id a batch has already', async () => {
    const machines = await twoMachines();
    const { local, remote } = machines;
    for (const made of [local, remote]) {
      withFiles(made.world.cwd, FILES);
      await made.run('submit', 'good.csv', '--id', 'march', '--yes', '--detach');
    }
    const { here, atServer } = await onBoth(machines, ['plan', 'good.csv', '--id', 'march']);
    expect(atServer).toEqual(here);
  });
});

describe('bursar submit --plan at a server prints what it prints without one', () => {
  const SUBMIT = ['submit', '--plan', 'plan.json', '--detach'];
  const planned = async (env: Record<string, string> = {}) => {
    const machines = await twoMachines(env);
    await onBoth(machines, ['plan', './x/good.csv', '--id', 'march', '--out', 'plan.json']);
    return machines;
  };

  it.each([
    ['the totals', ['--confirm', '60.5:USDT_TRC20']],
    ['other totals', ['--confirm', '1:USDT_TRC20']],
    ['no confirmation', []],
    ['another choice beside it', ['--yes', '--canary', '2']],
    ['another id beside it', ['--yes', '--id', 'april']],
    ['another file', ['duplicate.csv', '--yes']],
    ['no such plan', ['--plan', 'nowhere.json']],
  ])('%s', async (_what, flags) => {
    const machines = await planned();
    const { here, atServer } = await onBoth(machines, [...SUBMIT, ...flags]);
    expect(atServer).toEqual(here);
    const started = ({ engine }: FakeWorld) =>
      engine.started.map(({ batchId, file, options }) => ({ batchId, file, options }));
    expect(started(machines.remote)).toEqual(started(machines.local));
  });

  it('a plan that was edited', async () => {
    const machines = await planned();
    for (const { world } of [machines.local, machines.there]) {
      const plan = readFileSync(join(world.cwd, 'plan.json'), 'utf8');
      withFiles(world.cwd, { 'plan.json': plan.replaceAll('"60.5"', '"6.5"') });
    }
    const { here, atServer } = await onBoth(machines, [...SUBMIT, '--yes']);
    expect(here.code).not.toBe(8);
    expect(atServer).toEqual(here);
    expect(machines.remote.engine.started).toEqual([]);
  });

  it('a file that has changed since', async () => {
    const machines = await planned();
    for (const { world } of [machines.local, machines.there]) {
      withFiles(world.cwd, { 'x/good.csv': DUPLICATE });
    }
    const { here, atServer } = await onBoth(machines, [...SUBMIT, '--yes']);
    expect([here.err.includes('PLAN_CHANGED'), atServer]).toEqual([true, here]);
  });

  it('a plan that was started already', async () => {
    const machines = await planned();
    const first = await onBoth(machines, [...SUBMIT, '--yes']);
    expect(first.atServer).toEqual(first.here);
    const { here, atServer } = await onBoth(machines, SUBMIT);
    expect([here.code, atServer]).toEqual([8, here]);
    expect(machines.remote.engine.started).toHaveLength(1);
  });

  it('is signed on this machine', async () => {
    const { BURSAR_OPERATOR_KEY_FILE: _, ...policy } = bobApproves('USDT_TRC20');
    const always = { BURSAR_APPROVAL_TIERS: '[{"approvals":1,"roles":["finance"]}]' };
    const { there, remote } = await planned({ ...policy, ...always });
    writeKeyFile(there.world.cwd, 'alice');
    expect((await there.run(...SUBMIT, '--yes')).err).toContain('SUBMIT_UNSIGNED');
    await there.run(...SUBMIT, '--yes', '--key', 'alice.key');
    expect(remote.engine.started).toMatchObject([
      { batchId: 'march', submission: { person: 'alice', signature: expect.any(String) } },
    ]);
  });
});
