import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Client } from '@temporalio/client';
import { Runtime, Worker, type WorkflowBundlePath } from '@temporalio/worker';
import { createApprovalGate } from './activities/approval-gate.ts';
import { createApprovalActivities } from './activities/approvals.ts';
import { createControlActivities } from './activities/controls.ts';
import { createAftercareActivities } from './activities/aftercare.ts';
import { refuseClearActivities } from './activities/clear-payloads.ts';
import { createConfirmActivities } from './activities/confirm-unpaid.ts';
import { createFundsActivities } from './activities/funds.ts';
import { createIngestActivities } from './activities/ingest.ts';
import { tell } from './activities/notify/tell.ts';
import { createPacedService } from './activities/paced-service.ts';
import { createReportActivities } from './activities/report.ts';
import { createResendGate } from './activities/resend-gate.ts';
import { watchSchedules } from './activities/rounds/schedules.ts';
import { createTimetables } from './activities/schedule/timetables.ts';
import { createScheduleActivities } from './activities/schedules.ts';
import { createPlanSeal } from './activities/plan-seal.ts';
import { createSendActivities } from './activities/send.ts';
import type { Service } from './activities/service.ts';
import { createSettleActivities } from './activities/settle.ts';
import { createUpkeepActivities, type Telling, tellingOf } from './activities/upkeep.ts';
import { createOwnWalletRound } from './activities/watch/own-wallet-round.ts';
import {
  type ApiAccess,
  loadSettings,
  readApiSecret,
  readBridgeTokens,
  readNotifyKeys,
  requireApi,
  type Settings,
} from './config.ts';
import { refuseOtherKeys } from './cli/engine/same-keys.ts';
import { loadTemporalPlace, type TemporalPlace, workerConverter } from './codec/temporal-place.ts';
import { housekeepingWorkflowId, WORKFLOW_HOUSEKEEPING } from './contract/housekeeping.ts';
import { connect, registerSearchAttributes } from './connect.ts';
import { batchWorkflowId } from './contract/names.ts';
import { workflowPage } from './contract/web-pages.ts';
import { isBursarError } from './domain/errors/bursar-error.ts';
import { doublePaymentNews } from './domain/notify/double-payment.ts';
import { PRIVATE_UMASK } from './domain/files/private-modes.ts';
import type { News } from './domain/notify/events.ts';
import { ANSWER_BYTES_MAX } from './domain/plan/limits.ts';
import type { DoublePayment } from './domain/report/report.ts';
import { createMerchantClient } from './merchant-api/index.ts';
import { createBlobStore } from './store/blobs.ts';
import { openSpoolGlance, type SpoolGlance } from './store/spool-glance.ts';
import { openStore, type Store } from './store/store.ts';
import { WORKER_LIMITS } from './worker-limits.ts';

/** The service's clock and ours may differ by this much when neither setting nor answers tell. Milliseconds. */
const SKEW_MS_UNKNOWN = 180_000;

/**
 * How much more than its living objects V8's heap may hold before it is cleaned, in percent. Left to itself V8 lets
 * rows and payloads that are done with pile up to four times as much; this keeps memory flat, and costs no time that
 * could be measured.
 */
const HEAP_GROWTH_PERCENT = 40;

/** Runs a worker until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  process.umask(PRIVATE_UMASK);
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const settings = loadSettings({ env: process.env, cwd: () => process.cwd() });
  for (const warning of settings.warnings) process.stderr.write(`${warning}\n`);
  const access = requireApi(settings);
  const place = loadTemporalPlace(settings, process.env);
  const { namespace, dataConverter } = place;
  Runtime.install({ telemetryOptions: { logging: { filter: { core: 'WARN', other: 'WARN' } } } });
  const store = await openStore(settings.store.url);
  const spool = await openSpoolGlance(settings.store.url);
  const service = openService(settings, access, store);
  const connection = await connect(place);
  try {
    const client = new Client({ connection, namespace, dataConverter });
    if (!place.isEncrypted) await checkKeys(client, settings);
    await registerSearchAttributes(connection, namespace);
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue: settings.temporal.taskQueue,
      activities: createActivities({ settings, access, store, spool, service, namespace }),
      workflowBundle: workflowBundle(place),
      dataConverter: workerConverter(place),
      interceptors: { activity: [refuseClearActivities] },
      ...WORKER_LIMITS,
    });
    const running = worker.run();
    process.stdout.write('worker ready\n');
    await Promise.all([running, startHousekeeping(client, settings)]);
  } finally {
    await connection.close();
    await service.api.close();
    await spool.close();
    await store.close();
  }
}

/** The build makes two, since what becomes of the words of a failure is decided within the workflow. Throws when it did not. */
function workflowBundle({ isEncrypted }: TemporalPlace): WorkflowBundlePath {
  const name = isEncrypted ? 'workflow-bundle-encrypted.js' : 'workflow-bundle.js';
  const codePath = fileURLToPath(new URL(`../${name}`, import.meta.url));
  if (existsSync(codePath)) return { codePath };
  throw new Error(`The workflows are not built: ${codePath} is not there. Run "npm run build".`);
}

