import { describe, expect, it } from '@jest/globals';
import { START_MS } from './support/manual-clock.ts';
import { create, read, row } from './support/payouts.ts';
import { STEP_MS, startSandbox, steps } from './support/start.ts';

describe('the walk of a mass payout', () => {
  it('goes one state further at each step, and not before it', async () => {
    const { client, clock } = await startSandbox();
    const { id, state } = await create(client, [row('1')]);
    const seen = [state];
    for (let step = 0; step < 4; step += 1) {
      clock.advance(STEP_MS - 1);
      seen.push((await read(client, id)).state);
      clock.advance(1);
      seen.push((await read(client, id)).state);
    }
    expect(seen).toEqual([
      'CREATION_IN_PROGRESS',
      'CREATION_IN_PROGRESS',
      'CONFIRMED',
      'CONFIRMED',
      'IN_PROGRESS',
      'IN_PROGRESS',
      'COMPLETED',
      'COMPLETED',
      'COMPLETED',
    ]);
  });

  it('takes the length of a step from the settings, divided by the speed', async () => {
    const { client, clock } = await startSandbox({ settings: { STEP_MS: '500', SPEED: '100' } });
    const { id } = await create(client, [row('1')]);
    clock.advance(14);
    expect((await read(client, id)).state).toBe('IN_PROGRESS');
    clock.advance(1);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('with steps of 0 ends at once, but after the answer', async () => {
    const { client, clock } = await startSandbox({ settings: { STEP_MS: '0' } });
    const { id, state } = await create(client, [row('1')]);
    expect(state).toBe('CREATION_IN_PROGRESS');
    clock.advance(0);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('does not send the payout before its execution date', async () => {
    const { client, clock } = await startSandbox();
    const dateMs = START_MS + 3_600_000;
    const executionDate = JSON.stringify(new Date(dateMs).toISOString());
    const { id } = await create(client, [row('1')], { executionDate });
    clock.advance(dateMs - START_MS - 1);
    expect((await read(client, id)).state).toBe('CONFIRMED');
    clock.advance(1);
    expect((await read(client, id)).state).toBe('IN_PROGRESS');
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('is not held up by an execution date that has passed', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1')], { executionDate: '"2020-01-01T00:00:00Z"' });
    steps(clock, 3);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('keeps many mass payouts apart', async () => {
    const { client, clock } = await startSandbox();
    const ids: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      ids.push((await create(client, [row('1')])).id);
      steps(clock, 1);
    }
    const states = await Promise.all(ids.map(async (id) => (await read(client, id)).state));
    expect(states).toEqual(['COMPLETED', 'COMPLETED', 'IN_PROGRESS', 'CONFIRMED']);
  });
});

describe('after a restart', () => {
  it('the walk goes on where it stood', async () => {
    const before = await startSandbox();
    const { id } = await create(before.client, [row('1')]);
    steps(before.clock, 1);
    await before.close();
    const { client, clock } = await startSandbox(before);
    expect((await read(client, id)).state).toBe('CONFIRMED');
    steps(clock, 2);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('the steps that fell due meanwhile were taken', async () => {
    const before = await startSandbox();
    const { id } = await create(before.client, [row('1')]);
    await before.close();
    steps(before.clock, 100);
    const { client } = await startSandbox(before);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('the balances are not opened again', async () => {
    const before = await startSandbox();
    await create(before.client, [row('100')]);
    await before.close();
    const { client } = await startSandbox({ ...before, settings: { BALANCES: '{"BTC":"7"}' } });
    const { text } = await client.call('ACCOUNT');
    expect(text).toContain('{"currency":"USDT_TRC20","amount":999899}');
    expect(text).toContain('{"currency":"BTC","amount":1000000}');
  });
});
