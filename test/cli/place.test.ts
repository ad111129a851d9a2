import { describe, expect, it } from '@jest/globals';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { keyFile, TOTALS, worldThatWaits } from './support/approvals.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { world } from './support/planned-world.ts';

const LIVE = `LIVE  https://service.example, account ${ACCOUNT}\n`;
const LOCAL = { BURSAR_API_BASE_URL: 'http://127.0.0.1:8788' };

describe('the place, before everything else', () => {
  it.each([[['status', 'payroll']], [['list']], [['inbox']]])('is shown by %j', async (args) => {
    const made = await payrollWorld(async () => undefined);
    const { code, err } = await made.run(...args);
    expect(code).toBe(0);
    expect(err.startsWith(LIVE)).toBe(true);
  });

  it('is shown by plan, and by submit before the plan that is confirmed', async () => {
    const made = world();
    expect((await made.run('plan', 'good.csv')).err.startsWith(LIVE)).toBe(true);
    const { err } = await made.run('submit', 'good.csv', '--yes', '--detach');
    expect(err.startsWith(LIVE)).toBe(true);
    expect(err.indexOf('Plan for good.csv')).toBeGreaterThan(LIVE.length - 1);
  });

  it('is shown to an approver before the question', async () => {
    const made = await worldThatWaits();
    const { err } = await made.run(
      'approve',
      'payroll',
      '--key',
      keyFile(made, 'bob'),
      '--confirm',
      TOTALS,
    );
    expect(err.startsWith(LIVE)).toBe(true);
  });

  it('is SANDBOX where the service is on this machine, and LIVE where the settings say so', async () => {
    const there = await payrollWorld(async () => undefined, { env: LOCAL });
    expect((await there.run('list')).err).toMatch(
      /^SANDBOX {2}http:\/\/127\.0\.0\.1:8788, account /,
    );
    const proxy = { ...LOCAL, BURSAR_API_ENVIRONMENT: 'live' };
    const live = await payrollWorld(async () => undefined, { env: proxy });
    expect((await live.run('list')).err).toMatch(/^LIVE {2}http:\/\/127\.0\.0\.1:8788/);
  });

  it('is red where money moves, and green where none does', async () => {
    const red = await payrollWorld(async () => undefined, { isTty: true });
    expect((await red.run('list')).err).toContain('\u001B[31mLIVE');
    const green = await payrollWorld(async () => undefined, { isTty: true, env: LOCAL });
    expect((await green.run('list')).err).toContain('\u001B[32mSANDBOX');
  });

  it('is no part of the output for programs', async () => {
    const made = await payrollWorld(async () => undefined);
    const { out, err } = await made.run('list', '-o', 'json');
    expect([Object.keys(JSON.parse(out) as object), err]).toEqual([['schema', 'batches'], '']);
  });

  it('is in the JSON of a plan, and not in its file', async () => {
    const made = world();
    const { value } = await made.json('plan', 'good.csv', '--out', 'plan.json');
    const service = { url: 'https://service.example', account: ACCOUNT, environment: 'LIVE' };
    expect(value['service']).toEqual(service);
    expect((await made.json('submit', '--plan', 'plan.json', '--yes', '--detach')).code).toBe(8);
  });
});
