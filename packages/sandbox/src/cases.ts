import type { AdminCase, AdminCaseStep, AdminEndpoint } from './admin/index.ts';
import { formatDecimal } from './core/decimal.ts';
import { Refused } from './core/refusals.ts';
import { modesRecord } from './modes.ts';
import type { SandboxServerSettings } from './settings.ts';
import type { AdminChange } from './store/admin-changes.ts';
import type { NumberedRequest } from './store/requests.ts';
import type { SandboxStore } from './store/store.ts';

/** The changes that a replay repeats: those that later answers depend on. */
const REPEATED: readonly AdminEndpoint[] = [
  'PUT /clock',
  'PUT /modes',
  'PUT /fates',
  'POST /faults',
  'DELETE /faults',
  'POST /top-up',
  'POST /accounts',
  'POST /tariffs',
  'POST /mass-payouts',
  'POST /mass-payouts/confirm',
  'POST /mass-payouts/decline',
  'POST /mass-payouts/resend',
  'POST /mass-payouts/end-waiting',
];

export const isRepeated = (endpoint: string): endpoint is AdminEndpoint =>
  (REPEATED as readonly string[]).includes(endpoint);

/** The most requests of a case, because it is one document. */
const REQUESTS_MAX = 100_000;

/** Returns everything that happened since the start. Throws Refused unless the log has all bodies. */
export function caseOf(settings: SandboxServerSettings, store: SandboxStore): AdminCase {
  const log = store.requests.page({ order: 'oldest', after: null, limit: REQUESTS_MAX + 1 });
  const isWhole = log.every(({ kept }, at) => kept !== null && log[at]?.n === at + 1);
  if (!isWhole || log.length > REQUESTS_MAX) {
    throw new Refused(
      'CASE_INCOMPLETE',
      `The log has ${log.length} requests, and at most ${REQUESTS_MAX} make a case.`,
    );
  }
  const numbered = [
    ...log.map((request) => ({ n: request.n, step: requestStep(request) })),
    ...store.adminChanges.all().map((each) => ({ n: each.afterRequest, step: changeStep(each) })),
  ];
  return {
    schema: 'bursar.sandbox-case/v1',
    settings: settingTexts(settings),
    modes: modesRecord(settings.modes),
    faults: settings.faults,
    fates: settings.fates,
    keys: [...settings.keys.values()].map(({ accounts }) => accounts),
    // A request that was decided late stands in the log behind later ones.
    steps: numbered
      .toSorted((one, other) => one.n - other.n)
      .map(({ step }) => step)
      .toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time)),
  };
}

/** Answers about webhooks are the only ones with a secret. */
const withoutSecrets = (answer: string | null): string | null =>
  answer?.replaceAll(/"secretKey":"[^"]*"/g, '"secretKey":"removed"') ?? null;

function requestStep(request: NumberedRequest): AdminCaseStep {
  const { key = null, contentType = null, body = '', encoding = 'utf8' } = request.kept ?? {};
  return {
    kind: 'request',
    time: new Date(request.atMs).toISOString(),
    operation: request.operation,
    key,
    contentType,
    modes: request.modes,
    body,
    encoding,
    fault: request.fault,
    status: request.status,
    errorCode: request.errorCode,
    answer: withoutSecrets(request.kept?.answer ?? null),
  };
}

const changeStep = ({ atMs, endpoint, input }: AdminChange): AdminCaseStep => ({
  kind: 'change',
  time: new Date(atMs).toISOString(),
  endpoint,
  input,
});

const settingTexts = (settings: SandboxServerSettings): Record<string, string> => ({
  BALANCES: JSON.stringify(
    Object.fromEntries(
      [...settings.balances].map(([currency, amount]) => [currency, formatDecimal(amount)]),
    ),
  ),
  STEP_MS: String(settings.stepMs),
  SPEED: String(settings.speed),
  FEE_PERCENT: formatDecimal(settings.tariff.percent),
  FEE_FIX: formatDecimal(settings.tariff.fix),
  FEE_MIN: formatDecimal(settings.tariff.min),
  CONFIRMATION: settings.confirmations > 0 ? 'on' : 'off',
  CLOCK_OFFSET_MS: String(settings.clockOffsetMs),
  DELAY_MS_CREATE: String(settings.createDelayMs),
  WEBHOOK_PRIVATE: settings.isWebhookPrivateAllowed ? 'allow' : 'refuse',
  ...Object.fromEntries(
    Object.entries(settings.endpoints).map(([operation, path]) => [`ENDPOINT_${operation}`, path]),
  ),
});
