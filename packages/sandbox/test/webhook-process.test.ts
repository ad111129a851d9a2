import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type Child, startChild } from './support/child.ts';
import { type Client, createClient } from './support/client.ts';
import { type DeliveriesJson, type DeliveryJson, deliveries } from './support/deliveries.ts';
import { create, row, withdrawals } from './support/payouts.ts';
import { answerStatus, startReceiver } from './support/receiver.ts';
import { temporaryFolder } from './support/start.ts';
import { subscription } from './support/subscriptions.ts';

/** Several processes start one after another. */
const CRASH_TIMEOUT_MS = 120_000;

const clientOf = async (child: Child): Promise<Client> =>
  createClient(await child.url, () => Date.now());

async function allDeliveries(client: Client): Promise<DeliveryJson[]> {
  const all: DeliveryJson[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: DeliveriesJson = await deliveries(client, `?limit=1000&after=${after}`);
    all.push(...page.deliveries);
    after = page.next;
  }
  return all;
}

it(
  'kill -9 in the middle of webhooks loses none of them, and how the receiver fares neither',
  async () => {
    const receiver = await startReceiver();
    const folder = await temporaryFolder();
    // Retries come a thousand times sooner.
    const settings = { WEBHOOK_URL: receiver.url, STEP_MS: '20000', SPEED: '1000' };
    const received = () => new Set(receiver.received.map(({ body }) => body));
    for (let round = 0; round < 3; round += 1) {
      let answered = 0;
      receiver.answer((response) => {
        answered += 1;
        response.writeHead(answered % 3 === 0 ? 500 : 200).end();
        if (answered === 25) child.kill('SIGKILL');
      });
      const child = startChild(folder, settings);
      const client = await clientOf(child);
      const creates = async (): Promise<never> => {
        await create(client, [row('1')]);
        return creates();
      };
      await Promise.allSettled([creates(), creates()]);
      expect(await child.exit).toEqual({ code: null, signal: 'SIGKILL' });
    }

    receiver.answer(answerStatus(200));
    const client = await clientOf(startChild(folder, settings));
    const isDone = async (): Promise<boolean> =>
      Object.keys((await subscription(client)).deliveries).join() === 'DELIVERED';
    const areWalksDone = (lines: readonly { massPayoutState: string }[]): boolean =>
      lines.every(({ massPayoutState }) => massPayoutState === 'COMPLETED');
    while (!areWalksDone(await withdrawals(client)) || !(await isDone())) await pause(20);

    // Each mass payout has one withdrawal and goes through four states.
    const payoutsCount = (await withdrawals(client)).length;
    const all = await allDeliveries(client);
    expect(payoutsCount).toBeGreaterThan(10);
    expect(all).toHaveLength(4 * payoutsCount);
    expect(new Set(all.map(({ body }) => body)).size).toBe(4 * payoutsCount);
    for (const { body } of all) expect(received().has(body)).toBe(true);
    const { errorCount, blockedByErrorCount } = await subscription(client);
    expect([errorCount, blockedByErrorCount]).toEqual([0, false]);
  },
  CRASH_TIMEOUT_MS,
);
