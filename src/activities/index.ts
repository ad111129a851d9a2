import { createAftercareActivities } from './recheck/post-report.ts';
import { createApprovalActivities } from './control/approvals.ts';
import { createBalanceActivities, createBalanceGuard } from './funds/balance.ts';
import { createConfirmActivities } from './recheck/confirm-unpaid.ts';
import { createControlActivities } from './control/controls.ts';
import { createFundsActivities } from './funds/funds.ts';
import { createIngestActivities } from './ingest/ingest.ts';
import { notify } from './notifications/notify.ts';
import { createPayeeNoticeTask } from './notices/payee-notices.ts';
import { createPlanSeal } from './plan/plan-integrity.ts';
import { createReportActivities } from './report/report.ts';
import { createResendGate } from './send/resend-gate.ts';
import { checkSchedules } from './schedules/check-schedules.ts';
import { createTimetables } from './schedules/timetables.ts';
import { createScheduleActivities } from './schedules/schedules.ts';
import { type CreateLeases, createLeases } from './send/create-leases.ts';
import { createSendActivities } from './send/send-activities.ts';
import { observeSends, type SendMeter } from './send/observe-sends.ts';
import { createReadableEndsCheck, type ReadableEndsDeps } from './service/readable-ends.ts';
import type { Service } from './service/service.ts';
import { openSteadyClock } from './shared/steady-clock.ts';
import { type Mail, sendMail } from './smtp/send-mail.ts';
import { createFirstReader, createSettleActivities } from './settle/settle.ts';
import {
  createHousekeepingActivities,
  type NotificationDeps,
  notificationDepsOf,
} from './housekeeping/housekeeping.ts';
import { createAuditHeadTask } from './housekeeping/audit-head.ts';
import type { HousekeepingTask } from './housekeeping/task.ts';
import { createOwnWalletRound } from './housekeeping/own-wallet-check.ts';
import { createUploadRound } from './housekeeping/upload-round.ts';
import {
  type ApiAccess,
  loadNoticeTemplate,
  readBridgeTokens,
  readChatAddress,
  readNotifyKeys,
  readSecretFile,
  type Settings,
} from '../config.ts';
import { batchWorkflowId } from '../contract/names.ts';
import { workflowPage } from '../contract/web-pages.ts';
import { doublePaymentNews } from '../domain/notify/engine-news.ts';
import type { NotifiableEvent } from '../domain/notify/events.ts';
import { filesPlaceOf } from '../domain/store/files-url.ts';
import type { RecordSpan } from '../domain/tracing/span.ts';
import type { DoublePayment } from '../domain/report/report.ts';
import { leaseMsOf } from '../domain/sending/create-leases.ts';
import { createFiles, type Files } from '../files/index.ts';
import type { EarlyReports } from '../report/early/early-reports.ts';
import type { UnsentList } from '../store/sending/unsent-list.ts';
import type { SpoolGlance } from '../store/webhooks/spool-glance.ts';
import type { Store } from '../store/index.ts';

/** The service's clock and ours may differ by this much when neither setting nor enough answers show it. Milliseconds. */
const SKEW_MS_UNKNOWN = 180_000;

/** What notifications need of a worker. */
type NotificationParts = Readonly<{
  settings: Settings;
  store: Store;
  service: Service;
  namespace: string;
  /** The environment of this process; commands that are notification targets get little of it. */
  env: Readonly<Record<string, string | undefined>>;
}>;

export type WorkerParts = NotificationParts &
  Readonly<{
    access: ApiAccess;
    tryReads: ReadableEndsDeps['tryReads'];
    spool: Pick<SpoolGlance, 'lastReceivedAtMs'>;
    unsent: UnsentList;
    /** The report lines that are written beside the payments; by default all are written at the end. */
    early?: EarlyReports;
    /** See `SendDeps`. */
    mayGoOn: () => boolean;
    /** Where events of schedules are logged. */
    log?: Readonly<{ warn(facts: object, message: string): void }> | undefined;
    /** Count creates and lookups. */
    meters?: SendMeter | undefined;
    /** Takes the spans of traces. */
    record?: RecordSpan | undefined;
  }>;

