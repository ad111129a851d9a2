import { type Logger, pino } from 'pino';
import { createPersonActions } from './person-actions.ts';
import { type SandboxClock, createPauses } from './clock.ts';
import { createClockOffset } from './clock-offset.ts';
import { createConfirmations } from './confirmations.ts';
import { createFaults } from './faults.ts';
import { createApp } from './http/app.ts';
import { createModeSwitch } from './modes.ts';
import { accountsOf, type SandboxServerSettings, stepMsOf } from './settings.ts';
import { openStore } from './store/store.ts';
import { createTariffs } from './tariffs.ts';
import { createStepScheduler } from './step-scheduler.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

export type Sandbox = Readonly<{
  /**
   * Continues with the stored state, then answers requests. With port 0 in the settings the system
   * chooses a free port.
   */
  listen(): Promise<{ url: string }>;
  /** Stops everything and closes the store. A closed sandbox cannot listen again. */
  close(): Promise<void>;
}>;

export type SandboxOptions = Readonly<{
  settings: SandboxServerSettings;
  clock: SandboxClock;
  /** Without it nothing is logged. */
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
  const scheduler = createStepScheduler({ ...moveDeps, stepMs: stepMsOf(settings) });
  const personActions = createPersonActions({ ...moveDeps, scheduler, stepMs: stepMsOf(settings) });
  const base = { settings, store, clock, clockOffset, modes, pauses, faults, log };
  const deps = {
    ...base,
    announcer,
    scheduler,
    personActions,
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
      scheduler.catchUp();
      return { url: await app.listen(settings.listen) };
    },
    async close() {
      scheduler.close();
      pauses.endAll();
      await Promise.all([app.close(), webhooks.close()]);
      store.close();
    },
  };
}
