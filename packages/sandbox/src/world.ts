import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { createPauses, type SandboxClock, systemClock } from './clock.ts';
import { createClockOffset } from './clock-offset.ts';
import { createConfirmations } from './confirmations.ts';
import { createFateRules } from './fates.ts';
import { createFaults } from './faults.ts';
import { createApp } from './http/app.ts';
import { createMassPayoutSeeds } from './mass-payout-seeds.ts';
import { createModeSwitch } from './modes.ts';
import { createPersonActions } from './person-actions.ts';
import { accountsOf, type SandboxServerSettings, stepMsOf } from './settings.ts';
import type { StateControl } from './snapshots.ts';
import { createStepScheduler } from './step-scheduler.ts';
import { openStore } from './store/store.ts';
import { createTariffs } from './tariffs.ts';
import { isVirtualClock } from './virtual-clock.ts';
import { createVirtualTime } from './virtual-time.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** Everything of a sandbox but its address. A reset replaces it. */
export type ServiceWorld = Readonly<{
  /** The time of the service's clock. */
  shownMs(): number;
  dispatch(request: IncomingMessage, response: ServerResponse): void;
  /** Continues with the stored state. Call it once, before the first request. */
  start(): Promise<void>;
  /** Waits for the webhooks under way, then copies the store into a new file. */
  copyTo(file: string): Promise<void>;
  /** Ends every wait and every webhook under way, and closes the store. */
  close(): Promise<void>;
}>;

export type ServiceWorldOptions = Readonly<{
  settings: SandboxServerSettings;
  clock: SandboxClock;
  /** The time that a virtual clock shows in a new store. */
  startMs: number;
  states: StateControl;
  isTemporary: boolean;
  sendsWebhooks: boolean;
  log: Logger;
}>;

/** Opens the store and builds the service on it. Throws StoreUnusable. */
export function createWorld({
  settings,
  clock,
  log,
  ...options
}: ServiceWorldOptions): ServiceWorld {
  const { requestsKept } = settings;
  const { isTemporary } = options;
  const store = openStore(settings.storePath, { requestsKept, isTemporary });
  const virtualTime = createVirtualTime(clock, store.overrides, options.startMs);
  // Connections take real time, also while the sandbox's clock stands still.
  const wireClock = isVirtualClock(clock) ? systemClock : clock;
  const modes = createModeSwitch(settings.modes, store.overrides);
  const clockOffset = createClockOffset(settings.clockOffsetMs, store.overrides);
  const faults = createFaults(store.faults, settings.faults);
  const fates = createFateRules(settings.fates, store.overrides);
  const pauses = createPauses(clock);
  const webhooks = createWebhooks({
    store,
    clock,
    wireClock,
    faults,
    modes: modes.current,
    speed: settings.speed,
    allowPrivate: settings.isWebhookPrivateAllowed,
    sendsWebhooks: options.sendsWebhooks,
  });
  const { announcer, subscriptions, registry, feed } = webhooks;
  const tariffs = createTariffs(settings.tariff, store.overrides);
  const confirmations = createConfirmations(settings.confirmations, store.overrides);
  const stepMs = stepMsOf(settings);
  const moveDeps = { store, clock, announcer, confirmationsOf: confirmations.of, stepMs };
  const scheduler = createStepScheduler(moveDeps);
  const personActions = createPersonActions({ ...moveDeps, scheduler });
  const base = { settings, store, clock, wireClock, virtualTime, clockOffset, modes, pauses };
  const seeds = createMassPayoutSeeds({ ...moveDeps, scheduler, tariffOf: tariffs.of });
  const people = { personActions, seeds, tariffs, confirmations };
  const events = { announcer, subscriptions, registry, feed };
  const states = options.states;
  const app = createApp({ ...base, ...people, ...events, faults, fates, scheduler, states, log });

  return {
    shownMs: () => clock.nowMs() + clockOffset.offsetMs(),
    dispatch: (request, response) => app.routing(request, response),
    async start() {
      await app.ready();
      store.transaction(() => {
        for (const account of accountsOf(settings)) {
          store.ledger.open(account, settings.balances);
          store.wallets.open(account);
        }
      });
      webhooks.start(settings.webhookUrl);
      scheduler.catchUp();
    },
    async copyTo(file) {
      await webhooks.settled();
      store.copyTo(file);
    },
    async close() {
      scheduler.close();
      pauses.endAll();
      await Promise.all([app.close(), webhooks.close()]);
      virtualTime.close();
      store.close();
    },
  };
}
