/** The text of an event, and the commands that help then; `{batchId}` and the like stand for values of its data. */
type EventEntry = Readonly<{ tells: string; commands: readonly string[] }>;

const RESEND = 'bursar resend {resendBatchId}';
const SUBMIT = 'bursar submit FILE --id {newBatchId}';
const STATUS = 'bursar status {batchId}';
const REPORT = 'bursar report {batchId}';
const SCHEDULE = 'bursar schedule show {scheduleId}';
const WEBHOOKS = 'bursar webhooks status';
const ENSURE = 'bursar webhooks ensure';

/** All events of notifications. A name is never renamed or given another meaning: receivers rely on it. */
export const NOTIFY_EVENTS = {
  'batch.awaiting_approval': {
    tells: 'a batch waits until enough people have approved it',
    commands: [STATUS, 'bursar approve {batchId}', 'bursar refuse {batchId}'],
  },
  'batch.awaiting_funds': {
    tells: 'the account holds too little for a batch, which waits for a top-up',
    commands: [STATUS],
  },
  'batch.held': {
    tells: 'a batch is on hold, and sends nothing more until a person resumes or approves it',
    commands: [STATUS, 'bursar {goesOnBy} {batchId}'],
  },
  'batch.needs_operator': {
    tells: 'a person must find the result of a request, or check a mass payout',
    commands: [STATUS],
  },
  'batch.completed': { tells: 'every row of a batch was paid', commands: [REPORT] },
  'batch.partial': {
    tells: 'a batch ended, and some of its rows were not paid or are unknown',
    commands: [REPORT, RESEND],
  },
  'batch.failed': {
    tells: 'a batch ended without any row paid',
    commands: [REPORT, RESEND, SUBMIT],
  },
  'batch.canceled': { tells: 'a person stopped a batch', commands: [REPORT] },
  'batch.refused': { tells: 'an approver refused a batch', commands: [REPORT] },
  'batch.rejected': { tells: 'the file of a batch was rejected', commands: [REPORT] },
  'report.changed': {
    tells: 'the report of an ended batch has changed',
    commands: [REPORT],
  },
  'schedule.missed': { tells: 'a run of a schedule did not start in time', commands: [SCHEDULE] },
  'schedule.failed': {
    tells: 'a run of a schedule could not start, or its file was rejected',
    commands: [SCHEDULE],
  },
  'webhooks.near_block': {
    tells: "deliveries to Bursar's webhook subscription fail, and the service may soon block it",
    commands: [WEBHOOKS],
  },
  'webhooks.blocked': {
    tells:
      "the service has blocked Bursar's webhook subscription; only its own interface unblocks it",
    commands: [WEBHOOKS],
  },
  'webhooks.disabled': { tells: "Bursar's webhook subscription is disabled", commands: [ENSURE] },
  'webhooks.incomplete': {
    tells: "Bursar's webhook subscription lacks events that it needs",
    commands: [ENSURE],
  },
  'webhooks.missing': { tells: 'Bursar has no webhook subscription', commands: [ENSURE] },
  'webhooks.silent': {
    tells: 'mass payouts changed, and no webhook arrived',
    commands: [WEBHOOKS, 'bursar doctor'],
  },
  'webhooks.recovered': { tells: 'webhooks arrive again', commands: [WEBHOOKS] },
  'store.is_another': {
    tells: 'a worker has another store than its task queue, and refuses all work',
    commands: ['bursar doctor', 'bursar recover'],
  },
  'store.is_older': {
    tells:
      'the store is an older copy, so each request is searched for at the service before it is sent',
    commands: ['bursar list', 'bursar recover --store older'],
  },
  'notify.given_up': {
    tells: 'a notification could not be delivered for days, and Bursar does not try again',
    commands: ['bursar doctor --send-test'],
  },
  'notify.test': { tells: 'a person tests whether notifications arrive', commands: [] },
} as const satisfies Readonly<Record<string, EventEntry>>;

export type NotifyEvent = keyof typeof NOTIFY_EVENTS;

export const isNotifyEvent = (name: string): name is NotifyEvent =>
  Object.hasOwn(NOTIFY_EVENTS, name);

/** Amounts are texts such as `1000.5 USDT_TRC20`, instants ISO 8601 in UTC, numbers counts. Never an address or a secret. */
export type NotifyValue = string | number | boolean | null | readonly string[];
export type NotifyData = Readonly<Record<string, NotifyValue>>;

/** An event for people. */
export type NotifiableEvent = Readonly<{
  event: NotifyEvent;
  batchId: string | null;
  /** Identifies the event within this type and batch: one key is sent once. */
  key: string;
  data: NotifyData;
}>;
