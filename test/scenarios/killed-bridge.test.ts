import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { openConnection } from '../../src/store/engine/open.ts';
import { spoolUrlOf } from '../../src/store/webhooks/spool-glance.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultKind, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { expectEverythingTies } from '../support/exactly-once.ts';
import { type PlayedRun, type PlayedStack, startPlayedStack } from '../support/played-stack.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { runUntilWaiting } from '../support/waiting-batch.ts';

jest.setTimeout(600_000);

const TOKEN = 'test-token-0123456789-0123456789-0123456789';

/** Between the service and the bridge. */
let hooks: FaultProxy;
let played: PlayedStack;

beforeAll(async () => {
  const folder = sharedFolder();
  writeFileSync(join(folder, 'bridge-token'), TOKEN, { mode: 0o600 });
  hooks = await startFaultProxy(() => played.stack.bridgeUrl);
  played = await startPlayedStack(folder, {
    BURSAR_SANDBOX_WEBHOOK_URL: `${hooks.url}/hooks/${TOKEN}`,
    // A webhook that failed comes again after half a second, and not after half a minute.
    BURSAR_SANDBOX_SPEED: '60',
    // Polls come too late for any test: nothing but webhooks ends these batches.
    BURSAR_POLL_MIN_MS: '3600000',
    BURSAR_POLL_MAX_MS: '3600000',
  });
});
afterAll(async () => {
  await expectEverythingTies(played.stack);
  await played.stop();
  await hooks.close();
});

/** Webhooks in the spool that nobody was told of, and all of them. */
async function spooled(): Promise<Readonly<{ waiting: number; total: number }>> {
  const spool = await openConnection(spoolUrlOf(played.stack.env.BURSAR_STORE_URL));
  try {
    const webhooks = await spool.selectFrom('spool').select('state').execute();
    const waiting = webhooks.filter(({ state }) => state === 'WAITING').length;
    return { waiting, total: webhooks.length };
  } finally {
    await spool.destroy();
  }
}

/** What is in the spool once Temporal was told of all of it. */
const untilForwarded = () =>
  eventually('the spool is empty', async () => {
    const now = await spooled();
    return now.waiting === 0 ? now : undefined;
  });

/** A person ends what waits, and the webhook that tells so is held on its way to the bridge or back. */
async function endWithHeldWebhook(massPayoutId: string, kind: FaultKind): Promise<void> {
  const before = hooks.fired(kind);
  hooks.set({ kind, hits: ({ body }) => body.includes(massPayoutId) });
  await played.control.endWaiting(massPayoutId);
  await eventually('its webhook is held', () => hooks.fired(kind) > before || undefined);
}

async function expectAllPaid(paid: Promise<PlayedRun>): Promise<void> {
  const { code, outcomes } = await paid;
  expect([code, await outcomes()]).toEqual([0, ['PAID', 'PAID']]);
}

it('kill -9 of the bridge before it has a webhook: the service sends it again', async () => {
  const { paid, massPayoutId } = await runUntilWaiting(played);
  const before = await untilForwarded();
  await endWithHeldWebhook(massPayoutId, 'hold-request');
  await played.stack.kill('bridge');
  expect(await spooled()).toEqual(before);
  hooks.set();
  await hooks.drop();
  await played.stack.start('bridge');
  await expectAllPaid(paid);
});

it('kill -9 of the bridge with a webhook in the spool, before the service has its 200: it comes again, and changes nothing', async () => {
  const { paid, massPayoutId } = await runUntilWaiting(played);
  const before = await spooled();
  await endWithHeldWebhook(massPayoutId, 'hold-answer');
  await eventually(
    'it is in the spool',
    async () => (await spooled()).total > before.total || undefined,
  );
  const { total } = await spooled();
  await played.stack.kill('bridge');
  hooks.set();
  await hooks.drop();
  await played.stack.start('bridge');
  await expectAllPaid(paid);
  await eventually('it came again', async () => (await spooled()).total > total || undefined);
});

it('kill -9 of the bridge after its 200, before its signal to Temporal: it goes on from the spool', async () => {
  const { paid, massPayoutId } = await runUntilWaiting(played);
  const { stack, control } = played;
  const { TEMPORAL_ADDRESS } = stack.env;
  // Nobody listens there.
  await restartBridge({ TEMPORAL_ADDRESS: '127.0.0.1:1' }, 'stopOne');
  await control.endWaiting(massPayoutId);
  await eventually('the service has its 200', async () => {
    const [subscription] = await control.subscriptions();
    const { DELIVERED: _delivered, ...others } = subscription?.deliveries ?? {};
    const isTold = Object.values(others).every((count) => count === 0);
    return (isTold && (await spooled()).waiting > 0) || undefined;
  });
  await restartBridge({ TEMPORAL_ADDRESS }, 'kill');
  await expectAllPaid(paid);
  await eventually(
    'nothing waits in the spool',
    async () => (await spooled()).waiting === 0 || undefined,
  );
});

/** Ends the bridge, and starts it with other settings; commands that run meanwhile keep theirs. */
async function restartBridge(
  env: Readonly<Record<string, string>>,
  end: 'kill' | 'stopOne',
): Promise<void> {
  await played.stack[end]('bridge');
  Object.assign(played.stack.env, env);
  await played.stack.start('bridge');
}