export type WorkerActivities = ReturnType<typeof createActivities>;

/** The settings that decide about a create in doubt. */
function sendPolicyOf(access: ApiAccess) {
  const { timestampWindowMs, fenceMarginMs, resend, requestTimeoutMs } = access;
  const skewMs = access.skewMs ?? SKEW_MS_UNKNOWN;
  return { timestampWindowMs, fenceMarginMs, resend, requestTimeoutMs, skewMs };
}

/** Every activity of a worker. */
export function createActivities(parts: WorkerParts) {
  const { settings, access, store, service } = parts;
  const nowMs = Date.now;
  const blobs = createFiles(settings.blob.url);
  const { approval } = settings.rules;
  const seal = createPlanSeal(store);
  const notifications = createNotifications(parts);
  const alarm = (batchId: string, rows: readonly DoublePayment[]): Promise<void> =>
    notify(notifications, doublePaymentNews(batchId, rows));
  const mending = {
    store,
    service,
    nowMs,
    alarm,
    audit: store.audit,
    notify: (news: NotifiableEvent) => notify(notifications, news),
    reportDir: settings.report.dir,
    blobs,
  };
  const schedules = scheduleDeps(parts, blobs, notifications);
  const settling = settleDeps(parts, mending.notify);
  const accountOf = (): string => access.account;
  const { followDays } = settings.report;
  return {
    ...createIngestActivities({ ...mending, rules: settings.rules, accountOf }),
    ...createConfirmActivities(mending),
    ...createAftercareActivities({ ...mending, followDays }),
    ...createFundsActivities({ store, service, nowMs, requireReadableEnds: endsCheckOf(parts) }),
    ...createControlActivities({ store, policy: approval, nowMs }),
    ...createApprovalActivities({ store, policy: approval, nowMs }),
    ...createSendActivities({
      store,
      service,
      seal,
      confirmResend: createResendGate(mending),
      policy: sendPolicyOf(access),
      createFields: access.shapes.createRequires,
      sendBudgetMs: access.sendBudgetMs,
      nowMs,
      mayGoOn: parts.mayGoOn,
      notify: mending.notify,
      readClock: openSteadyClock(),
      unsent: parts.unsent,
      leases: leasesOf(parts),
      observer: observeSends({ meter: parts.meters, record: parts.record }),
      firstReader: createFirstReader(settling),
    }),
    ...createSettleActivities(settling),
    ...createReportingActivities(parts, blobs),
    ...createScheduleActivities(schedules),
    ...createHousekeepingActivities({
      store,
      service,
      taskQueue: settings.temporal.taskQueue,
      nowMs,
      hooks: () => hooksOf(settings),
      lastReceivedAtMs: parts.spool.lastReceivedAtMs,
      tasks: [
        createOwnWalletRound({ store, service, nowMs }),
        { name: 'schedules', run: () => checkSchedules(schedules) },
        ...auditHeadTasks(parts),
        createUploadRound({ store, blobs, nowMs }),
      ],
      lastTasks: payeeNoticeTasks(parts),
      everyMs: settings.watch.everyMs,
      notifications: notifications,
    }),
  };
}

const hooksOf = ({ bridge }: Settings) => ({
  publicUrl: bridge.publicUrl ?? null,
  tokens: readBridgeTokens(bridge.tokenFile),
});

/** The check that the service shows how payments end. */
const endsCheckOf = ({ access, store, service, tryReads }: WorkerParts): (() => Promise<void>) =>
  createReadableEndsCheck({
    store,
    service,
    isStated: access.shapes.massGetAccepts !== undefined,
    nowMs: Date.now,
    tryReads,
  });

/** The limit of the account for creates under way; undefined where the settings name none. */
function leasesOf({ access, store, service, log }: WorkerParts): CreateLeases | undefined {
  const { createsInFlight: limit } = access;
  if (limit === undefined) return undefined;
  return createLeases({
    store,
    account: service.account,
    limit,
    forMs: leaseMsOf(access),
    nowMs: Date.now,
    warn: (error) => log?.warn({ error }, 'the lease of a create ends by itself'),
  });
}

