import { describe, expect, it } from '@jest/globals';
import { decideFate, type FateRule } from '../src/core/fate-rules.ts';
import { codeOfFate, FATE_NAMES } from '../src/core/fates.ts';
import { testAddress } from '../src/test-addresses.ts';
import { ownSandbox } from './support/own-sandbox.ts';
import { create, PLAIN_ADDRESS, read, row } from './support/payouts.ts';

const facts = (fields: object = {}) => ({
  position: 5,
  depositAddress: PLAIN_ADDRESS,
  comment: 'order 7',
  ...fields,
});

const rule = (match: FateRule['match'], fate: FateRule['fate'] = 'fee-too-low'): FateRule => ({
  match,
  fate,
});

describe('a rule', () => {
  it.each([
    [{ position: 5 }, true],
    [{ position: 4 }, false],
    [{ address: PLAIN_ADDRESS.toUpperCase().replace('0X', '0x') }, true],
    [{ address: '0x11' }, false],
    [{ comment: 'order 7' }, true],
    [{ comment: 'order' }, false],
    [{ position: 5, comment: 'order 7', share: 1 }, true],
    [{ position: 5, comment: 'order 8' }, false],
    [{ share: 0 }, false],
  ])('of %j applies to the withdrawal: %s', (match, isMeant) => {
    expect(decideFate([rule(match)], facts(), true)).toBe(isMeant ? '0002' : null);
  });

  it('tells addresses of other networks apart by the case of their letters', () => {
    const depositAddress = 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK';
    const match = { address: depositAddress.toLowerCase() };
    expect(decideFate([rule(match)], facts({ depositAddress }), true)).toBeNull();
  });

  it('decides before later rules, and before the test address', () => {
    const depositAddress = testAddress('refused-by-compliance', 1);
    const paid = rule({ position: 5 }, 'paid');
    expect(decideFate([], facts({ depositAddress }), true)).toBe('0001');
    expect(decideFate([], facts({ depositAddress }), false)).toBeNull();
    expect(decideFate([paid, rule({ share: 1 })], facts({ depositAddress }), true)).toBeNull();
    expect(decideFate([rule({ share: 1 }), paid], facts({ depositAddress }), false)).toBe('0002');
  });

  it('draws its share from the seed, and the same share in each run', () => {
    const drawn = (seed: number) =>
      Array.from({ length: 1_000 }, (_, at) => {
        const each = facts({ position: at + 1, depositAddress: testAddress('0000', at) });
        return decideFate([rule({ share: 0.25, seed })], each, true);
      });
    const failing = drawn(1).filter((fate) => fate !== null).length;
    expect(failing).toBeGreaterThan(200);
    expect(failing).toBeLessThan(300);
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });

  it('and a test address have the same fate under the same name', () => {
    for (const fate of FATE_NAMES) {
      const depositAddress = testAddress(fate, 3);
      expect(decideFate([], facts({ depositAddress }), true)).toBe(codeOfFate(fate));
      expect(decideFate([rule({ position: 5 }, fate)], facts(), true)).toBe(codeOfFate(fate));
    }
  });
});

describe('rules of fates', () => {
  it('make row 3 of an ordinary file fail', async () => {
    const { client, clock } = await ownSandbox({
      clock: 'virtual',
      fates: [{ match: { position: 3 }, fate: 'refused-by-compliance' }],
    });
    const { id } = await create(client, [row('1'), row('1'), row('1')]);
    await clock.advance('1h');
    const { state, errors } = await read(client, id);
    expect(state).toBe('PARTIAL');
    expect(errors?.withdrawalErrors).toMatchObject([
      { withdrawalId: `${id}-3`, errors: [{ errorMessage: 'Destination rejected by compliance' }] },
    ]);
  });

  it('that the admin API set win over the settings, decide new mass payouts only, and go with a reset', async () => {
    const { client, clock, setFates, reset, admin } = await ownSandbox({ clock: 'virtual' });
    const { id } = await create(client, [row('1')]);
    await setFates([{ match: { share: 1 }, fate: 'fee-too-low' }]);
    const { id: later } = await create(client, [row('1')]);
    await clock.advance('1h');
    expect((await read(client, id)).state).toBe('COMPLETED');
    expect((await read(client, later)).state).toBe('FAILED');
    expect(await admin('GET /fates')).toMatchObject({ isOverride: true, names: FATE_NAMES });
    await setFates(null);
    expect(await admin('GET /fates')).toMatchObject({ fates: [], isOverride: false });
    await setFates([{ match: { share: 1 }, fate: 'fee-too-low' }]);
    await reset();
    expect(await admin('GET /fates')).toMatchObject({ fates: [], isOverride: false });
  });

  it('survive a restart', async () => {
    const { snapshot, restore, setFates, admin } = await ownSandbox();
    const fates = [{ match: { comment: 'x' }, fate: 'waits' }] as const;
    await setFates(fates);
    const taken = await snapshot();
    await setFates(null);
    await restore(taken);
    expect(await admin('GET /fates')).toMatchObject({ fates, isOverride: true });
  });

  it.each([
    [{ match: {}, fate: 'waits' }, 'must name position'],
    [{ match: { seed: 1 }, fate: 'waits' }, 'seed belongs to share'],
    [{ match: { position: 0 }, fate: 'waits' }, 'position'],
    [{ match: { share: 1.5 }, fate: 'waits' }, 'share'],
    [{ match: { row: 1 }, fate: 'waits' }, 'row'],
    [{ match: { position: 1 }, fate: '0001' }, 'fate'],
  ])('are refused when they are like %j', async (fate, says) => {
    const { admin } = await ownSandbox();
    await expect(admin('PUT /fates', { fates: [fate] })).rejects.toThrow(says);
    const options = { settings: { FATES: JSON.stringify([fate]) } };
    await expect(ownSandbox(options)).rejects.toThrow('BURSAR_SANDBOX_FATES');
  });
});
