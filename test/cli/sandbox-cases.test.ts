import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { create, row } from '../../packages/sandbox/test/support/payouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sandboxWorld } from './support/sandbox-world.ts';

const fileOf = (content: unknown): string => {
  const file = join(temporaryFolder(), 'input.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
};

const RULES = [{ match: { position: 2 }, fate: 'fee-too-low' }];

describe('bursar sandbox fates', () => {
  it('replaces the rules by those of a file, lists and resets them', async () => {
    const { json, run } = await sandboxWorld();
    const schema = 'bursar.sandbox-fates/v1';
    const { value } = await json('fates', 'set', fileOf(RULES));
    expect(value).toMatchObject({ schema, fates: RULES, isOverride: true });
    expect((await json('fates')).value).toEqual(value);
    expect((await run('fates')).out).toMatch(/fee-too-low +\{"position":2\}/);
    expect((await json('fates', 'reset')).value).toMatchObject({ fates: [], isOverride: false });
    expect((await json('fates', 'set', fileOf(value))).value).toEqual(value);
  });

  it.each([[[{ match: {}, fate: 'paid' }]], [[{ match: { position: 1 }, fate: 'odd' }]], [{}]])(
    'refuses %j, and nothing changes',
    async (rules) => {
      const { json } = await sandboxWorld();
      expect((await json('fates', 'set', fileOf(rules))).code).toBe(2);
      expect((await json('fates')).value).toMatchObject({ fates: [], isOverride: false });
    },
  );
});

describe('bursar sandbox seed', () => {
  it('adds a mass payout in any state', async () => {
    const { json } = await sandboxWorld();
    const withdrawals = [{ depositAddress: '0xa1', amount: '10', error: 'No such address' }];
    const seed = { currency: 'USDT_TRC20', state: 'FAILED', withdrawals };
    const { code, value } = await json('seed', fileOf(seed));
    expect(code).toBe(0);
    expect(value).toMatchObject({ schema: 'bursar.sandbox-payout/v1', state: 'FAILED' });
    expect((await json('seed', fileOf({ ...seed, state: 'ODD' }))).code).toBe(2);
    expect((await json('seed', '/no/such/file')).value['what']).toContain('ENOENT');
  });
});

describe('bursar sandbox case', () => {
  it('is exported, and replayed with the same answers; 15 when one differs', async () => {
    const { json, client } = await sandboxWorld({
      settings: { BODIES: 'kept', STEP_MS: '600000' },
    });
    await create(client, [row('1')]);
    const { value: played } = await json('case', 'export');
    expect(played).toMatchObject({ schema: 'bursar.sandbox-case/v1' });
    const schema = 'bursar.sandbox-replay/v1';
    expect(await json('case', 'replay', fileOf(played))).toEqual({
      code: 0,
      value: { schema, requests: 1, difference: null },
    });
    const settings = { ...(played['settings'] as object), FEE_PERCENT: '2' };
    expect(await json('case', 'replay', fileOf({ ...played, settings }))).toMatchObject({
      code: 15,
      value: { schema, difference: { number: 1, operation: 'MASS_CREATE' } },
    });
  });

  it('is refused without the bodies of requests, and when the file is none', async () => {
    const { json, run, client } = await sandboxWorld();
    await client.call('USER');
    expect((await json('case', 'export')).value['what']).toContain('CASE_INCOMPLETE');
    const { code, err } = await run('case', 'replay', fileOf({ schema: 'other' }));
    expect([code, err]).toEqual([2, expect.stringContaining('no case of the sandbox')]);
  });
});