function openService(settings: Settings, access: ApiAccess, store: Store): Service {
  const { baseUrl, key, account, endpoints, requestTimeoutMs, requestsPerSecond } = access;
  const api = createMerchantClient({
    baseUrl,
    key,
    secret: readApiSecret(settings),
    account,
    endpoints,
    requestTimeoutMs,
    responseBytesMax: ANSWER_BYTES_MAX,
  });
  return createPacedService({ api, baseUrl, account, requestsPerSecond, store, nowMs: Date.now });
}

type Parts = Readonly<{
  settings: Settings;
  access: ApiAccess;
  store: Store;
  spool: SpoolGlance;
  service: Service;
  namespace: string;
}>;

function createActivities(parts: Parts) {
  const { settings, access, store, service } = parts;
  const nowMs = Date.now;
  const { timestampWindowMs, fenceMarginMs, resend, sendBudgetMs, requestTimeoutMs } = access;
  const policy = {
    timestampWindowMs,
    fenceMarginMs,
    resend,
    requestTimeoutMs,
    skewMs: access.skewMs ?? SKEW_MS_UNKNOWN,
  };
  const blobs = createBlobStore(settings.blob.url);
  const gate = createApprovalGate(store);
  const seal = createPlanSeal(store);
  const telling = createTelling(parts);
  const alarm = (batchId: string, rows: readonly DoublePayment[]): Promise<void> =>
    tell(telling, doublePaymentNews(batchId, rows));
  const mending = {
    ...{ store, service, nowMs, alarm, audit: store.audit },
    tell: (news: News) => tell(telling, news),
    reportDir: settings.report.dir,
  };
  const schedules = {
    ...{ store, blobs, nowMs, timetables: createTimetables() },
    folder: settings.schedule.folder,
    async tell(news: News): Promise<void> {
      // Whoever reads the worker's log is told besides.
      process.stderr.write(
        `${news.event}: ${String(news.data['what'])} ${String(news.data['fix'])}\n`,
      );
      await tell(telling, news);
    },
  };
  const accountOf = (): string => access.account;
  const { dir: reportDir, followDays } = settings.report;
  return {
    ...createIngestActivities({ ...mending, blobs, rules: settings.rules, accountOf }),
    ...createConfirmActivities(mending),
    ...createAftercareActivities({ ...mending, followDays }),
    ...createFundsActivities({ store, service, nowMs }),
    ...createControlActivities({ store, gate, nowMs }),
    ...createApprovalActivities({ store, nowMs }),
    ...createSendActivities({
      store,
      service,
      ...{ gate, seal },
      confirmResend: createResendGate(mending),
      policy,
      sendBudgetMs,
      nowMs,
    }),
    ...createSettleActivities({ store, service, nowMs }),
    ...createReportActivities({ store, reportDir, nowMs }),
    ...createScheduleActivities(schedules),
    ...createUpkeepActivities({
      ...{ store, service, nowMs },
      hooks: () => ({
        publicUrl: settings.bridge.publicUrl ?? null,
        tokens: readBridgeTokens(settings.bridge.tokenFile),
      }),
      lastReceivedAtMs: parts.spool.lastReceivedAtMs,
      rounds: [
        createOwnWalletRound({ store, service, nowMs }),
        { name: 'schedules', run: () => watchSchedules(schedules) },
      ],
      everyMs: settings.watch.everyMs,
      telling,
    }),
  };
}

/** Who tells people, and how. */
function createTelling({ settings, store, service, namespace }: Parts): Telling {
  const ui = { uiUrl: settings.temporal.uiUrl, namespace };
  return tellingOf({
    store,
    account: service.account,
    targets: settings.notify.map((target) => ({
      ...target,
      readKeys: () => readNotifyKeys(target),
    })),
    env: process.env,
    pageOf: (batchId) => workflowPage(ui, batchWorkflowId(batchId)),
    nowMs: Date.now,
  });
}

/** Ends a worker without keys where others have them. That it cannot be seen is told, and no more. */
async function checkKeys(client: Client, { temporal }: Settings): Promise<void> {
  try {
    await refuseOtherKeys(client, temporal.taskQueue);
  } catch (error) {
    if (isBursarError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`whether other workers encrypt could not be seen (${reason})\n`);
  }
}

/** How long Temporal may take to start housekeeping, in milliseconds. */
const START_MS_MAX = 10_000;

/** Starts housekeeping for the task queue, unless it runs. Batches do not need it, so its failure is told and no more. */
async function startHousekeeping(client: Client, { temporal }: Settings): Promise<void> {
  const { taskQueue } = temporal;
  try {
    await client.withDeadline(Date.now() + START_MS_MAX, () =>
      client.workflow.start(WORKFLOW_HOUSEKEEPING, {
        workflowId: housekeepingWorkflowId(taskQueue),
        taskQueue,
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: 'looks after webhooks, schedules and notifications',
      }),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`housekeeping could not be started (${reason})\n`);
  }
}

main().catch((error: unknown) => {
  const text = isBursarError(error)
    ? `${error.code}: ${error.note.what}\n${error.note.why}\nFix: ${error.note.fix}`
    : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`${text}\n`);
  process.exitCode = isBursarError(error) ? 2 : 1;
});
