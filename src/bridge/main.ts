import type { Logger } from 'pino';
import { createTokens, loadBridgeTokens, loadSettings, type Settings } from '../config.ts';
import { loadTemporalAccess } from '../codec/temporal-access.ts';
import { createLog } from '../monitoring/log.ts';
import { type AdminPort, openAdminPort } from '../admin-port.ts';
import { listenOn, runProgram } from '../serve.ts';
import { openTracing } from '../tracing.ts';
import type { Access } from '../store/database/decide.ts';
import type { RecordSpan } from '../domain/tracing/span.ts';
import { createFundStore } from '../store/funds/claims.ts';
import { createWriteProbe } from '../store/housekeeping/write-probe.ts';
import { createIdentityStore } from '../store/restore/identity.ts';
import { createRoutes } from '../store/webhooks/routes.ts';
import { createSpool, SHARED_SPOOL_LIMITS, SPOOL_LIMITS } from '../store/webhooks/spool.ts';
import { openLeadership } from '../store/engine/leader.ts';
import { isPostgresUrl, storeFile } from '../domain/store/store-url.ts';
import { spoolUrlOf } from '../store/webhooks/spool-glance.ts';
import { openDatabase } from '../store/engine/open-database.ts';
import { bridgeChecks } from './checks.ts';
import { systemClock as clock } from './clock.ts';
import { createForwarder } from './forwarder.ts';
import { createLastAttempts } from './last-attempts.ts';
import { measuredSpool, type WebhookObserver } from './measured-spool.ts';
import { createBridgeServer } from './server.ts';
import { createStoreCheck } from './store-check.ts';
import { connectLazily } from './temporal-client.ts';
import { createWebhookTrail, type WebhookTrail } from './webhook-trail.ts';

/** When the bridge stops, open requests get this time to end, in milliseconds. */
const STOP_SENDERS_MS = 1_000;
/** The process exits after this time at the latest, in milliseconds. The spool is on disk. */
const STOP_MS = 4_500;

async function main(): Promise<void> {
  const settings = loadSettings({ env: process.env, cwd: () => process.cwd() });
  const log = createLog('bridge', settings.log.level);
  const bridge = await createBridge(settings, log);
  const stop = (): void => {
    setTimeout(() => process.exit(0), STOP_MS).unref();
    void bridge.stop();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const url = await bridge.listen();
  process.stdout.write(`bridge listening on ${url}\n`);
}

async function createBridge(settings: Settings, log: Logger) {
  const tokens = createTokens(loadBridgeTokens(settings.bridge.tokenFile));
  const store = await openDatabase(settings.store.url);
  const spoolStore = await openDatabase(spoolUrlOf(settings.store.url));
  const isShared = isPostgresUrl(settings.store.url);
  const spool = createSpool(spoolStore, isShared ? SHARED_SPOOL_LIMITS : SPOOL_LIMITS);
  const leadership = await openLeadership(settings.store.url, 'forwarding webhooks');
  // The first count reads the whole spool. The first webhook must not wait for it.
  await spool.counts();
  const temporal = connectLazily(loadTemporalAccess(settings, process.env));
  const { account } = settings.api;
  const storeCheck = createStoreCheck({
    identity: createIdentityStore(store),
    file: storeFile(settings.store.url),
    taskQueue: settings.temporal.taskQueue,
    readServedStore: () => temporal.readServedStore(settings.temporal.taskQueue),
    clock,
    log,
  });
  const { refusal } = storeCheck;
  const admin = await openAdminPort(settings, 'bridge', {
    checks: bridgeChecks({ settings, temporal, refusal, probeWrite: createWriteProbe(spoolStore) }),
    readSpool: spool.counts,
  });
  const tracing = await openTracing(process.env, 'bridge', log);
  const trail = openTrail(store, log, tracing.record);
  const forwarder = createForwarder({
    spool: measuredSpool(spool, observerOf(admin.meters, trail)),
    routes: createRoutes(store.db),
    claims: createFundStore(store),
    temporal,
    clock,
    log,
    refusal,
    leads: leadership.leads,
    ...(trail !== undefined && { onMatched: trail.matched }),
    ...(account !== undefined && { account }),
  });
  const forwarding = forwarder.status;
  const server = createBridgeServer({ spool, tokens, forwarding, refusal, clock, log });
  return {
    async listen(): Promise<string> {
      // Without Temporal the check has no result, and the bridge takes webhooks.
      await storeCheck.check();
      const url = await listenOn(server, settings.bridge.listen, {
        name: 'the bridge',
        setting: 'bridge.listen',
      });
      storeCheck.start();
      forwarder.start();
      return url;
    },
    async stop(): Promise<void> {
      const cutOff = setTimeout(() => server.server.closeAllConnections(), STOP_SENDERS_MS);
      await server.close();
      clearTimeout(cutOff);
      await forwarder.stop();
      await trail?.close();
      await tracing.close();
      await leadership.close();
      await storeCheck.stop();
      await admin.close();
      await temporal.close();
      await Promise.all([store.close(), spoolStore.close()]);
    },
  };
}

/** The trail of webhooks reads the store, so it is made only where something shows it. */
function openTrail(
  store: Access,
  log: Logger,
  record: RecordSpan | undefined,
): WebhookTrail | undefined {
  if (record === undefined && !log.isLevelEnabled('debug')) return undefined;
  return createWebhookTrail({ lastAttempt: createLastAttempts(store), log, record });
}

/** Passes the end of each webhook to those that are there. */
function observerOf(
  meters: AdminPort['meters'],
  trail: WebhookTrail | undefined,
): WebhookObserver | undefined {
  if (meters === undefined && trail === undefined) return undefined;
  return (webhook) => {
    meters?.webhook(webhook.state, webhook.endedAtMs - webhook.receivedAtMs);
    trail?.ended(webhook);
  };
}

await runProgram(main);
