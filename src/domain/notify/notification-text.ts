import { amountText, moneyText } from '../text/money-text.ts';
import { type NotifyData, type NotifyEvent, NOTIFY_EVENTS, type NotifyValue } from './events.ts';

/** What people read of a notification: plain text without mark-up. */
export type NotificationText = Readonly<{
  subject: string;
  /** A sentence that says what happened. */
  happened: string;
  /** Ids, totals and counts, each with its label. */
  facts: readonly (readonly [label: string, value: string])[];
  /** Who must do what; null where nothing is needed. */
  wanted: string | null;
  commands: readonly string[];
  /** The page of the batch in the web app; null without `web.url`. */
  link: string | null;
}>;

/** `{batchId}` and `{scheduleId}` stand for values. `facts` names the only other data that people receive. */
type TextEntry = Readonly<{ subject: string; wanted: string | null; facts?: readonly string[] }>;

const TOTALS = ['amounts', 'rows', 'paid', 'failed', 'unknown', 'notSent'];
const OPERATOR_WEBHOOKS = 'Operator: check the webhook subscription.';
const OPERATOR_STORE = 'Operator: check the store of the worker.';

/** The texts of all events for people. Sentences that people typed and causes of errors are left out. */
const TEXTS: Readonly<Record<NotifyEvent, TextEntry>> = {
  'batch.awaiting_approval': {
    subject: 'Batch {batchId} is waiting for approval',
    wanted: 'Approvers: review the batch, then approve or refuse it.',
    facts: ['missing'],
  },
  'batch.awaiting_funds': {
    subject: 'Batch {batchId} is waiting for money',
    wanted: 'Finance: top up the account. The batch then goes on by itself.',
    facts: ['why'],
  },
  'batch.held': {
    subject: 'Batch {batchId} is on hold',
    wanted: 'Operator: find the cause, then let the batch go on or cancel it.',
    facts: ['kind'],
  },
  'batch.needs_operator': {
    subject: 'Batch {batchId} needs an operator',
    wanted: 'Operator: check the batch and answer its open questions.',
    facts: ['count'],
  },
  'batch.completed': { subject: 'Batch {batchId} is paid', wanted: null, facts: TOTALS },
  'batch.partial': {
    subject: 'Batch {batchId} is partly paid',
    wanted: 'Finance: read the report, and decide about the payments that were not made.',
    facts: TOTALS,
  },
  'batch.failed': {
    subject: 'Batch {batchId} failed: nothing was paid',
    wanted: 'Finance: read the report, and decide whether to pay again.',
    facts: TOTALS,
  },
  'batch.canceled': { subject: 'Batch {batchId} was canceled', wanted: null, facts: TOTALS },
  'batch.refused': { subject: 'Batch {batchId} was refused', wanted: null, facts: TOTALS },
  'batch.rejected': {
    subject: 'The file of batch {batchId} was rejected',
    wanted: 'Finance: correct the file and submit it again.',
  },
  'report.changed': {
    subject: 'The report of batch {batchId} has changed',
    wanted: 'Finance: read the new version of the report.',
    facts: ['version', 'state'],
  },
  'schedule.missed': {
    subject: 'Schedule {scheduleId} missed a run',
    wanted: 'Operator: check the schedule.',
  },
  'schedule.failed': {
    subject: 'A run of schedule {scheduleId} failed',
    wanted: 'Operator: check the schedule and its file.',
  },
  'webhooks.near_block': { subject: 'Webhooks are failing', wanted: OPERATOR_WEBHOOKS },
  'webhooks.blocked': {
    subject: 'Webhooks are blocked',
    wanted: 'Operator: unblock the subscription in the interface of the service.',
  },
  'webhooks.disabled': { subject: 'Webhooks are disabled', wanted: OPERATOR_WEBHOOKS },
  'webhooks.incomplete': { subject: 'Webhooks lack events', wanted: OPERATOR_WEBHOOKS },
  'webhooks.missing': { subject: 'There is no webhook subscription', wanted: OPERATOR_WEBHOOKS },
  'webhooks.silent': { subject: 'No webhooks are coming', wanted: OPERATOR_WEBHOOKS },
  'webhooks.recovered': { subject: 'Webhooks are coming again', wanted: null },
  'store.is_another': { subject: 'A worker has the wrong store', wanted: OPERATOR_STORE },
  'store.is_older': { subject: 'The store is an older copy', wanted: OPERATOR_STORE },
  'notify.given_up': {
    subject: 'A notification could not be delivered',
    wanted: 'Operator: check the target of the notification.',
    facts: ['of', 'target', 'attempts'],
  },
  'notify.test': { subject: 'Test notification', wanted: null },
};

const LABELS: Readonly<Record<string, string>> = {
  batchId: 'Batch',
  scheduleId: 'Schedule',
  missing: 'Approvals missing',
  why: 'Reason',
  kind: 'Kind of hold',
  count: 'Payments concerned',
  amounts: 'Paid',
  rows: 'Payments',
  paid: 'Payments made',
  failed: 'Payments failed',
  unknown: 'Payments unknown',
  notSent: 'Payments not sent',
  version: 'Version of the report',
  state: 'State',
  of: 'Event',
  target: 'Target',
  attempts: 'Attempts',
};

type Payload = Readonly<{ type: NotifyEvent; data: NotifyData }>;

/** The text of a stored notification. `body`: the JSON that `notificationOf` has made. */
export function notificationText(body: string): NotificationText {
  const { type, data } = JSON.parse(body) as Payload;
  const { subject, wanted, facts = [] } = TEXTS[type];
  const { commands, page } = data;
  return {
    subject: subject.replace(/\{(\w+)\}/g, (_place, name: string) => shownValue(data[name])),
    happened: `${NOTIFY_EVENTS[type].tells}.`.replace(/^./, (letter) => letter.toUpperCase()),
    facts: ['batchId', 'scheduleId', ...facts].flatMap((name) => factOf(name, data[name])),
    wanted,
    commands: typeof commands === 'object' && commands !== null ? commands : [],
    link: typeof page === 'string' ? page : null,
  };
}

/** Nothing for a value that is not there. */
const shownValue = (value: NotifyValue | undefined): string =>
  typeof value === 'object' && value !== null ? value.join(', ') : String(value ?? '');

function factOf(name: string, value: NotifyValue | undefined): (readonly [string, string])[] {
  const shown = name === 'amounts' ? amountsText(value) : shownValue(value);
  return shown === '' ? [] : [[LABELS[name] ?? name, shown]];
}

const PAID_OF = /^(\S+) of (\S+) (\S+)$/;

/** `9 of 12 BTC` of a batch, as people read amounts. */
const amountsText = (value: NotifyValue | undefined): string =>
  (typeof value === 'object' && value !== null ? value : []).map(amountLine).join(', ');

function amountLine(line: string): string {
  const [, paid, requested, currency] = PAID_OF.exec(line) ?? [];
  return paid === undefined || requested === undefined || currency === undefined
    ? line
    : `${amountText(paid, currency)} of ${moneyText(requested, currency)}`;
}

/** The text in lines, without its subject. */
export function plainLines(text: NotificationText): string[] {
  return [
    text.happened,
    '',
    ...text.facts.map(([label, value]) => `${label}: ${value}`),
    ...(text.wanted === null ? [] : ['', text.wanted]),
    ...(text.link === null ? [] : ['', text.link]),
    ...(text.commands.length === 0 ? [] : ['', ...text.commands.map((command) => `  ${command}`)]),
  ];
}
