import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sendsOf } from '../support/attempts.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Fault,
  type FaultKind,
  type FaultProxy,
  startFaultProxy,
} from '../support/fault-proxy.ts';
import { isCreateOf, isLookupOf } from '../support/proxied-requests.ts';
import { expectEverythingTies } from '../support/exactly-once.ts';
import { requestsOf } from '../support/oracle.ts';
import { PATIENT_REQUESTS } from '../support/patient-requests.ts';
import { type PlayedStack, startPlayedStack } from '../support/played-stack.ts';
import { SHORT_WINDOW, SHORT_WINDOW_FENCE_MS } from '../support/quick-fence.ts';
import { isStoreFree, lockStore } from '../support/store-lock.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

/*
 * What is lost with a worker, and what is not, depends on where it stands when it dies. The proxy holds requests at each
 * point, so that the worker can be killed when it stands at all of them; the store tells what was written down by then.
 * It holds every request of its kind until it is told otherwise: an activity that Temporal runs again, because this machine
 * stood still, comes no further than the first one.
 */

const fates = ['0000', '0000'] as const;

let network: FaultProxy;
let played: PlayedStack;

beforeAll(async () => {
  network = await startFaultProxy(() => played.stack.sandboxUrl);
  played = await startPlayedStack(sharedFolder(), {
    ...PATIENT_REQUESTS,
    ...SHORT_WINDOW,
    BURSAR_API_BASE_URL: network.url,
  });
});
afterEach(async () => {
  await played.control.play({});
  await expectEverythingTies(played.stack);
});
afterAll(async () => {
  await played.stop();
  await network.close();
});

/** What became of the sends of a key, as the engine wrote it down. */
const outcomesOf = (key = ''): string[] =>
  sendsOf(played.stack.folder, key).map(({ outcome }) => outcome);

const untilFired = (kind: FaultKind, times: number): Promise<true> =>
  eventually(`${kind} ${times} times`, () => network.fired(kind) >= times || undefined);

it.each([
  ['chunks that are sent by an activity each', 5],
  ['a group of chunks', 25],
])(
  'kill -9 of a worker before a create is stored, before it is sent, before its answer, with its answer, and after that: %s',
  async (_what, count) => {
    const { stack } = played;
    const others = (): string[][] => keys.slice(5).map(outcomesOf);
    const atEnd = Array.from({ length: count - 5 }, () => ['ACCEPTED']);
    const heldBefore = {
      request: network.fired('hold-request'),
      answer: network.fired('hold-answer'),
    };
    let keys: readonly string[] = [];
    let lone: readonly string[] = [];
    const faults: Fault[] = [];
    const add = (...more: Fault[]): void => {
      faults.push(...more);
      network.set(...faults);
    };
    const several = played.run({
      chunks: Array.from({ length: count }, () => ({ fates })),
      before: (of) => {
        keys = of;
        add(
          { kind: 'hold-request', hits: isLookupOf(of[1]) },
          { kind: 'hold-request', hits: isCreateOf(of[2]) },
          { kind: 'hold-answer', hits: isCreateOf(of[3]) },
          { kind: 'hold-answer', hits: isCreateOf(of[4]) },
        );
      },
    });
    // A first chunk is looked up once it was created: then all of its create is on record.
    const one = played.run({
      chunks: [{ fates }],
      before: (of) => {
        lone = of;
        let created = false;
        const hits: Fault['hits'] = (request) => {
          created ||= isCreateOf(of[0])(request);
          return created && isLookupOf(of[0])(request);
        };
        add({ kind: 'hold-request', hits });
      },
    });
    await untilFired('hold-request', heldBefore.request + 3);
    await untilFired('hold-answer', heldBefore.answer + 2);
    await eventually('the others are sent', () => isDeepStrictEqual(others(), atEnd) || undefined);

    const unlock = lockStore(stack.folder);
    await network.release(isCreateOf(keys[4]));
    await stack.kill('worker');
    unlock();
    const held = keys.slice(0, 5).map(outcomesOf);
    expect(held).toEqual([['ACCEPTED'], [], ['PENDING'], ['PENDING'], ['PENDING']]);
    expect(lone.map(outcomesOf)).toEqual([['ACCEPTED']]);
    network.set();
    await network.drop();
    await stack.start('worker');

    for (const { code, view, outcomes } of [await several, await one]) {
      expect([code, view.needsOperator]).toEqual([0, []]);
      expect(new Set(await outcomes())).toEqual(new Set(['PAID']));
    }
    expect(others()).toEqual(atEnd);
    const ends = [...keys.slice(0, 5), ...lone].map(outcomesOf);
    expect(ends).toEqual([
      ...[['ACCEPTED'], ['ACCEPTED'], ['PENDING', 'ACCEPTED'], ['PENDING'], ['PENDING']],
      ['ACCEPTED'],
    ]);
    const [lost, again] = sendsOf(stack.folder, keys[2] ?? '').map(
      ({ timestampMs }) => timestampMs,
    );
    expect((again ?? 0) - (lost ?? 0)).toBeGreaterThanOrEqual(SHORT_WINDOW_FENCE_MS);
  },
);

