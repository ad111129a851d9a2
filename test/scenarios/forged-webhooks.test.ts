import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { inParallel } from '../../src/activities/shared/in-parallel.ts';
import type { BridgeHealth } from '../../src/bridge/health.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { expectEverythingTies } from '../support/exactly-once.ts';
import { requestCount } from '../support/oracle.ts';
import { PATIENT_REQUESTS } from '../support/patient-requests.ts';
import { type PlayedStack, startPlayedStack } from '../support/played-stack.ts';
import { isCreateOf } from '../support/proxied-requests.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { runUntilWaiting } from '../support/waiting-batch.ts';

jest.setTimeout(600_000);

const FORGED = 1_000;
/** Connections of whoever forges. */
const FORGERS = 8;
/** Reads that a batch makes at most while the forged ones come in: one a second and partition, and a few of its own. */
const READS_MAX = 40;

let network: FaultProxy;
let played: PlayedStack;

beforeAll(async () => {
  network = await startFaultProxy(() => played.stack.sandboxUrl);
  played = await startPlayedStack(sharedFolder(), {
    ...PATIENT_REQUESTS,
    BURSAR_API_BASE_URL: network.url,
    // Polls come too late for any test: what is learnt in time is learnt from webhooks.
    BURSAR_POLL_MIN_MS: '3600000',
    BURSAR_POLL_MAX_MS: '3600000',
  });
});
afterAll(async () => {
  await expectEverythingTies(played.stack);
  await played.stop();
  await network.close();
});

/** Sends a webhook as anybody can who learnt the address; the bridge takes it. */
async function forge(body: object): Promise<void> {
  const { folder, bridgeUrl } = played.stack;
  const token = readFileSync(join(folder, 'bridge-token'), 'utf8').trim();
  const url = `${bridgeUrl}/hooks/${token}`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

const claim = (id: string, state: string) => ({
  type: 'PAYOUT_CHANGE_STATUS',
  data: { id, state },
});

const health = async (): Promise<BridgeHealth> =>
  (await (await fetch(`${played.stack.bridgeUrl}/health`)).json()) as BridgeHealth;

const reads = (): Promise<number> => requestCount(played.stack.sandboxUrl, 'MASS_GET');

it('webhooks that come before the answer to their create are not lost: the batch ends without a poll', async () => {
  let key = '';
  const paid = played.run({
    chunks: [{ fates: ['0000', '0001'] }],
    before: ([of = '']) => {
      key = of;
      network.set({ kind: 'hold-answer', next: 1, hits: isCreateOf(of) });
    },
  });
  await eventually('all rows end, webhooks report it, but the create is not answered', async () => {
    const [subscription] = await played.control.subscriptions();
    const { DELIVERED: delivered = 0, ...others } = subscription?.deliveries ?? {};
    const isTold = delivered > 0 && Object.values(others).every((count) => count === 0);
    const payout = await played.control.massPayoutUnder(key);
    return (isTold && payout?.state === 'PARTIAL') || undefined;
  });
  expect(network.fired('hold-answer')).toBe(1);
  await network.release();
  const { code, outcomes } = await paid;
  expect([code, await outcomes()]).toEqual([10, ['PAID', 'FAILED']]);
});

it('forged webhooks change nothing, and a flood of them leads to no flood of reads', async () => {
  const { control } = played;
  const ended = await played.run({ chunks: [{ fates: ['0000', '0000'] }] });
  const other = await control.massPayoutOf(ended.batchId, 0);
  const { paid, massPayoutId, status } = await runUntilWaiting(played);
  const [before, told] = [await reads(), await health()];

  const strangers = Array.from({ length: FORGED }, () => claim(randomUUID(), 'COMPLETED'));
  await inParallel(FORGERS, strangers, forge);
  for (const state of ['COMPLETED', 'FAILED', 'CANCELED']) {
    await forge(claim(massPayoutId, state));
    await forge(claim(other?.id ?? '', state));
  }
  const expectUntouched = async (): Promise<void> =>
    expect((await status())['rows']).toMatchObject({
      total: 2,
      inFlight: 2,
      paid: 0,
      failed: 0,
      unknown: 0,
    });
  await eventually(
    'the forged ones are dealt with',
    async () => (await health()).spoolWaiting === 0 || undefined,
  );
  await expectUntouched();
  await eventually('those that name what is under way led to a read', async () => {
    const isForwarded = (await health()).forwarded >= told.forwarded + 3;
    return (isForwarded && (await reads()) > before) || undefined;
  });
  expect((await reads()) - before).toBeLessThan(READS_MAX);
  await expectUntouched();
  expect((await health()).status).toBe('ok');

  await control.endWaiting(massPayoutId);
  const { code, outcomes } = await paid;
  expect([code, await outcomes()]).toEqual([0, ['PAID', 'PAID']]);
  expect(await ended.outcomes()).toEqual(['PAID', 'PAID']);
});
