import { type Logger, pino } from 'pino';
import { createPersonActions } from './person-actions.ts';
import { type SandboxClock, createPauses } from './clock.ts';
import { createClockOffset } from './clock-offset.ts';
import { createConfirmations } from './confirmations.ts';
import { createFaults } from './faults.ts';
import { createApp } from './http/app.ts';
import { createModeSwitch } from './modes.ts';
import { accountsOf, type SandboxSettings, stepMsOf } from './settings.ts';
import { openStore } from './store/store.ts';
import { createTariffs } from './tariffs.ts';
import { createWalker } from './walker.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

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
  settings: SandboxSettings;
  clock: SandboxClock;
  /** Silent when left out. */
  log?: Logger;
}>;

/** Builds a whole service. Throws StoreUnusable when the store cannot be opened. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { settings, clock, log = pino({ level: 'silent' }) } = options;
  const store = openStore(settings.storePath, settings);
  const modes = createModeSwitch(settings.modes, store.overrides);
  const clockOffset = createClockOffset(settings.clockOffsetMs, store.overrides);
  const allowPrivate = settings.isWebhookPrivateAllowed;
  const faults = createFaults(store.faults, settings.faults);
  const pauses = createPauses(clock);
  const hookDeps = { store, clock, faults, modes: modes.current, speed: settings.speed };
  const webhooks = createWebhooks({ ...hookDeps, allowPrivate });
  const { announcer, subscriptions, registry, feed } = webhooks;
  const tariffs = createTariffs(settings.tariff, store.overrides);
  const confirmations = createConfirmations(settings.confirmations, store.overrides);
  const moveDeps = { store, clock, announcer, confirmationsOf: confirmations.of };
  const walker = createWalker({ ...moveDeps, stepMs: stepMsOf(settings) });
  const acts = createPersonActions({ ...moveDeps, walker, stepMs: stepMsOf(settings) });
  const base = { settings, store, clock, clockOffset, modes, pauses, faults, log };
  const deps = {
    ...base,
    announcer,
    walker,
    acts,
    tariffs,
    confirmations,
    subscriptions,
    registry,
    feed,
  };
  const app = createApp(deps);

  return {
    async listen() {
      store.transaction(() => {
        for (const account of accountsOf(settings)) {
          store.ledger.open(account, settings.balances);
          store.wallets.open(account);
        }
      });
      webhooks.start(settings.webhookUrl);
      walker.catchUp();
      return { url: await app.listen(settings.listen) };
    },
    async close() {
      walker.close();
      pauses.endAll();
      await Promise.all([app.close(), webhooks.close()]);
      store.close();
    },
  };
}
