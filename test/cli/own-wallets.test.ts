import { describe, expect, it } from '@jest/globals';
import { walletsAt } from '../support/fake-service.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inStore } from './support/in-store.ts';
import { fakeApi, WALLET } from './support/fake-api.ts';
import { fakeService } from './support/fake-service.ts';
import { fakeWorld, type FakeWorld, type WorldOptions } from './support/fake-world.ts';
import { address, csv, withFiles } from './support/files.ts';

const FILES = {
  'good.csv': csv(`${address(1)},10,USDT_TRC20`, `${address(2)},20,USDT_TRC20`),
  'wallet.csv': csv(`${WALLET.address},5,USDT_TRC20`),
};
const API = {
  BURSAR_API_BASE_URL: 'https://service.test',
  BURSAR_API_KEY: 'key',
  BURSAR_API_SECRET: 'secret',
};
const CONFIRM = ['--confirm', '30:USDT_TRC20', '--detach'];

const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), FILES), env: API, ...more });

/** A world whose account has these wallets at the service; `lost`: then the connection breaks. */
const worldWith = (...wallets: string[]) =>
  world({ service: fakeService({ eachWallet: walletsAt(...wallets) }) });

/** The same folder at a later time, when the account has other wallets. */
const later = ({ world: { cwd } }: FakeWorld, ...wallets: string[]) =>
  fakeWorld({ cwd, env: API, service: fakeService({ eachWallet: walletsAt(...wallets) }) });

const codesOf = (value: Record<string, unknown>): string[] =>
  (value['findings'] as { code: string }[]).map(({ code }) => code);

/** A world that has a store already. */
async function withStore(made: FakeWorld): Promise<FakeWorld> {
  await inStore(made, async () => undefined);
  return made;
}

describe('bursar plan --online', () => {
  it('uses the own wallets that the service lists, even without a store', async () => {
    const made = worldWith(address(2));
    expect(codesOf((await made.json('plan', 'good.csv', '--online')).value)).toContain(
      'OWN_ADDRESS',
    );
    expect(codesOf((await made.json('plan', 'good.csv')).value)).not.toContain('OWN_ADDRESS');
  });

  it('keeps them in a store, so that the same plan is made again', async () => {
    const made = await withStore(worldWith(address(2)));
    const { value } = await made.json('plan', 'good.csv', '--online', '--accept', 'OWN_ADDRESS');
    const again = await made.json('plan', 'good.csv', '--accept', 'OWN_ADDRESS');
    expect([again.code, again.value['digest']]).toEqual([0, value['digest']]);
  });

  it('goes on with the stored ones and a warning when the service cannot list them', async () => {
    const made = await withStore(worldWith('lost'));
    await inStore(made, ({ ownWallets }) => ownWallets.add(ACCOUNT, address(1), 1));
    const { out, err } = await made.run('plan', 'good.csv', '--online');
    expect(err).toContain(
      "The account's own wallets could not be listed now (SERVICE_UNREACHABLE): a new one is not known here.",
    );
    expect(out).toContain('OWN_ADDRESS (must be accepted), 1 row\n');
  });

  it('warns of nothing where the service has no list of them', async () => {
    const { run } = world({ service: fakeService({ hasOperation: () => false }) });
    const { code, err } = await run('plan', 'good.csv', '--online');
    expect(code).toBe(0);
    expect(err).not.toContain('could not be listed');
  });
});

describe('bursar submit', () => {
  it('refuses a row that pays an own wallet that the store did not have', async () => {
    const made = worldWith(address(2));
    const { code, value } = await made.json('submit', 'good.csv', ...CONFIRM);
    expect([code, value['code']]).toEqual([13, 'FINDINGS_NOT_ACCEPTED']);
    expect(made.engine.started).toEqual([]);
  });

  it('starts a plan that was made online, also in a folder without a store', async () => {
    const made = worldWith(address(2));
    const args = ['--online', '--accept', 'OWN_ADDRESS', '--out', 'plan.json'];
    expect((await made.run('plan', 'good.csv', ...args)).code).toBe(0);
    expect((await made.run('submit', '--plan', 'plan.json', ...CONFIRM)).code).toBe(8);
    expect(made.engine.started).toHaveLength(1);
  });

  it('refuses a plan when an address of it is a wallet of the account by now', async () => {
    const made = worldWith();
    await made.run('plan', 'good.csv', '--online', '--out', 'plan.json');
    const { code, value } = await later(made, address(2)).json(
      ...['submit', '--plan', 'plan.json', ...CONFIRM],
    );
    expect([code, value['code']]).toEqual([2, 'PLAN_CHANGED']);
    expect(value['what']).toContain('finding OWN_ADDRESS 0 -> 1');
  });

  it.each([
    ['calls no service with --no-preflight', ['--no-preflight']],
    ['goes on when they cannot be listed', []],
  ])('%s', async (_what, flags) => {
    const made = worldWith('lost');
    expect((await made.run('submit', 'good.csv', ...CONFIRM, ...flags)).code).toBe(8);
    const says = made.terminal.said().includes('could not be listed now');
    expect(says).toBe(flags.length === 0);
  });

  it('reads no own wallets for a batch that was submitted before', async () => {
    const made = worldWith();
    await made.run('submit', 'good.csv', '--id', 'b', ...CONFIRM);
    const [input] = made.engine.started;
    if (input === undefined) throw new Error('nothing was started');
    await inStore(made, ({ batches }) =>
      batches.register({
        batchId: 'b',
        code: 'c',
        accountRef: 'main',
        account: ACCOUNT,
        generation: 0,
        fileName: 'good.csv',
        fileSha256: input.file.sha256,
        submittedBy: 'alice',
        submittedAtMs: 1,
        optionsJson: JSON.stringify(input.options),
        parentBatchId: null,
      }),
    );
    const { err } = await later(made, 'lost').run('submit', 'good.csv', '--id', 'b', ...CONFIRM);
    expect(err).not.toContain('could not be listed now');
  });
});

describe('bursar api create-wallet', () => {
  const creating = () => world({ service: fakeService(fakeApi().api) });
  const command = ['api', 'create-wallet', '--name', 'Payroll', '--blockchain', 'TRON'];

  it('stores the new address as an own one at once', async () => {
    const made = await withStore(creating());
    const { code, value } = await made.json(...command);
    expect([code, value]).toEqual([0, { schema: 'bursar.api-wallet/v1', ...WALLET }]);
    expect(codesOf((await made.json('plan', 'wallet.csv')).value)).toContain('OWN_ADDRESS');
  });

  it('makes no store where there is none', async () => {
    const made = creating();
    expect((await made.run(...command)).code).toBe(0);
    expect((await made.json('plan', 'wallet.csv')).value['historyRead']).toBe(false);
  });
});
