import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Operation } from '../../spec/endpoints.ts';
import type { Clock, Pauses } from '../clock.ts';
import type { Faults } from '../faults.ts';
import { accountsOf, createRulesOf, type Settings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { Walker } from '../walker.ts';
import type { Announcer } from '../webhooks/announcer.ts';
import type { Subscriptions } from '../webhooks/subscriptions.ts';
import { faultRoutes } from './admin/faults.ts';
import { healthRoute } from './admin/health.ts';
import { ledgerRoute } from './admin/ledger.ts';
import { payoutsRoute } from './admin/payouts.ts';
import { requestsRoute } from './admin/requests.ts';
import { serveAdmin, serveAdminLines } from './admin/route.ts';
import { topUpRoute } from './admin/top-up.ts';
import { webhooksAddRoute, webhooksListRoute } from './admin/webhooks.ts';
import type { ServedOperation } from './operation.ts';
import { operationRoute } from './operation-route.ts';
import { accountOperation } from './operations/account.ts';
import { feeCalculationOperation } from './operations/fee-calculation.ts';
import { lookupOperation } from './operations/lookup.ts';
import { massCreateOperation } from './operations/mass-create.ts';
import { massGetOperation } from './operations/mass-get.ts';
import { createPipeline } from './pipeline.ts';
import { createServer } from './server.ts';

export type AppDeps = Readonly<{
  settings: Settings;
  store: Store;
  clock: Clock;
  pauses: Pauses;
  faults: Faults;
  announcer: Announcer;
  walker: Walker;
  subscriptions: Subscriptions;
  log: Logger;
}>;

/**
 * The whole HTTP side: the operations of the service on their paths, and the admin API below
 * /sandbox.
 */
export function createApp(deps: AppDeps): FastifyInstance {
  const { clock, log } = deps;
  const app = createServer({ nowMs: clock.nowMs, log });
  serveOperations(app, deps);
  serveAdminApi(app, deps);
  return app;
}

function serveOperations(app: FastifyInstance, deps: AppDeps): void {
  const { settings, store, clock, pauses, faults, log } = deps;
  const pipeline = createPipeline({ store, keys: settings.keys, nowMs: clock.nowMs, log });
  for (const [operation, served] of operationsOf(deps)) {
    const path = settings.endpoints[operation];
    const delayMs = operation === 'MASS_CREATE' ? settings.createDelayMs : 0;
    const route = operationRoute({ pipeline, faults, pauses, delayMs }, operation, served);
    if (path !== '') app.post(path, route);
  }
}

function operationsOf({
  settings,
  store,
  announcer,
  walker,
}: AppDeps): readonly (readonly [Operation, ServedOperation])[] {
  return [
    ['ACCOUNT', accountOperation(store.ledger)],
    ['FEE_CALCULATION', feeCalculationOperation(settings.tariff)],
    ['LOOKUP', lookupOperation(store)],
    [
      'MASS_CREATE',
      massCreateOperation({ store, announcer, walker, rules: createRulesOf(settings) }),
    ],
    ['MASS_GET', massGetOperation(store)],
  ];
}

function serveAdminApi(app: FastifyInstance, deps: AppDeps): void {
  const { settings, store, clock, faults, subscriptions } = deps;
  const routes = [
    healthRoute(clock.nowMs),
    ledgerRoute(store.ledger),
    requestsRoute(store.requests),
    topUpRoute({ store, accounts: accountsOf(settings), nowMs: clock.nowMs }),
    webhooksListRoute(store.webhooks),
    webhooksAddRoute(subscriptions),
    ...faultRoutes(faults),
  ];
  for (const route of routes) serveAdmin(app, route);
  serveAdminLines(app, payoutsRoute(store));
}
