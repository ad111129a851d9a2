import { describe, expect, it } from '@jest/globals';
import { createVirtualClock } from '../../packages/sandbox/src/virtual-clock.ts';
import { sandboxWorld } from './support/sandbox-world.ts';

describe('bursar sandbox clock advance', () => {
  it('lets time pass on a virtual clock', async () => {
    const clock = createVirtualClock(Date.UTC(2026, 0, 1));
    const { json } = await sandboxWorld({ clock });
    const { code, value } = await json('clock', 'advance', '30h');
    expect([code, value]).toEqual([
      0,
      expect.objectContaining({ time: '2026-01-02T06:00:00.000Z', isVirtual: true }),
    ]);
  });

  it.each([
    [['clock', 'advance'], 'DURATION'],
    [['clock', 'advance', '-5m'], 'duration'],
    [['clock', '5m', '30h'], 'DURATION'],
    [['clock', 'advance', '30h'], 'BURSAR_SANDBOX_CLOCK=virtual'],
  ])('is refused as %j on a clock that runs by itself', async (args, says) => {
    const { json } = await sandboxWorld();
    const { code, value } = await json(...args);
    expect([code, value['what']]).toEqual([2, expect.stringContaining(says)]);
  });
});

describe('bursar sandbox reset and snapshots', () => {
  it('start afresh, and return to a state that was kept', async () => {
    const { json } = await sandboxWorld();
    const faults = async () => (await json('faults')).value['faults'];
    await json('faults', 'add', 'drop-before', '--target', 'USER');
    const { value: taken } = await json('snapshots', 'take');
    expect(taken).toMatchObject({ schema: 'bursar.sandbox-snapshot/v1' });
    expect((await json('reset')).value).toEqual({ schema: 'bursar.sandbox-reset/v1' });
    expect(await faults()).toEqual([]);
    const id = String(taken['id']);
    expect((await json('snapshots', 'restore', id)).value).toMatchObject({ id });
    expect(await faults()).toHaveLength(1);
    expect((await json('snapshots')).value).toMatchObject({ snapshots: [{ id }] });
    expect((await json('snapshots', 'remove', id)).value).toMatchObject({ snapshots: [] });
    expect((await json('snapshots', 'restore', id)).code).toBe(5);
  });
});