it('kill -9 of the service before it does a create, after it, and while its answer is on its way', async () => {
  const before = network.fired('hold-answer');
  let keys: readonly string[] = [];
  const delayMs = 600_000;
  const paid = played.run({
    chunks: [
      { fates },
      { fates, fault: { kind: 'delay-before-ms', delayMs } },
      { fates, fault: { kind: 'delay-ms', delayMs } },
      { fates },
    ],
    before: (of) => {
      keys = of;
      network.set({ kind: 'hold-answer', hits: isCreateOf(of[3]) });
    },
  });
  await untilFired('hold-answer', before + 1);
  await eventually('the service has all creates', async () => {
    const fired = await Promise.all(keys.map((key) => played.control.fired(key)));
    return fired.join() === '0,1,1,0' || undefined;
  });
  await played.stack.kill('sandbox');
  await played.stack.start('sandbox');
  network.set();
  await network.release();
  const { code, outcomes } = await paid;
  expect(code).toBe(0);
  expect(new Set(await outcomes())).toEqual(new Set(['PAID']));
  expect(keys.slice(1).map(outcomesOf)).toEqual([
    ['AMBIGUOUS', 'ACCEPTED'],
    ['AMBIGUOUS'],
    ['ACCEPTED'],
  ]);
});

it('a worker that is frozen with a create on its way: a late create is refused, and later writes of the worker change nothing', async () => {
  const { stack, control } = played;
  const before = network.fired('hold-request');
  let keys: readonly string[] = [];
  const paid = played.run({
    chunks: [{ fates }, { fates }],
    before: (of) => {
      keys = of;
      network.set({ kind: 'hold-request', hits: isCreateOf(of[1]) });
    },
  });
  await untilFired('hold-request', before + 1);
  await freezeWorker();
  network.set();
  await stack.startAnotherWorker();
  const { code, outcomes } = await paid;
  expect([code, await outcomes()]).toEqual([0, ['PAID', 'PAID', 'PAID', 'PAID']]);
  expect(outcomesOf(keys[1])).toEqual(['PENDING', 'ACCEPTED']);

  // Nothing but its timestamp is against it now.
  await control.play({ idempotency: 'ignores-key' });
  await network.release();
  stack.wake('worker');
  await eventually('the worker that was frozen goes on', () =>
    outcomesOf(keys[1])[0] === 'PENDING' ? undefined : true,
  ).catch((cause: unknown) => {
    throw new Error(`It said: ${stack.output('worker')}`, { cause });
  });
  const creates = await requestsOf(stack.sandboxUrl, 'MASS_CREATE');
  const ours = creates.filter(({ idempotencyKey }) => idempotencyKey === keys[1]);
  expect(ours.map(({ errorCode }) => errorCode)).toEqual([null, 'TIMESTAMP_OUT_OF_WINDOW']);
  expect(await outcomes()).toEqual(['PAID', 'PAID', 'PAID', 'PAID']);
});

/** Stands the worker still, but not while it writes: nobody else could write until it wakes. */
async function freezeWorker(): Promise<void> {
  const { stack } = played;
  for (stack.freeze('worker'); !isStoreFree(stack.folder); stack.freeze('worker')) {
    stack.wake('worker');
    await sleep(20);
  }
}
