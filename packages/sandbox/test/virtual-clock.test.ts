import { describe, expect, it } from '@jest/globals';
import { webhookRetryDelaysS } from '@bursar/merchant-api/spec';
import { durationMs } from '../src/durations.ts';
import { createVirtualClock } from '../src/virtual-clock.ts';
import { createClient, json } from './support/client.ts';
import { ownSandbox } from './support/own-sandbox.ts';
import { create, createPayload, lookUp, read, row } from './support/payouts.ts';
import { answerStatus, startReceiver } from './support/receiver.ts';
import { startChild } from './support/child.ts';
import { temporaryFolder } from './support/start.ts';

describe('a virtual clock', () => {
  it('runs what is due in order, also what becomes due on the way', async () => {
    const clock = createVirtualClock(1_000);
    const ran: string[] = [];
    const note = (name: string): void => void ran.push(`${name} at ${clock.nowMs()}`);
    clock.startTimer(20, () => note('second'));
    clock.startTimer(10, () => {
      note('first');
      clock.startTimer(10, () => note('third'));
      clock.startTimer(11, () => note('too late'));
    });
    await clock.advance(20);
    expect(ran).toEqual(['first at 1010', 'second at 1020', 'third at 1020']);
    expect(clock.nowMs()).toBe(1_020);
  });

  it('stands still while work is under way', async () => {
    const clock = createVirtualClock(0);
    const ran: number[] = [];
    clock.startTimer(1, () => {
      const work = new Promise<void>((resolve) => void setTimeout(resolve, 5)).then(() => {
        ran.push(clock.nowMs());
        clock.startTimer(0, () => void ran.push(clock.nowMs()));
      });
      clock.waitFor(work);
    });
    await clock.advance(100);
    expect(ran).toEqual([1, 1]);
  });

  it('stops a timer, and gives the error of one to the caller', async () => {
    const clock = createVirtualClock(0);
    clock.startTimer(1, () => expect('stopped').toBe('run'))();
    clock.startTimer(2, () => {
      throw new Error('a defect');
    });
    await expect(clock.advance(5)).rejects.toThrow('a defect');
    await clock.advance(1);
  });

  it.each([
    [5, 5],
    ['500ms', 500],
    ['90s', 90_000],
    ['5m', 300_000],
    ['30h', 108_000_000],
    ['2d', 172_800_000],
  ])('takes %s as a duration', (duration, ms) => expect(durationMs(duration)).toBe(ms));

  it.each(['', '1', 'h', '-1s', '1.5h'])('does not take "%s"', (text) =>
    expect(() => durationMs(text)).toThrow(TypeError),
  );
});

