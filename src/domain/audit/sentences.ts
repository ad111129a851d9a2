import { counted } from '../text/counted.ts';
import { writtenMoneyText } from '../text/money-text.ts';
import { codeInSentence, stateInSentence } from '../text/state-words.ts';

/** Acts of people, rules and schedules. `BATCH` stands for the batch. */
const DECISIONS = {
  submit: 'submitted BATCH',
  'sign-submit': 'signed the submit of BATCH',
  'submit-rejected': 'tried to submit BATCH',
  approve: 'approved BATCH',
  'approve-rejected': 'tried to approve BATCH',
  refuse: 'refused BATCH',
  'refuse-rejected': 'tried to refuse BATCH',
  release: 'released BATCH for payment',
  hold: 'put BATCH on hold',
  resume: 'resumed BATCH',
  'resume-rejected': 'tried to resume BATCH',
  pause: 'paused BATCH',
  cancel: 'canceled BATCH',
  resolve: 'answered for a request with an unclear result',
  'resolve-rejected': 'tried to answer for a request with an unclear result',
  adopt: 'signed that the service has a request',
  'not-created': 'signed that the service does not have a request',
  resend: 'paid failed payments again',
  'resend-rejected': 'tried to pay failed payments again',
  'resend-refused': 'did not pay failed payments again',
  recover: 'recovered BATCH',
  'recover-rejected': 'tried to recover BATCH',
  prune: 'removed the rows of BATCH',
  'prune-files': 'removed the files of BATCH',
  'payees-import': 'imported payees',
  'payee-allow': 'allowed a payee',
  'payee-deny': 'denied a payee',
  'payee-name': 'named a payee',
  'payee-email': 'changed the e-mail address of a payee',
  'payee-label': 'labeled a payee',
  'payee-forget': 'removed a payee from the register',
  'payee-notice-refused': 'could not send notices to payees',
  'payee-notice-unclear': 'may not have sent notices to payees',
  'schedule-create': 'made a schedule',
  'schedule-delete': 'deleted a schedule',
  'schedule-pause': 'paused a schedule',
  'schedule-resume': 'resumed a schedule',
  'schedule-recover': 'recovered a schedule',
  'schedule-trigger': 'started a run of a schedule',
  'schedule-trigger-rejected': 'tried to start a run of a schedule',
  'schedule-backfill': 'started missed runs of a schedule',
  'schedule-backfill-rejected': 'tried to start missed runs of a schedule',
  'schedule-run': 'began a run of a schedule',
  'schedule-run-failed': 'could not begin a run of a schedule',
  'schedule-run-missed': 'missed a run of a schedule',
  'schedule-run-refused': 'refused a run of a schedule',
  'store-older': 'stated that the store is an older copy',
  'store-restored': 'restored the store from a backup',
  'store-serves': 'gave the queue of the workers to this store',
  'store-succeeds': 'put this store in the place of another',
  'distrust-lookups': 'found that searches at the service miss payments',
} as const;

/** Steps of the engine; `bursar audit --all` lists them. */
const STEP_SENTENCES: Readonly<Record<string, string>> = {
  take: 'took the file of BATCH',
  read: 'read the file of BATCH',
  plan: 'planned BATCH',
  fees: 'stored the fees that the service quoted for BATCH',
  send: 'sent a request',
  answer: 'stored the answer to a request',
  lookup: 'searched for a request at the service',
  found: 'found a request at the service',
  reject: 'stored that the service refused a request',
  close: 'closed a request that was not sent',
  'close-unsent': 'closed the requests that were not sent',
  abandon: 'gave a request up',
  'ask-operator': 'asked an operator about a request',
  'withdraw-question': 'withdrew the question about a request',
  'drop-answer': 'dropped the answer for a request',
  settle: 'stored the outcomes of a request',
  disown: 'found that the service has another request under this key',
  reopen: 'reopened a request that the service changed',
  amend: 'corrected outcomes after the report',
  'found-late': 'found a request after the report',
  'set-times': 'stored how long a request is in its state',
  bar: 'blocked the resend of a request',
  verify: 'verified a request after a restore of the store',
  unverify: 'withdrew the verification of a request',
  resent: 'stored that rows are paid again',
  returned: 'released rows for another resend',
  report: 'wrote the report of BATCH',
  'report-version': 'wrote a new version of the report of BATCH',
  end: 'ended BATCH',
  'check-balance': 'compared the balance of the account',
  head: 'stored the end of the log of a batch',
  'close-log': 'closed the first log',
};

