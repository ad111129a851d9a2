import { lookupServiceName } from './domain/sending/lookup-service.ts';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Client } from '@temporalio/client';
import { Worker, type WorkflowBundlePath } from '@temporalio/worker';
import { refuseClearActivities } from './activities/shared/clear-payloads.ts';
import { createPacedService } from './activities/service/paced-service.ts';
import type { Service } from './activities/service/service.ts';
import { openSteadyClock } from './activities/shared/steady-clock.ts';
import { startUnsentList } from './activities/send/end-unsent.ts';
import { NO_UNSENT_LIST } from './store/sending/unsent-list.ts';
import {
  createStoreGuard,
  guardActivities,
  type StoreGuard,
} from './activities/shared/store-guard.ts';
import { runSinks, traceActivities } from './activities/shared/tracing.ts';
import { notify } from './activities/notifications/notify.ts';
import {
  type ApiAccess,
  loadSettings,
  clientOptions,
  requireApi,
  type Settings,
} from './config.ts';
import { refuseOtherKeys } from './operations/engine/same-keys.ts';
import { startHousekeeping } from './operations/engine/served-store.ts';
import {
  loadTemporalAccess,
  type TemporalAccess,
  workerConverter,
} from './codec/temporal-access.ts';
import { connect, registerSearchAttributes } from './connect.ts';
import { workerName } from './contract/store.ts';
import { isBursarError } from './domain/errors/bursar-error.ts';
import { PRIVATE_UMASK } from './domain/files/private-modes.ts';
import { ANSWER_BYTES_MAX } from './domain/plan/limits.ts';
import type { NotifiableEvent } from './domain/notify/events.ts';
import type { StoreRef } from './domain/store/identity.ts';
import { maskedUrl } from './domain/text/masked-url.ts';
import {
  createMerchantClient,
  type KnownPayout,
  type MerchantClient,
  tryReads,
} from '@bursar/merchant-api';
import type { ShapeChoices } from '@bursar/merchant-api/spec';
import { openSpoolGlance } from './store/webhooks/spool-glance.ts';
import { storeFile } from './domain/store/store-url.ts';
import { createLog } from './monitoring/log.ts';
import { openStore, type Store } from './store/index.ts';
import { createActivities, createNotifications } from './activities/index.ts';
import { createEarlyReports, type EarlyReports } from './report/early/early-reports.ts';
import { installRuntime } from './sdk-runtime.ts';
import { openTracing, type Tracing } from './tracing.ts';
import { WORKER_LIMITS } from './worker-limits.ts';
import { type AdminPort, openAdminPort } from './admin-port.ts';
import { createWorkerHealth, type WorkerHealth } from './worker-health.ts';
import { checkStore, followStore, type StoreEnd } from './worker-store.ts';
import { versionOptions, warnIfNotCurrent } from './worker-version.ts';

/**
 * How much more than its living objects V8's heap may hold before it is cleaned, in percent. Left to itself V8 lets
 * rows and payloads that are done with pile up to four times as much; this keeps memory flat, and costs no time that
 * could be measured.
 */
const HEAP_GROWTH_PERCENT = 40;

/** Connections to the service: for the creates of a group, the lookups of the chunks after them, and the reads beside. */
const CONNECTIONS_MAX = 96;

/** Runs a worker until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  process.umask(PRIVATE_UMASK);
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const settings = loadSettings({ env: process.env, cwd: () => process.cwd() });
  const log = createLog('worker', settings.log.level);
  for (const warning of settings.warnings) log.warn(warning);
  const access = requireApi(settings);
  const place = loadTemporalAccess(settings, process.env);
  const health = createWorkerHealth(settings);
  const admin = await openAdminPort(settings, 'worker', health);
  const { meters, sdkAddress } = admin;
  const tracing = await openTracing(process.env, 'worker', log);
  const { record } = tracing;
  const started = { settings, access, health, meters, sdkAddress, record, log };
  try {
    while ((await runWithStore(started, place)) === 'replaced');
  } finally {
    await closeAll([tracing, admin]);
  }
}

type Started = Readonly<{
  settings: Settings;
  access: ApiAccess;
  health: WorkerHealth;
  /** Count events where an admin port is open. */
  meters: AdminPort['meters'];
  sdkAddress: AdminPort['sdkAddress'];
  /** Takes the spans of traces where those are on. */
  record: Tracing['record'];
  log: Log;
}>;

