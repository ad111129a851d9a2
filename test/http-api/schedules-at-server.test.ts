import { afterEach, describe, expect, it } from '@jest/globals';
import { type FakeWorld, fakeWorld } from '../cli/support/fake-world.ts';
import { inStore } from '../cli/support/in-store.ts';
import { bobApproves, writeKeyFile } from '../support/signing-people.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { apiOf, tokenOf } from './support/api.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const RULE = ['--cron', '0 9 * * *', '--timezone', 'UTC', '--file', 'pay-{date}.csv'];
const RENT = ['schedule', 'create', 'rent', ...RULE, '--yes'];
const RUN = ['--run', '2026-11-20T09:00', '--reason', 'late'];
const DAYS = ['--from', '2026-11-19', '--to', '2026-11-20', '--reason', 'late'];

type Printed = Readonly<{ code: number; out: string; err: string }>;

const worldOf = (env: Record<string, string> = {}): FakeWorld =>
  fakeWorld({ cwd: temporaryFolder(), env });

/** Runs commands at a server over this world, from a machine without settings. */
async function machineAt(server: FakeWorld, key?: string) {
  const api = await apiOf(server, { names: { operate: 'alice' } });
  closers.push(api.close);
  const url = await api.server.listen({ host: '127.0.0.1', port: 0 });
  const here = worldOf({ BURSAR_SERVER: url, BURSAR_SERVER_TOKEN: tokenOf('operate') });
  if (key !== undefined) writeKeyFile(here.world.cwd, key);
  return here;
}

describe('a command of schedules at a server prints what it prints there', () => {
  it.each([
    [['preview', ...RULE, '--count', '2']],
    [['preview', 'rent', '--count', '2', '-o', 'json']],
    [['preview', ...RULE, '--shift', 'after', '--weekend', 'fri,sat', '--lead', '1h']],
    [['create', 'wages', ...RULE, '--yes']],
    [['create', 'rent', ...RULE, '--lead', '1h', '--yes']],
    [['trigger', 'rent', ...RUN, '--yes']],
    [['trigger', 'rent', ...RUN.with(1, '2026-11-20T09:01'), '--yes']],
    [['backfill', 'rent', ...DAYS, '--yes', '--json']],
    [['backfill', 'rent', ...DAYS]],
  ])('schedule %j', async (args) => {
    const [local, remote] = [worldOf(), worldOf()];
    for (const made of [local, remote]) expect((await made.run(...RENT)).code).toBe(0);
    // The folder of scheduled files is that of the machine which has the settings.
    const plain = ({ out, err, code }: Printed, { world }: FakeWorld): Printed => {
      const [seen, said] = [out, err].map((text) => text.replaceAll(world.cwd, 'FOLDER'));
      return { code, out: seen ?? '', err: said ?? '' };
    };
    const there = await machineAt(remote);
    const here = plain(await local.run('schedule', ...args), local);
    expect(plain(await there.run('schedule', ...args), remote)).toEqual(here);
    expect(remote.engine.demands).toEqual(local.engine.demands);
    expect([...remote.engine.timetables]).toEqual([...local.engine.timetables]);
  });
});

/** Settings by which every batch needs an approval. */
const { BURSAR_OPERATOR_KEY_FILE: _, ...POLICY } = bobApproves('USDT_TRC20');
const ALWAYS = { BURSAR_APPROVAL_TIERS: '[{"approvals":1,"roles":["finance"]}]' };

describe('where every batch needs approvals', () => {
  it('a schedule, a run and a backfill are signed on this machine', async () => {
    const server = worldOf({ ...POLICY, ...ALWAYS });
    const there = await machineAt(server, 'alice');
    const signed = ['--yes', '--key', 'alice.key'];
    for (const args of [
      ['schedule', 'create', 'rent', ...RULE],
      ['schedule', 'trigger', 'rent', ...RUN],
      ['schedule', 'backfill', 'rent', ...DAYS],
    ]) {
      expect((await there.run(...args, '--yes')).err).toContain('SUBMIT_UNSIGNED');
      expect(await there.run(...args, ...signed)).toMatchObject({ code: 0 });
    }
    const record = await inStore(server, ({ schedules }) => schedules.find('rent'));
    expect(record).toMatchObject({ createdBy: 'alice', statement: { person: 'alice' } });
    expect(server.engine.demands.length).toBeGreaterThan(1);
    for (const demand of server.engine.demands) {
      expect(demand).toMatchObject({
        by: 'alice',
        submission: { person: 'alice', decision: 'submit', signature: expect.any(String) },
      });
    }
  });

  it('a signature of one run starts no other one', async () => {
    const server = worldOf({ ...POLICY, ...ALWAYS });
    const there = await machineAt(server, 'alice');
    const signed = ['--yes', '--key', 'alice.key'];
    await there.run('schedule', 'create', 'rent', ...RULE, ...signed);
    await there.run('schedule', 'trigger', 'rent', ...RUN, ...signed);
    const [{ submission } = { submission: undefined }] = server.engine.demands;
    const api = await apiOf(server);
    closers.push(api.close);
    const body = { run: '2026-11-19T09:00', reason: 'late', submission };
    const place = 'POST /v1/schedules/rent/trigger';
    expect(await api.call('operate', place, { body })).toMatchObject({
      value: { code: 'APPROVAL_FOR_ANOTHER' },
    });
    expect(server.engine.demands).toHaveLength(1);
  });
});

describe('a definition over HTTP', () => {
  const definition = { cron: '0 9 * * *', timezone: 'UTC', file: 'pay-{date}.csv' };

  it.each([
    [{ calendar: 'daily 09:00' }, 'definition.calendar: cannot be used together with cron'],
    [{ weekend: ['sat'] }, 'definition.weekend: has no effect without shift before'],
    [{ shift: 'after', weekend: ['someday'] }, 'definition.weekend: "someday" is no day'],
    [{ holidays: { file: 'x', text: '' } }, 'definition.holidays: has no effect'],
    [{ catchUpMs: 1 }, 'definition.catchUpMs: must be from 10s to 1d'],
    [{ allowUnchanged: true }, 'definition.allowUnchanged: needs accept SAME_FILE_AGAIN'],
  ])('that contradicts itself is refused by its field: %j', async (more, problem) => {
    const api = await apiOf(worldOf());
    closers.push(api.close);
    const body = { scheduleId: 'rent', definition: { ...definition, ...more } };
    expect(await api.call('operate', 'POST /v1/schedules', { body })).toMatchObject({
      status: 422,
      value: { code: 'REQUEST_UNUSABLE', what: expect.stringContaining(problem) },
    });
  });

  it.each([
    ['read', 'POST /v1/schedule-previews', 200],
    ['read', 'POST /v1/schedules', 403],
    ['submit', 'POST /v1/schedules', 403],
  ] as const)('needs the role for it: %s %s', async (role, place, status) => {
    const api = await apiOf(worldOf());
    closers.push(api.close);
    const body = { scheduleId: 'rent', definition };
    expect((await api.call(role, place, { body })).status).toBe(status);
  });
});