/** Nothing where the settings name no second place for the end of the audit log. */
function auditHeadTasks({ settings: { audit }, store }: WorkerParts): HousekeepingTask[] {
  const { headUrl: url, headSecretFile: secretFile } = audit;
  if (url === undefined) return [];
  const target = { name: 'audit.head_url', events: [], ...(secretFile && { secretFile }) };
  const readKeys = () => readNotifyKeys(target);
  return [createAuditHeadTask({ store, url, readKeys, nowMs: Date.now })];
}

/** Nothing where the settings name no template. @throws NOTICE_TEMPLATE_UNREADABLE, NOTICE_TEMPLATE_INVALID */
function payeeNoticeTasks({ settings, store, service }: WorkerParts): HousekeepingTask[] {
  const { templateFile, since, smtp, from, secretFile = '', perMinute } = settings.notices;
  if (templateFile === undefined || since === undefined) return [];
  if (smtp === undefined || from === undefined) return [];
  const server = { smtp, readPassword: () => readSecretFile(secretFile) };
  const { account } = service;
  const template = loadNoticeTemplate(templateFile);
  const send = (mail: Mail) => sendMail(server, mail);
  const task = { store, account, template, since, from, perMinute, send, nowMs: Date.now };
  return [createPayeeNoticeTask(task)];
}

const bucketOf = ({ schedule: { folder } }: Settings): Files | null =>
  filesPlaceOf(folder)?.kind === 'bucket' ? createFiles(folder) : null;

/** The dependencies of the schedule activities. Events of schedules also go to the log of the worker. */
function scheduleDeps(
  { settings, store, log }: WorkerParts,
  blobs: Files,
  notifications: NotificationDeps,
) {
  return {
    store,
    blobs,
    nowMs: Date.now,
    timetables: createTimetables(),
    policy: settings.rules.approval,
    folder: settings.schedule.folder,
    bucket: bucketOf(settings),
    async notify(news: NotifiableEvent): Promise<void> {
      const { what, fix } = news.data;
      log?.warn({ event: news.event, fix: String(fix) }, String(what));
      await notify(notifications, news);
    },
  };
}

/** The dependencies of the activities that follow mass payouts to their ends. */
const settleDeps = (
  parts: WorkerParts,
  notifyPeople: (news: NotifiableEvent) => Promise<void>,
) => ({
  ...balanceDeps(parts),
  fence: parts.access,
  readClock: openSteadyClock(),
  notify: notifyPeople,
  guardBalance: createBalanceGuard(balanceDeps(parts)),
  early: parts.early,
});

const balanceDeps = ({ settings, store, service }: WorkerParts) => ({
  store,
  service,
  nowMs: Date.now,
  isShared: settings.funds.shared,
});

/** Compares the balance with the orders, and reports. */
function createReportingActivities(parts: WorkerParts, blobs: Files) {
  const { settings, store, early } = parts;
  const { checkBalance } = createBalanceActivities(balanceDeps(parts));
  const reportDir = settings.report.dir;
  return {
    checkBalance,
    ...createReportActivities({ store, reportDir, blobs, nowMs: Date.now, checkBalance, early }),
  };
}

/** The notification targets, and their senders. */
export function createNotifications({
  settings,
  store,
  service,
  namespace,
  env,
}: NotificationParts): NotificationDeps {
  const ui = { uiUrl: settings.temporal.uiUrl, namespace };
  return notificationDepsOf({
    store,
    account: service.account,
    targets: settings.notify.targets.map((target) => ({
      ...target,
      readKeys: () => readNotifyKeys(target),
      readAddress: () => readChatAddress(target),
      readPassword: () => readSecretFile(target.secretFile ?? ''),
    })),
    env,
    pageOf: (batchId) => workflowPage(ui, batchWorkflowId(batchId)),
    webUrl: settings.web.url,
    nowMs: Date.now,
  });
}