const NOT_ALLOWED = 'not allowed';

const isRefused = (action: string): boolean => action.endsWith('-rejected');

/** The decisions by their action. `batch`: the words for the batch, such as `the batch`. */
export const decisionSentences = (
  batch: string,
): Readonly<Record<keyof typeof DECISIONS, string>> =>
  Object.fromEntries(
    Object.entries(DECISIONS).map(([action, text]) => [
      action,
      `${text.replace('BATCH', batch)}${isRefused(action) ? ` (${NOT_ALLOWED})` : ''}`,
    ]),
  ) as Record<keyof typeof DECISIONS, string>;

type Entry = Readonly<{
  actor: string;
  action: string;
  batchId: string | null;
  detail: Readonly<Record<string, unknown>>;
}>;

/**
 * An entry of the audit log as a sentence.
 *
 * @example auditSentence(entry) // bob approved batch payroll (digest 3bdf1c2a...): checked with HR
 */
export function auditSentence({ actor, action, batchId, detail }: Entry): string {
  const sentences: Readonly<Record<string, string>> = { ...DECISIONS, ...STEP_SENTENCES };
  const text = sentences[action] ?? codeInSentence(action.replaceAll('-', '_'));
  const batch = `batch ${batchId ?? ''}`;
  const named = text.replace('BATCH', batch);
  const isNamed = batchId === null || named !== text;
  const facts = [...(isRefused(action) ? [NOT_ALLOWED] : []), ...factsOf(detail, action)];
  const about = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const reason = reasonOf(detail);
  return `${actor} ${named}${isNamed ? '' : ` in ${batch}`}${about}${reason === '' ? '' : `: ${reason}`}`;
}

/** Returns the reason of a person, or the refusal of the engine; empty when there is none. */
function reasonOf(detail: Readonly<Record<string, unknown>>): string {
  const given = [detail['reason'], detail['note'], detail['what']];
  return given.find((text): text is string => typeof text === 'string') ?? '';
}

type Show = (value: unknown, action: string) => string | undefined;

/** The facts of an entry that people read, in this order. JSON has all. */
const FACTS: Readonly<Record<string, Show>> = {
  digest: asDigest,
  subject: asDigest,
  scheduleId: asText,
  run: (value) => withName('run', value),
  parentBatchId: (value) => withName('resend of', value),
  payee: asText,
  person: asText,
  kind: (value) => asCode(value),
  chunk: (value) => withName('chunk', value),
  n: (value, action) => withName(HOLD_ACTIONS.includes(action) ? 'hold' : 'attempt', value),
  outcome: (value) => asCode(value),
  result: (value) => asCode(value),
  state: (value) => (typeof value === 'string' ? stateInSentence(value) : undefined),
  massPayoutId: (value) => withName('mass payout', value),
  httpStatus: (value) => withName('status', value),
  rows: (value) => {
    const rows: unknown = Array.isArray(value) ? value.length : value;
    return typeof rows === 'number' ? counted(rows, 'row') : undefined;
  },
  total: asMoney,
  totals: (value) => (Array.isArray(value) ? value.map(asMoney).join(', ') : undefined),
  version: (value) => withName('version', value),
  code: asText,
  errorCode: asText,
};

const HOLD_ACTIONS: readonly string[] = ['hold', 'resume', 'resume-rejected'];

const factsOf = (detail: Entry['detail'], action: string): string[] =>
  Object.entries(FACTS).flatMap(([name, show]) => {
    const shown = show(detail[name], action);
    return shown === undefined || shown === '' ? [] : [shown];
  });

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const withName = (name: string, value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? `${name} ${value}` : undefined;

const asCode = (value: unknown): string | undefined =>
  typeof value === 'string' ? codeInSentence(value.replaceAll('-', '_')) : undefined;

/** Hexadecimal digits of a digest that people compare. */
const DIGITS_SHOWN = 8;

function asDigest(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const digits = value.slice(value.indexOf(':') + 1);
  return `digest ${digits.slice(0, DIGITS_SHOWN)}...`;
}

function asMoney(value: unknown): string | undefined {
  return typeof value === 'string' ? writtenMoneyText(value) : undefined;
}
