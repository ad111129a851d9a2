import { z } from 'zod';
import { CHUNK_ROWS_MAX } from '../domain/plan/limits.ts';
import { contradictionsOf } from '../domain/sending/time-settings.ts';
import { isBlobUrl, isStoreUrl } from '../domain/store/store-url.ts';
import {
  DEFAULT_ENDPOINTS,
  KNOWN_ENDPOINTS,
  type Operation,
  OPERATIONS,
  isAccountId,
  TIMESTAMP_WINDOW_MS,
} from '@bursar/merchant-api/spec';
import { checkApproval } from './approval-checks.ts';
import { isLoopbackUrl } from './loopback.ts';
import {
  flag,
  httpUrl,
  listenAddress,
  listOf,
  oneOf,
  positiveNumber,
  readAs,
  text,
  webOrigin,
  wholeNumber,
  yesNo,
} from './readers.ts';
import { RULE_SECTIONS, stopLossList } from './rules-schema.ts';

/** Longest time that any setting in milliseconds may name: one day. */
const TIME_MS_MAX = 86_400_000;
const timeMs = wholeNumber({ min: 1, max: TIME_MS_MAX });

const baseUrl = httpUrl.refine((url) => !url.endsWith('/api/v1'), {
  error: 'must not end in /api/v1, which every path already begins with',
});

const account = readAs('0x and 40 hexadecimal digits (or a UUID)', (given) =>
  isAccountId(given) ? given : undefined,
);

const somePath = readAs('a path that begins with a slash', (given) =>
  /^\/[\w\-./]*$/.test(given) ? given : undefined,
);
const pathOrNone = readAs(
  'a path that begins with a slash, or empty when the service has none',
  (given) => (/^(\/[\w\-./]*)?$/.test(given) ? given : undefined),
);

const pathsOf = (pathOf: (operation: Operation) => typeof somePath) =>
  Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation.toLowerCase(),
      pathOf(operation).default(DEFAULT_ENDPOINTS[operation]),
    ]),
  );

/** One path for each operation; only the three that every service has cannot be emptied. */
const endpoints = z.strictObject(
  pathsOf((operation) => (operation in KNOWN_ENDPOINTS ? somePath : pathOrNone)),
);

const storeUrl = readAs(
  'sqlite:FILE without user:password@ (this version has no other kind of store)',
  (given) => (isStoreUrl(given) ? given : undefined),
);
const blobUrl = readAs('file:FOLDER on this machine without user:password@', (given) =>
  isBlobUrl(given) ? given : undefined,
);

/** The sections of `bursar.toml`, with every setting, its rule and its default. */
export const SECTIONS = {
  api: z.strictObject({
    base_url: baseUrl.optional(),
    key: text.optional(),
    secret_file: text.optional(),
    account: account.optional(),
    /**
     * How old a timestamp the service accepts at most. Never shorter than the service's own: with 6 s a create is sent again while
     * the first one may still be accepted, and the row is paid twice. Shorter than 180 s only for a sandbox on this machine.
     */
    timestamp_window_ms: timeMs.default(TIMESTAMP_WINDOW_MS),
    /** How far the two clocks may differ where the service shows no `Date`: at most half of `fence_margin_ms`. */
    skew_ms: wholeNumber({ min: 0, max: TIME_MS_MAX }).optional(),
    /** Added to the window before a create is sent again: at least 2 s, and at least twice `skew_ms`. */
    fence_margin_ms: timeMs.default(60_000),
    send_budget_ms: timeMs.default(10_000),
    request_timeout_ms: timeMs.default(30_000),
    resend: oneOf(['auto', 'fenced', 'operator']).default('auto'),
    requests_per_second: positiveNumber.optional(),
    endpoints: endpoints.prefault({}),
  }),
  store: z.strictObject({ url: storeUrl.default('sqlite:.bursar/store.db') }),
  blob: z.strictObject({ url: blobUrl.default('file:.bursar/blobs') }),
  funds: z.strictObject({
    /** Whether other programs pay from the account: then its balance proves nothing about a batch. */
    shared: flag.default(false),
  }),
  batch: z.strictObject({
    chunk_rows: wholeNumber({ min: 1, max: CHUNK_ROWS_MAX }).default(1_000),
    chunks_in_flight: wholeNumber({ min: 1, max: 1_000 }).default(16),
    row_tag: oneOf(['append', 'off']).default('append'),
    /** Rows of the first chunk of each currency, which must be paid before any other is sent; 0: no such chunk. */
    canary_rows: wholeNumber({ min: 0, max: CHUNK_ROWS_MAX }).default(0),
    stop_loss: stopLossList.prefault([]),
  }),
  poll: z.strictObject({
    min_ms: timeMs.default(5_000),
    max_ms: timeMs.default(300_000),
  }),
  bridge: z.strictObject({
    listen: listenAddress.prefault('127.0.0.1:8787'),
    public_url: httpUrl.optional(),
    token_file: text.default('.bursar/bridge-token'),
  }),
  report: z.strictObject({
    dir: text.default('runs'),
    /** How long ends that people can change are read again after the report; 0: never. */
    follow_days: wholeNumber({ min: 0, max: 365 }).default(30),
  }),
  temporal: z.strictObject({
    task_queue: text.default('bursar'),
    ui_url: httpUrl.default('http://127.0.0.1:8233'),
    /** Keys that encrypt what Temporal keeps; without it, nothing is encrypted. */
    key_ring_file: text.optional(),
  }),
  encryption: z.strictObject({
    /** Whether payloads in clear are refused where there is a key ring; true with one. False while batches run that are older than it. */
    required: yesNo.optional(),
  }),
  codec: z.strictObject({
    listen: listenAddress.prefault('127.0.0.1:8789'),
    token_file: text.default('.bursar/codec-token'),
    /** Web pages that may have payloads decrypted; that of temporal.ui_url when there are none. */
    origins: listOf(webOrigin).prefault([]),
  }),
  ...RULE_SECTIONS,
  /** What others must know of a sandbox, to find it and to be let in. It reads its settings itself, and refuses those that do not exist. */
  sandbox: z.looseObject({
    listen: listenAddress.prefault('127.0.0.1:8788'),
    keys: text.optional(),
    endpoints: z.looseObject(pathsOf(() => pathOrNone)).prefault({}),
  }),
};

