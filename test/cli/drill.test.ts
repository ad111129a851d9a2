import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { settingsOf, startSandbox } from '../../packages/sandbox/test/support/start.ts';
import { DRILL_FAULTS, readFaultNames, rulesOf } from '../../src/cli/drill/faults.ts';
import { openStore } from '../../src/store/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeStack } from './support/fake-stack.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { address, GOOD, ONE_BAD, withFiles } from './support/files.ts';
import { playEnd, playPlan, playSettle } from './support/play.ts';

/** A withdrawal of the sandbox for each comment. */
async function seed(url: string, comments: readonly string[]): Promise<void> {
  const withdrawals = comments.map((comment, n) => ({
    depositAddress: address(n),
    amount: '1',
    comment,
  }));
  const response = await fetch(`${url}/sandbox/mass-payouts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ currency: 'USDT_TRC20', state: 'COMPLETED', withdrawals }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

/** A drill in which the engine pays all rows, and the sandbox has a withdrawal for each comment. */
async function drillWorld(comments: readonly string[], more: Partial<WorldOptions> = {}) {
  const sandbox = await startSandbox();
  if (comments.length > 0) await seed(sandbox.url, comments);
  const stack = fakeStack();
  const temporaryDir = withFiles(temporaryFolder(), { 'other.txt': '' });
  const made: FakeWorld = fakeWorld({
    cwd: withFiles(temporaryFolder(), { 'good.csv': GOOD, 'one-bad.csv': ONE_BAD }),
    temporaryDir,
    open: {
      stack: async (options) => {
        const { addresses, ...started } = await stack.start(options);
        return { ...started, addresses: { ...addresses, sandbox: sandbox.url } };
      },
    },
    onPause: async () => {
      const [input] = made.engine.started;
      const [asked] = stack.asked;
      if (input === undefined || asked === undefined) return;
      const store = await openStore(asked.settings.store.url);
      await playPlan(store, input, join(made.world.cwd, input.file.name));
      // Each row is a chunk, so that faults meet some of them.
      for (const chunk of [0, 1, 2]) {
        const massPayoutId = `mp-${chunk}`;
        await playSettle(store, input.batchId, { chunk, outcome: 'PAID', massPayoutId });
      }
      await playEnd(store, input.batchId, { state: 'COMPLETED' });
      await store.close();
    },
    ...more,
  });
  return { ...made, stack, temporaryDir };
}

const ROWS = ['x-2', 'x-3', 'x-4'];

describe('bursar drill', () => {
  it('ends with 0 when engine and sandbox paid the same rows once, and leaves nothing behind', async () => {
    const { json, stack, temporaryDir, world } = await drillWorld(ROWS);
    const { code, value } = await json('drill', 'good.csv', '--faults', 'lost-answer');
    expect([code, value]).toMatchObject([
      0,
      {
        schema: 'bursar.drill/v1',
        file: 'good.csv',
        state: 'COMPLETED',
        rows: { total: 3, paid: 3 },
        faults: [{ name: 'lost-answer', happened: 0 }],
        chunks: 3,
        sends: 3,
        paidByService: 3,
        paidTwice: 0,
        accounted: true,
      },
    ]);
    expect(stack.stopped()).toBe(1);
    expect(readdirSync(temporaryDir)).toEqual(['other.txt']);
    expect(readdirSync(world.cwd).sort()).toEqual(['good.csv', 'one-bad.csv']);
  });

  it.each([
    ['a row was paid twice', [...ROWS, 'x-4'], { paidTwice: 1 }],
    ['the sandbox did not pay a row that the engine calls paid', ['x-2', 'x-3'], { paidTwice: 0 }],
  ])('ends with 14 when %s', async (_what, comments, figures) => {
    const { json } = await drillWorld(comments);
    const { code, value } = await json('drill', 'good.csv');
    expect([code, value]).toMatchObject([14, { ...figures, accounted: false }]);
  });

  it('uses a folder and settings of its own, never those of the person', async () => {
    const env = {
      BURSAR_STORE_URL: 'sqlite:/real/store.db',
      BURSAR_API_BASE_URL: 'https://real.example',
      BURSAR_PROFILE: 'live',
      PATH: '/bin',
    };
    const { run, stack, temporaryDir } = await drillWorld(ROWS, { env });
    const { code, out } = await run('drill', 'good.csv', '--keep');
    expect([code, out]).toEqual([0, expect.stringContaining('every row is accounted for')]);
    const [asked] = stack.asked;
    expect(asked).toMatchObject({ ports: 'free', sandbox: true });
    expect(asked?.cwd.startsWith(join(temporaryDir, 'bursar-drill-'))).toBe(true);
    expect(asked?.settings.store.url).toBe(`sqlite:${asked?.cwd}/.bursar/store.db`);
    expect(asked?.settings.api.baseUrl).toBeUndefined();
    expect(JSON.stringify(asked?.env)).not.toMatch(/real|BURSAR_PROFILE/);
    expect(existsSync(asked?.cwd ?? '')).toBe(true);
  });

  it('starts nothing for a file with refused rows, or for an unknown fault', async () => {
    const { json, stack } = await drillWorld([]);
    const refused = await json('drill', 'one-bad.csv');
    expect([refused.code, refused.value['code']]).toEqual([13, 'FILE_ROWS_REFUSED']);
    const unknown = await json('drill', 'good.csv', '--faults', 'lost-answr');
    expect([unknown.code, unknown.value['what']]).toEqual([
      2,
      expect.stringContaining('lost-answer'),
    ]);
    expect(stack.asked).toEqual([]);
  });
});

describe('the faults of a drill', () => {
  it('are rules that the sandbox takes', () => {
    const FAULTS = JSON.stringify(rulesOf(readFaultNames('all')));
    const { faults } = settingsOf(temporaryFolder(), { FAULTS });
    expect(faults).toHaveLength(Object.keys(DRILL_FAULTS).length);
  });

  it('have a rule each that no other fault has', () => {
    const rules = rulesOf(readFaultNames(undefined)).map(({ target, kind }) => `${target} ${kind}`);
    expect(new Set(rules).size).toBe(rules.length);
  });
});
