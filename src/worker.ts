import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Client } from '@temporalio/client';
import { Runtime, Worker, type WorkflowBundlePath } from '@temporalio/worker';
import { createPacedService } from './activities/paced-service.ts';
import type { Service } from './activities/service.ts';
import {
  type ApiAccess,
  loadSettings,
  readApiSecret,
  requireApi,
  type Settings,
} from './config.ts';
import { refuseOtherKeys } from './cli/engine/same-keys.ts';
import { loadTemporalPlace, type TemporalPlace, workerConverter } from './codec/temporal-place.ts';
import { housekeepingWorkflowId, WORKFLOW_HOUSEKEEPING } from './contract/housekeeping.ts';
import { connect, registerSearchAttributes } from './connect.ts';
import { isBursarError } from './domain/errors/bursar-error.ts';
import { PRIVATE_UMASK } from './domain/files/private-modes.ts';
import { ANSWER_BYTES_MAX } from './domain/plan/limits.ts';
import { createMerchantClient } from './merchant-api/index.ts';
import { openSpoolGlance } from './store/spool-glance.ts';
import { openStore, type Store } from './store/store.ts';
import { createActivities } from './worker-activities.ts';
import { WORKER_LIMITS } from './worker-limits.ts';

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