describe('time stands still until it is advanced', () => {
  it('for the steps of a mass payout', async () => {
    const { client, clock } = await ownSandbox({ clock: 'virtual', stepMs: 3_600_000 });
    const { id } = await create(client, [row('1')]);
    await clock.advance('59m');
    expect((await read(client, id)).state).toBe('CREATION_IN_PROGRESS');
    await clock.advance('1m');
    expect((await read(client, id)).state).toBe('CONFIRMED');
    await clock.advance('2d');
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('for the lag of lookups and for the life of a key', async () => {
    const modes = { lookupLagMs: 60_000, idempotency: 'key-ttl', keyTtlMs: 86_400_000 } as const;
    const { client, clock } = await ownSandbox({ clock: 'virtual', modes });
    const payload = createPayload([row('1')]);
    const createAgain = async () =>
      (JSON.parse((await client.call('MASS_CREATE', { payload })).text) as { id: string }).id;
    const id = await createAgain();
    const { idempotencyKey } = JSON.parse(payload) as { idempotencyKey: string };
    const byKey = () =>
      client.call('LOOKUP', {
        payload: json({ idempotencyKey: JSON.stringify(idempotencyKey) }),
      });
    expect((await byKey()).status).toBe(404);
    await clock.advance('1m');
    expect((await byKey()).status).toBe(200);
    expect((await lookUp(client, id)).status).toBe(200);
    await clock.advance('23h');
    expect(await createAgain()).toBe(id);
    await clock.advance('1h');
    expect(await createAgain()).not.toBe(id);
  });

  it('for the late decisions of faults', async () => {
    const { client, clock, addFault, admin } = await ownSandbox({ clock: 'virtual' });
    await addFault({
      target: 'MASS_CREATE',
      kind: 'drop-then-accept',
      delayMs: 60_000,
      timestampAt: 'arrival',
    });
    await expect(create(client, [row('1')])).rejects.toThrow();
    expect((await admin('GET /mass-payouts')).massPayouts).toEqual([]);
    await clock.advance('1m');
    expect((await admin('GET /mass-payouts')).massPayouts).toHaveLength(1);
    await clock.advance('1h');
    expect((await admin('GET /mass-payouts')).massPayouts).toMatchObject([{ state: 'COMPLETED' }]);
  });

  it('and the clock is refused an advance where it runs by itself', async () => {
    const { clock } = await ownSandbox();
    await expect(clock.advance('1s')).rejects.toThrow('CLOCK_NOT_VIRTUAL');
  });
});

describe('webhooks on a virtual clock', () => {
  it('go through their whole schedule of 91 hours: one attempt, then 19 retries', async () => {
    const receiver = await startReceiver();
    receiver.answer(answerStatus(500));
    const { clock, admin } = await ownSandbox({ clock: 'virtual' });
    await admin('POST /webhooks', { url: receiver.url });
    await admin('POST /events', { type: 'PAYOUT_CONFIRMED' });
    await clock.advance(0);
    expect(receiver.received).toHaveLength(1);
    await clock.advance('328350s');
    expect(receiver.received).toHaveLength(20);
    await clock.advance('365d');
    expect(receiver.received).toHaveLength(20);
    const [delivery] = (await admin('GET /deliveries')).deliveries;
    expect(delivery).toMatchObject({ status: 'GIVEN_UP', nextDate: null });
    const times = (delivery?.attempts ?? []).map(({ time }) => Date.parse(time) / 1000);
    const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(waits).toEqual(webhookRetryDelaysS());
    expect([waits[0], waits.at(-1)]).toEqual([30, 125_430]);
  });

  it('block their subscription after more than 100 errors in 10 minutes', async () => {
    const receiver = await startReceiver();
    receiver.answer(answerStatus(500));
    const { clock, admin } = await ownSandbox({ clock: 'virtual' });
    await admin('POST /webhooks', { url: receiver.url });
    for (let sent = 0; sent < 60; sent += 1) {
      await admin('POST /events', { type: 'PAYOUT_CONFIRMED' });
    }
    await clock.advance('20s');
    expect((await admin('GET /webhooks')).subscriptions[0]?.blockedByErrorCount).toBe(false);
    await clock.advance('10s');
    expect((await admin('GET /webhooks')).subscriptions[0]?.blockedByErrorCount).toBe(true);
  });

  it('are awaited before the time goes on', async () => {
    const receiver = await startReceiver();
    receiver.answer((response) => void setTimeout(() => response.writeHead(200).end(), 30));
    const { client, clock, admin } = await ownSandbox({ clock: 'virtual' });
    await admin('POST /webhooks', { url: receiver.url });
    const { id } = await create(client, [row('1')]);
    await clock.advance('1h');
    const states = receiver.received.map(
      ({ body }) => (JSON.parse(body) as { data: { state: string } }).data.state,
    );
    expect(states).toEqual(['CREATION_IN_PROGRESS', 'CONFIRMED', 'IN_PROGRESS', 'COMPLETED']);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('that a snapshot has as delivered are not sent again', async () => {
    const receiver = await startReceiver();
    const { snapshot, restore, clock, admin } = await ownSandbox({ clock: 'virtual' });
    await admin('POST /webhooks', { url: receiver.url });
    await admin('POST /events', { type: 'PAYOUT_CONFIRMED' });
    await receiver.count(1);
    const taken = await snapshot();
    await restore(taken);
    await clock.advance('1h');
    expect(receiver.received).toHaveLength(1);
  });
});

describe('the process', () => {
  it('keeps its virtual time over a restart', async () => {
    const folder = await temporaryFolder();
    const first = startChild(folder, { CLOCK: 'virtual' });
    const told = async (url: string) =>
      (
        JSON.parse((await createClient(url, Date.now).get('/sandbox/clock')).text) as {
          time: string;
        }
      ).time;
    const url = await first.url;
    const startMs = Date.parse(await told(url));
    const body = { ms: 108_000_000 };
    await createClient(url, Date.now).admin('POST', '/sandbox/clock/advance', body);
    expect(Date.parse(await told(url))).toBe(startMs + 108_000_000);
    first.kill('SIGTERM');
    await first.exit;
    const second = startChild(folder, { CLOCK: 'virtual' });
    expect(Date.parse(await told(await second.url))).toBe(startMs + 108_000_000);
  });
});
