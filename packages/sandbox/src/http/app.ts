import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AdminOperation } from '../admin/index.ts';
import { type Operation, readEndpoint } from '@bursar/merchant-api/spec';
import type { PersonActions } from '../person-actions.ts';
import { type Pauses, type SandboxClock, systemClock } from '../clock.ts';
import type { ClockOffset } from '../clock-offset.ts';
import type { Confirmations } from '../confirmations.ts';
import type { FateRules } from '../fates.ts';
import type { Faults } from '../faults.ts';
import type { MassPayoutSeeds } from '../mass-payout-seeds.ts';
import type { ModeSwitch } from '../modes.ts';
import { isRepeated } from '../cases.ts';
import { openApiRoute } from '../openapi/document.ts';
import { accountsOf, type SandboxServerSettings, stepMsOf } from '../settings.ts';
import type { StateControl } from '../snapshots.ts';
import type { SandboxStore } from '../store/store.ts';
import type { Tariffs } from '../tariffs.ts';
import type { StepScheduler } from '../step-scheduler.ts';
import type { Announcer } from '../webhooks/announcer.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { EventFeed } from '../webhooks/feed.ts';
import type { SubscriptionRegistry } from '../webhooks/registry.ts';
import type { Subscriptions } from '../webhooks/subscriptions.ts';
import { accountRoutes } from './admin/accounts.ts';
import { caseRoute } from './admin/case.ts';
import { clockRoutes } from './admin/clock.ts';
import { deliveryRoutes } from './admin/deliveries.ts';
import { serveEventStream } from './admin/event-stream.ts';
import { eventRoutes } from './admin/events.ts';
import { fateRoutes } from './admin/fates.ts';
import { faultKindsRoute, faultRoutes } from './admin/faults.ts';
import { healthRoute } from './admin/health.ts';
import { ledgerRoute } from './admin/ledger.ts';
import {
  massPayoutActionRoutes,
  massPayoutListRoute,
  massPayoutWithdrawalsRoute,
} from './admin/mass-payouts.ts';
import { modeRoutes, modeValuesRoute } from './admin/modes.ts';
import { operationsRoute } from './admin/operations.ts';
import { payoutsRoute } from './admin/payouts.ts';
import { requestsRoute } from './admin/requests.ts';
import { type NoteChange, serveAdmin, serveAdminLines } from './admin/route.ts';
import { seedRoute } from './admin/seeds.ts';
import { stateRoutes } from './admin/states.ts';
import { tariffRoutes } from './admin/tariffs.ts';
import { topUpRoute } from './admin/top-up.ts';
import { movementsRoute, walletsRoute } from './admin/wallets.ts';
import { webhookRoutes } from './admin/webhooks.ts';
import { serveConsole } from './console.ts';
import type { ServedOperation } from './operation.ts';
import { operationRoute } from './operation-route.ts';
import { accountOperation } from './operations/account.ts';
import { feeCalculationOperation } from './operations/fee-calculation.ts';
import { lookupOperation } from './operations/lookup.ts';
import { lookupAddressOperation } from './operations/lookup-address.ts';
import { massCreateOperation } from './operations/mass-create.ts';
import { massGetOperation } from './operations/mass-get.ts';
import { opcodesOperation } from './operations/opcodes.ts';
import { reportOperation } from './operations/report.ts';
import { transactionListOperation } from './operations/transaction-list.ts';
import { userOperation } from './operations/user.ts';
import { walletCreateOperation } from './operations/wallet-create.ts';
import { walletListOperation } from './operations/wallet-list.ts';
import { walletRenameOperation } from './operations/wallet-rename.ts';
import { webhookChangeOperation } from './operations/webhook-change.ts';
import { webhookCreateOperation } from './operations/webhook-create.ts';
import { webhookDeleteOperation } from './operations/webhook-delete.ts';
import { webhookListOperation } from './operations/webhook-list.ts';
import { createPipeline } from './pipeline.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createServer } from './server.ts';

export type AppDeps = Readonly<{
  settings: SandboxServerSettings;
  store: SandboxStore;
  clock: SandboxClock;
  /** The clock of connections. */
  wireClock: SandboxClock;
  virtualTime: VirtualTime;
  clockOffset: ClockOffset;
  states: StateControl;
  modes: ModeSwitch;
  pauses: Pauses;
  faults: Faults;
  fates: FateRules;
  announcer: Announcer;
  scheduler: StepScheduler;
  personActions: PersonActions;
  seeds: MassPayoutSeeds;
  tariffs: Tariffs;
  confirmations: Confirmations;
  subscriptions: Subscriptions;
  registry: SubscriptionRegistry;
  feed: EventFeed;
  log: Logger;
}>;

/** Serves the operations on their paths, and the admin API below /sandbox. */
export function createApp(deps: AppDeps): FastifyInstance {
  const app = createServer({ modes: deps.modes.current, log: deps.log });
  const operations = servedOperations(deps);
  serveOperations(app, deps, operations);
  serveAdminApi(app, deps, operations);
  return app;
}

/** The time of the service's clock. */
const shownMsOf = ({ clock, clockOffset }: AppDeps): number =>
  clock.nowMs() + clockOffset.offsetMs();