type Log = ReturnType<typeof createLog>;

/** Runs a worker until it is stopped, or until the file of its store is another one. */
async function runWithStore(started: Started, place: TemporalAccess): Promise<StoreEnd> {
  const { settings, health, meters, log } = started;
  const { namespace, dataConverter } = place;
  const { taskQueue } = settings.temporal;
  const store = await openStore(settings.store.url, Date.now, meters);
  const spool = await openSpoolGlance(settings.store.url);
  const service = openService(started, store);
  let unsent = NO_UNSENT_LIST;
  const early = openEarlyReports(started);
  installRuntime(started);
  const connection = await connect(place, log);
  try {
    const client = new Client({ connection, namespace, dataConverter });
    if (!place.isEncrypted) await checkKeys(client, settings, log);
    const guard = createStoreGuard({ store, file: storeFile(settings.store.url), taskQueue });
    let atWork: Worker | undefined;
    const mayGoOn = (): boolean =>
      atWork?.getState() === 'RUNNING' && !guard.isClosed() && !guard.isReplaced();
    const { env } = process;
    const reads = { tryReads: readTrials(started, service) };
    const parts = { ...started, ...reads, store, spool, service, early, namespace, mayGoOn, env };
    const notifications = createNotifications(parts);
    const ofStore = {
      client,
      taskQueue,
      store,
      guard,
      log,
      notify: (news: NotifiableEvent) => notify(notifications, news),
    };
    const refusal = await checkStore(ofStore);
    await registerSearchAttributes(connection, namespace, log);
    const ref = await store.identity.ref();
    const { clock } = openSteadyClock()();
    const ground = { storeUrl: settings.store.url, clock, epoch: ref.epoch ?? 0 };
    if (refusal === null) unsent = await startUnsentList({ store, log }, ground);
    const worker = await Worker.create({
      ...versionOptions(settings),
      connection,
      namespace,
      taskQueue,
      identity: workerName(`${process.pid}@${hostname()}`, ref.id),
      activities: createActivities({ ...parts, unsent }),
      interceptors: { activity: activityInterceptors(started, guard) },
      sinks: runSinks(started.record),
      workflowBundle: workflowBundle(place),
      dataConverter: workerConverter(place),
      ...WORKER_LIMITS,
    });
    atWork = worker;
    health.use({ store, guard, connection, worker });
    const running = worker.run();
    process.stdout.write('worker ready\n');
    const [, , end] = await Promise.all([
      running,
      beginHousekeeping({ client, log }, settings, ref),
      followStore(ofStore, { worker, running, refusal }),
      warnIfNotCurrent(connection, { namespace, settings }, log),
    ]);
    return end;
  } finally {
    await closeAll([connection, service.api, early, spool, unsent, store]);
  }
}

/** The span of an activity covers the work of the guard too. */
const activityInterceptors = ({ record }: Started, guard: StoreGuard) => [
  refuseClearActivities,
  ...(record === undefined ? [] : [() => traceActivities(record)]),
  () => guardActivities(guard),
];

/** Closes one after the other. */
async function closeAll(parts: readonly Readonly<{ close(): unknown }>[]): Promise<void> {
  for (const part of parts) await part.close();
}

/** Writes report lines beside the payments. Where that fails, all are written at the end. */
const openEarlyReports = ({ settings, log }: Started): EarlyReports =>
  createEarlyReports({
    storeUrl: settings.store.url,
    reportDir: settings.report.dir,
    warn: (reason) =>
      log.warn({ reason: maskedUrl(reason) }, 'the lines of a report are written at its end'),
  });