/** Refuses a window below the documented one. A sandbox on this machine can be set to any window, and moves no money. */
function checkWindow(
  { base_url, timestamp_window_ms }: z.output<(typeof SECTIONS)['api']>,
  context: z.RefinementCtx,
): void {
  const isLongEnough = timestamp_window_ms >= TIMESTAMP_WINDOW_MS;
  if (isLongEnough || base_url === undefined || isLoopbackUrl(base_url)) return;
  context.addIssue({
    code: 'custom',
    path: ['api', 'timestamp_window_ms'],
    message: `${timestamp_window_ms} must be at least ${TIMESTAMP_WINDOW_MS}, the window that the service documents; a create that is sent again earlier can be paid twice`,
  });
}

/** Endpoints are a section within a section, of `api` and of `sandbox`. */
export const ENDPOINT_KEYS = Object.keys(endpoints.shape);

export const Schema = z
  .strictObject({
    api: SECTIONS.api.prefault({}),
    store: SECTIONS.store.prefault({}),
    blob: SECTIONS.blob.prefault({}),
    funds: SECTIONS.funds.prefault({}),
    batch: SECTIONS.batch.prefault({}),
    poll: SECTIONS.poll.prefault({}),
    bridge: SECTIONS.bridge.prefault({}),
    report: SECTIONS.report.prefault({}),
    temporal: SECTIONS.temporal.prefault({}),
    encryption: SECTIONS.encryption.prefault({}),
    codec: SECTIONS.codec.prefault({}),
    operator: SECTIONS.operator.prefault({}),
    approval: SECTIONS.approval.prefault({}),
    findings: SECTIONS.findings.prefault({}),
    limits: SECTIONS.limits.prefault({}),
    fees: SECTIONS.fees.prefault({}),
    schedule: SECTIONS.schedule.prefault({}),
    notify: SECTIONS.notify.prefault({}),
    watch: SECTIONS.watch.prefault({}),
    sandbox: SECTIONS.sandbox.prefault({}),
  })
  .refine(({ encryption, temporal }) => !encryption.required || temporal.key_ring_file, {
    path: ['encryption', 'required'],
    error: 'needs temporal.key_ring_file',
  })
  .refine(({ poll }) => poll.min_ms <= poll.max_ms, {
    path: ['poll', 'min_ms'],
    error: 'must not be above poll.max_ms',
  })
  .superRefine(({ api }, context) => checkWindow(api, context))
  .superRefine(({ api }, context) => {
    const problems = contradictionsOf({
      timestampWindowMs: api.timestamp_window_ms,
      fenceMarginMs: api.fence_margin_ms,
      skewMs: api.skew_ms,
      sendBudgetMs: api.send_budget_ms,
    });
    for (const { setting, sentence } of problems) {
      context.addIssue({ code: 'custom', path: ['api', setting], message: sentence });
    }
  })
  .superRefine(({ approval }, context) => checkApproval(approval, context));

/** Settings under their names in `bursar.toml`, checked and with defaults. */
export type CheckedToml = z.output<typeof Schema>;
