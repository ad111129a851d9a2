import { type Logger, pino } from 'pino';
import { type Clock, createPauses, offsetClock } from './clock.ts';
import { createFaults } from './faults.ts';
import { createApp } from './http/app.ts';
import { accountsOf, type Settings, stepMsOf } from './settings.ts';
import { openStore } from './store/store.ts';
import { createWalker } from './walker.ts';
import { createAnnouncer } from './webhooks/announcer.ts';
import { createPoster } from './webhooks/post.ts';
import { createSender } from './webhooks/sender.ts';
import { createSubscriptions } from './webhooks/subscriptions.ts';

export type Sandbox = Readonly<{
  /**
   * Takes up where the store left off, then answers requests; port 0 in the settings picks a free
   * one.
   */
  listen(): Promise<{ url: string }>;
  /** Stops everything and leaves the store in order. A closed sandbox cannot listen again. */
  close(): Promise<void>;
}>;

export type SandboxOptions = Readonly<{
  settings: Settings;
  clock: Clock;
  /** Silent when left out. */
  log?: Logger;
}>;

/** Builds a whole service. Throws StoreUnusable when the store cannot be opened. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { settings, log = pino({ level: 'silent' }) } = options;
  const clock = offsetClock(options.clock, settings.clockOffsetMs);
  const { nowMs } = clock;
  const store = openStore(settings.storePath);
  const queue = store.webhooks;
  const allowPrivate = settings.isWebhookPrivateAllowed;
  const faults = createFaults(store.faults, settings.faults);
  const pauses = createPauses(clock);
  const subscriptions = createSubscriptions({ queue, allowPrivate, nowMs });
  const post = createPoster(clock, allowPrivate);
  const sender = createSender({ store, clock, post, speed: settings.speed });
  const announcer = createAnnouncer({ queue, faults, clock, onQueued: sender.expect });
  const walker = createWalker({ store, clock, announcer, stepMs: stepMsOf(settings) });
  const deps = { settings, store, clock, pauses, faults, announcer, walker, subscriptions, log };
  const app = createApp(deps);

  return {
    async listen() {
      store.transaction(() => {
        for (const account of accountsOf(settings)) store.ledger.open(account, settings.balances);
      });
      subscriptions.applySettings(settings.webhookUrl);
      walker.catchUp();
      sender.expect(nowMs());
      return { url: await app.listen(settings.listen) };
    },
    async close() {
      walker.close();
      pauses.endAll();
      await Promise.all([app.close(), sender.close()]);
      store.close();
    },
  };
}