/** The time of this computer, off by as much as the service's clock. */
const computerMsOf = ({ clockOffset }: AppDeps): number =>
  systemClock.nowMs() + clockOffset.offsetMs();

/** An operation with its method and path. */
type ServedAt = AdminOperation & Readonly<{ served: ServedOperation }>;

/** An empty setting removes the operation from the service. */
const servedOperations = (deps: AppDeps): readonly ServedAt[] =>
  operationsOf(deps).flatMap(([operation, served]) => {
    const endpoint = readEndpoint(deps.settings.endpoints[operation]);
    return endpoint === undefined ? [] : [{ operation, ...endpoint, served }];
  });

function serveOperations(
  app: FastifyInstance,
  deps: AppDeps,
  operations: readonly ServedAt[],
): void {
  const { settings, clock, pauses, faults } = deps;
  const shownMs = (): number =>
    settings.timestamps === 'service' ? shownMsOf(deps) : computerMsOf(deps);
  const pipeline = createPipeline({
    ...deps,
    keys: settings.keys,
    modes: deps.modes.current,
    limiter: createRateLimiter(),
    nowMs: clock.nowMs,
    shownMs,
  });
  for (const { operation, method, path, served } of operations) {
    const delayMs = operation === 'MASS_CREATE' ? settings.createDelayMs : 0;
    const routeDeps = { pipeline, faults, pauses, nowMs: clock.nowMs, shownMs, delayMs };
    app.route({ method, url: path, handler: operationRoute(routeDeps, operation, served) });
  }
}

function operationsOf({
  settings,
  store,
  announcer,
  scheduler,
  fates,
  tariffs,
  subscriptions,
}: AppDeps): readonly (readonly [Operation, ServedOperation])[] {
  return [
    ['ACCOUNT', accountOperation(store.ledger)],
    ['FEE_CALCULATION', feeCalculationOperation(tariffs)],
    ['LOOKUP', lookupOperation(store)],
    [
      'MASS_CREATE',
      massCreateOperation({
        store,
        announcer,
        scheduler,
        fates: fates.current,
        rules: { tariffOf: tariffs.of, stepMs: stepMsOf(settings) },
      }),
    ],
    ['MASS_GET', massGetOperation(store)],
    ['WALLET_LIST', walletListOperation(store)],
    ['WALLET_CREATE', walletCreateOperation(store)],
    ['WALLET_RENAME', walletRenameOperation(store)],
    ['TRANSACTION_LIST', transactionListOperation(store)],
    ['OPCODES', opcodesOperation()],
    ['LOOKUP_ADDRESS', lookupAddressOperation(store)],
    ['REPORT', reportOperation(store)],
    ['USER', userOperation()],
    ['WEBHOOK_CREATE', webhookCreateOperation(subscriptions)],
    ['WEBHOOK_CHANGE', webhookChangeOperation(store.subscriptions, subscriptions)],
    ['WEBHOOK_LIST', webhookListOperation(store.subscriptions)],
    ['WEBHOOK_DELETE', webhookDeleteOperation(store.subscriptions, subscriptions)],
  ];
}

function serveAdminApi(
  app: FastifyInstance,
  deps: AppDeps,
  operations: readonly AdminOperation[],
): void {
  const { settings, store, clock, faults } = deps;
  const { announcer, personActions, tariffs, confirmations } = deps;
  const accounts = accountsOf(settings);
  const routes = [
    healthRoute(() => shownMsOf(deps)),
    ...clockRoutes({ ...deps, offset: deps.clockOffset, shownMs: () => shownMsOf(deps) }),
    ...stateRoutes(deps.states),
    ...modeRoutes(deps.modes),
    modeValuesRoute(deps.modes),
    operationsRoute(operations),
    openApiRoute(settings.endpoints),
    ledgerRoute(store.ledger),
    requestsRoute(store.requests),
    caseRoute(settings, store),
    topUpRoute({ store, announcer, accounts, nowMs: clock.nowMs }),
    ...accountRoutes({ accounts, confirmations }),
    ...tariffRoutes(tariffs),
    walletsRoute(store),
    movementsRoute(store),
    massPayoutListRoute(store),
    massPayoutWithdrawalsRoute(store),
    ...massPayoutActionRoutes(personActions),
    seedRoute({ seeds: deps.seeds, accounts }),
    ...webhookRoutes({ ...deps, accounts }),
    ...deliveryRoutes(deps),
    ...eventRoutes({ ...deps, accounts, nowMs: clock.nowMs }),
    ...faultRoutes(faults),
    faultKindsRoute(),
    ...fateRoutes(deps.fates),
  ];
  for (const route of routes) serveAdmin(app, route, noteChangeOf(deps));
  serveAdminLines(app, payoutsRoute(store));
  serveEventStream(app, { feed: deps.feed, clock: deps.wireClock });
  serveConsole(app);
}

/** With kept bodies, changes that later answers depend on are kept, too. */
const noteChangeOf =
  ({ modes, store, clock }: AppDeps): NoteChange =>
  (endpoint, input) => {
    if (modes.current().bodies !== 'kept' || !isRepeated(endpoint)) return;
    const afterRequest = store.requests.lastN();
    store.adminChanges.append({ atMs: clock.nowMs(), afterRequest, endpoint, input });
  };
