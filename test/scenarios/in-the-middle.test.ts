import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { sendsOf } from '../support/attempts.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { expectEverythingTies } from '../support/exactly-once.ts';
import { requestsOf } from '../support/oracle.ts';
import { PATIENT_REQUESTS } from '../support/patient-requests.ts';
import { type PlayedStack, startPlayedStack } from '../support/played-stack.ts';
import { isLookupOf } from '../support/proxied-requests.ts';
import { reportLines } from '../support/row-outcomes.ts';
import { sandboxAdmin } from '../support/sandbox-admin.ts';
import { lockStore } from '../support/store-lock.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

const fates = ['0000', '0000'] as const;

/**
 * No create is ambiguous here, so a create may wait long for a slow machine. With QUICK_FENCE alone, a create that waits for
 * a second is given up before it leaves, and one that is refused after two seconds is sent again.
 */
const UNHURRIED_CREATES = {
  BURSAR_API_TIMESTAMP_WINDOW_MS: '180000',
  BURSAR_API_SEND_BUDGET_MS: '120000',
} as const;

let network: FaultProxy;
let played: PlayedStack;

beforeAll(async () => {
  network = await startFaultProxy(() => played.stack.sandboxUrl);
  played = await startPlayedStack(sharedFolder(), {
    ...PATIENT_REQUESTS,
    ...UNHURRIED_CREATES,
    BURSAR_API_BASE_URL: network.url,
  });
});
afterAll(async () => {
  await expectEverythingTies(played.stack);
  await played.stop();
  await network.close();
});

const moveClock = (offsetMs: number | null) =>
  sandboxAdmin(played.stack.sandboxUrl).put('clock', { offsetMs });

const sendsOfKey = (key = '') => sendsOf(played.stack.folder, key);

/** What the service answered to questions for a key and to creates under it, as error codes. */
async function answersTo(key = ''): Promise<(string | null)[]> {
  const { sandboxUrl } = played.stack;
  const lists = ['MASS_GET', 'LOOKUP', 'MASS_CREATE'].map((one) => requestsOf(sandboxUrl, one));
  const ours = (await Promise.all(lists)).flat().filter((of) => of.idempotencyKey === key);
  return ours.map(({ errorCode }) => errorCode);
}

/** Lets go what is held, and holds nothing more. */
async function letGo(): Promise<void> {
  network.set();
  await network.release();
}

/** Begins a batch, and stops it where the key of a chunk is looked up before its first send. */
async function startedUntilLookup(
  chunks: number,
  held: number,
  kind: 'hold-request' | 'hold-answer',
) {
  const before = network.fired(kind);
  let keys: readonly string[] = [];
  const paid = played.run({
    chunks: Array.from({ length: chunks }, () => ({ fates })),
    env: { BURSAR_BATCH_CHUNKS_IN_FLIGHT: '1' },
    before: (of) => {
      keys = of;
      network.set({ kind, hits: isLookupOf(of[held]) });
    },
  });
  await eventually('the key is looked up', () => network.fired(kind) > before || undefined);
  return { paid, keys };
}

it('a clock that jumps in the middle of a batch stops it before anything is sent, and it goes on when the clock is right', async () => {
  await moveClock(50_000);
  const { paid, keys } = await startedUntilLookup(3, 1, 'hold-request');
  await moveClock(300_000);
  await letGo();
  await eventually('the service refuses what it is asked', async () => {
    const refused = (await answersTo(keys[1])).filter((code) => code === 'TIMESTAMP_OUT_OF_WINDOW');
    return refused.length >= 2 || undefined;
  });
  expect(keys.map((key) => sendsOfKey(key).length)).toEqual([1, 0, 0]);
  await moveClock(-50_000);
  const { code, view, outcomes } = await paid;
  expect([code, view.needsOperator]).toEqual([0, []]);
  expect(new Set(await outcomes())).toEqual(new Set(['PAID']));
  expect(keys.map((key) => sendsOfKey(key).length)).toEqual([1, 1, 1]);
  await moveClock(null);
});

it('a store that another program locks for too long: nothing is sent before it is stored, and the batch goes on after that', async () => {
  const { paid, keys } = await startedUntilLookup(1, 0, 'hold-answer');
  const unlock = lockStore(played.stack.folder);
  await letGo();
  await eventually(
    'the worker has waited for long enough',
    () => played.stack.output('worker').includes('STORE_BUSY') || undefined,
  );
  expect(await answersTo(keys[0])).not.toContain(null);
  unlock();
  const { code, outcomes } = await paid;
  expect([code, await outcomes()]).toEqual([0, ['PAID', 'PAID']]);
  expect(sendsOfKey(keys[0]).map(({ outcome }) => outcome)).toEqual(['ACCEPTED']);
});

it('a key that is revoked in the middle of a batch: one create is refused, no other is sent, and the batch ends after a new start', async () => {
  const { paid, keys } = await startedUntilLookup(4, 1, 'hold-answer');
  await restartService('another-secret');
  await letGo();
  await eventually(
    'the create is refused',
    () => sendsOfKey(keys[1])[0]?.outcome === 'REJECTED' || undefined,
  );
  await eventually(
    'and the questions that follow',
    async () => (await played.refusalsWith(401)) >= 3 || undefined,
  );
  expect(keys.map((key) => sendsOfKey(key).length)).toEqual([1, 1, 0, 0]);
  await restartService('test-secret');
  const { code, view, dir, outcomes } = await paid;
  expect([code, view.needsOperator]).toEqual([10, []]);
  expect(reportLines(dir).at(-1)?.reason).toContain('SIGNATURE_INVALID');
  expect(await outcomes()).toEqual([
    ...['PAID', 'PAID', 'FAILED', 'FAILED'],
    ...['NOT_SENT', 'NOT_SENT', 'NOT_SENT', 'NOT_SENT'],
  ]);
  expect(keys.map((key) => sendsOfKey(key).length)).toEqual([1, 1, 0, 0]);
});

/** Stops the service, and starts it with this secret for the key of the engine. */
async function restartService(secret: string): Promise<void> {
  const { stack } = played;
  await stack.stopOne('sandbox');
  const { BURSAR_API_KEY: key, BURSAR_API_ACCOUNT: account } = stack.env;
  Object.assign(stack.env, { BURSAR_SANDBOX_KEYS: `${key}:${secret}:${account}` });
  await stack.start('sandbox');
}