/**
 * The build makes two bundles, since the text of a failure is handled within the workflow. Throws when a bundle is
 * missing.
 */
function workflowBundle({ isEncrypted }: TemporalAccess): WorkflowBundlePath {
  const name = isEncrypted ? 'workflow-bundle-encrypted.js' : 'workflow-bundle.js';
  const codePath = fileURLToPath(new URL(`../${name}`, import.meta.url));
  if (existsSync(codePath)) return { codePath };
  throw new Error(`The workflows are not built: ${codePath} is not there. Run "npm run build".`);
}

function openService({ settings, access, meters, log }: Started, store: Store): Service {
  const { baseUrl, account, requestsPerSecond } = access;
  const api = createMerchantClient({
    ...clientOptions(settings),
    responseBytesMax: ANSWER_BYTES_MAX,
    connectionsMax: CONNECTIONS_MAX,
  });
  const warn = (reason: string): void =>
    log.warn({ reason: maskedUrl(reason) }, 'a Retry-After is not stored');
  const pace = { baseUrl, account, requestsPerSecond, store, nowMs: Date.now, warn };
  const lookupName = lookupServiceName(access);
  return createPacedService({ api: withBalanceShown(api, meters), lookupName, ...pace });
}

/** How many reads of the service are tried in a second at most. They are sent one at a time. */
const TRIALS_PER_SECOND = 50;

/** Tries which reads of a mass payout the service understands, within the limit of the account. */
const readTrials =
  ({ settings }: Started, { pace: turn }: Service) =>
  (known?: KnownPayout, massGetAccepts?: ShapeChoices['massGetAccepts']) => {
    const options = clientOptions(settings);
    const shapes = { ...options.shapes, ...(massGetAccepts && { massGetAccepts }) };
    return tryReads(
      { ...options, shapes },
      { requestsPerSecond: TRIALS_PER_SECOND, turn, ...(known && { known }) },
    );
  };

/** The client whose reads of the balance also set the metric. */
function withBalanceShown(api: MerchantClient, meters: Started['meters']): MerchantClient {
  if (meters === undefined) return api;
  return {
    ...api,
    async readBalance(...input) {
      const answer = await api.readBalance(...input);
      for (const { currency, amount } of answer.value.balances) meters.balance(currency, amount);
      return answer;
    },
  };
}

/** Ends a worker without keys where others have them. A failed check is logged, and no more. */
async function checkKeys(client: Client, { temporal }: Settings, log: Log): Promise<void> {
  try {
    await refuseOtherKeys(client, temporal.taskQueue);
  } catch (error) {
    if (isBursarError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason: maskedUrl(reason) }, 'whether other workers encrypt could not be seen');
  }
}

/** How long Temporal may take to start housekeeping, in milliseconds. */
const START_MS_MAX = 10_000;

/** Starts housekeeping for the task queue, unless it runs. Batches do not need it, so its failure is only logged. */
async function beginHousekeeping(
  { client, log }: Readonly<{ client: Client; log: Log }>,
  { temporal }: Settings,
  store: StoreRef,
): Promise<void> {
  const { taskQueue } = temporal;
  try {
    await client.withDeadline(Date.now() + START_MS_MAX, () =>
      startHousekeeping(client, { taskQueue, store }, 'USE_EXISTING'),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ reason: maskedUrl(reason) }, 'housekeeping could not be started');
  }
}

main().catch((error: unknown) => {
  const text = isBursarError(error)
    ? `${error.code}: ${error.note.what}\n${error.note.why}\nFix: ${error.note.fix}`
    : String(error instanceof Error ? error.stack : error);
  // A runtime of the SDK without a connection never ends by itself, and neither would the process.
  process.stderr.write(`${maskedUrl(text)}\n`, () => process.exit(isBursarError(error) ? 2 : 1));
});
