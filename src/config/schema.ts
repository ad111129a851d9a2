import { z } from 'zod';
import { CHUNK_ROWS_MAX } from '../domain/plan/limits.ts';
import { FILES_URL_RULE, filesPlaceOf } from '../domain/store/files-url.ts';
import { isStoreUrl, STORE_URL_RULE } from '../domain/store/store-url.ts';
import { apiSection, checkApi, endpointShape, endpointsFrom, pathOrNone } from './api-schema.ts';
import { checkApproval } from './approval-checks.ts';
import { noticesSection } from './notice-schema.ts';
import { oidcSection } from './oidc-schema.ts';
import {
  appOrigin,
  filePath,
  flag,
  httpUrl,
  listenAddress,
  listOf,
  oneOf,
  pathInUrl,
  readAs,
  secretText,
  section,
  text,
  timeMs,
  webOrigin,
  wholeNumber,
} from './readers.ts';
import {
  notifySection,
  operatorSection,
  RULE_SECTIONS,
  scheduleSection,
  stopLossList,
  watchSection,
} from './rules-schema.ts';

const storeUrl = readAs(STORE_URL_RULE, (given) =>
  isStoreUrl(given) ? pathInUrl(given) : undefined,
);
const headUrl = readAs(`${FILES_URL_RULE}; or the http or https address of a receiver`, (given) => {
  if (filesPlaceOf(given) !== undefined) return pathInUrl(given);
  return isReceiver(given) ? given : undefined;
});

/** Whether an address receives webhooks. A name or a password in it would be printed. */
function isReceiver(given: unknown): boolean {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  return (
    url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === ''
  );
}

const blobUrl = readAs(FILES_URL_RULE, (given) =>
  filesPlaceOf(given) === undefined ? undefined : pathInUrl(given),
);

/** Temporal joins both parts of a version by a dot. */
const versionPart = readAs('1 to 100 letters, digits, "-" and "_"', (given) =>
  /^[\w-]{1,100}$/.test(given) ? given : undefined,
);

/** The last port that leaves room for the programs of `up`, each with its own. */
const ADMIN_PORT_MAX = 65_533;

/**
 * Every setting: its name in `bursar.toml`, its rule, its default and one sentence of help. The variable of the environment
 * (`sources.ts`), the name and type in code (`code-names.ts`) and docs/settings.md follow from it.
 */
export const SECTIONS = {
  api: apiSection,
  store: section({
    url: storeUrl
      .prefault('sqlite:.bursar/store.db')
      .describe('The database of every batch. All workers, bridges and commands use the same one.'),
    password_file: filePath
      .optional()
      .describe(
        'The file with the password of a PostgreSQL store, and its mode is as that of `api.secret_file`. It is read for each connection.',
      ),
  }),
  blob: section({
    url: blobUrl
      .prefault('file:.bursar/blobs')
      .describe(
        'The place of the copies of submitted files. Workers and commands of all machines use the same one.',
      ),
  }),
  audit: section({
    head_url: headUrl
      .optional()
      .describe(
        'A second place for the end of the audit log: files that are only ever added, or a receiver of webhooks.',
      ),
    head_secret_file: filePath
      .optional()
      .describe('A file with the signing secret of a receiver: `whsec_` and base64.'),
  }),
  funds: section({
    shared: flag
      .default(false)
      .describe(
        'Whether other programs pay from the account. Then its balance proves nothing about a batch.',
      ),
  }),
  batch: section({
    chunk_rows: wholeNumber({ min: 1, max: CHUNK_ROWS_MAX })
      .default(1_000)
      .describe('The number of rows of one create request.'),
    chunks_in_flight: wholeNumber({ min: 1, max: 1_000 })
      .default(16)
      .describe('How many chunks of a batch are sent or open at once.'),
    row_tag: oneOf(['append', 'off'])
      .default('append')
      .describe('Whether the comment of each withdrawal ends with the batch and the row.'),
    canary_rows: wholeNumber({ min: 0, max: CHUNK_ROWS_MAX })
      .default(0)
      .describe(
        'Rows of the first chunk of each currency. It must be paid before another is sent. 0: no such chunk.',
      ),
    stop_loss: stopLossList
      .prefault([])
      .describe('Failures above a share of the rows (`5%`) or above a sum put a batch on hold.'),
  }),
  poll: section({
    min_ms: timeMs.default(5_000).describe('The shortest wait between two reads of a mass payout.'),
    max_ms: timeMs
      .default(300_000)
      .describe('The longest wait between two reads of a mass payout.'),
  }),
  bridge: section({
    listen: listenAddress
      .prefault('127.0.0.1:8787')
      .describe('Where the bridge receives webhooks. Port 0 picks a free port.'),
    public_url: httpUrl
      .optional()
      .describe('The address under which the service reaches the bridge.'),
    token_file: filePath
      .prefault('.bursar/bridge-token')
      .describe('The tokens of the bridge, one a line. The file is made at the first start.'),
  }),
  report: section({
    dir: filePath.prefault('runs').describe('The folder of plans and reports.'),
    follow_days: wholeNumber({ min: 0, max: 365 })
      .default(30)
      .describe('How long ends that people can change are read again after the report. 0: never.'),
  }),
  temporal: section({
    task_queue: text
      .default('bursar')
      .meta({ description: 'The task queue of the workers.', variable: 'BURSAR_TASK_QUEUE' }),
    namespace: text
      .optional()
      .describe(
        'The namespace in Temporal. Without it: that of TEMPORAL_NAMESPACE, else of the profile, else `default`.',
      ),
    ui_url: httpUrl
      .default('http://127.0.0.1:8233')
      .describe("The address of Temporal's web UI, for links."),
    key_ring_file: filePath
      .optional()
      .describe('The keys that encrypt what Temporal keeps. Without it nothing is encrypted.'),
  }),
  worker: section({
    build_id: versionPart
      .optional()
      .describe(
        "The build of the workers, for Temporal's worker versioning. Without it workers have no version. With it a worker gets work once its build is the current one.",
      ),
    deployment: versionPart
      .default('bursar')
      .describe('The name of the worker deployment in Temporal that the builds belong to.'),
  }),
  encryption: section({
    required: flag
      .optional()
      .describe(
        'With a key ring: whether payloads in clear are refused. Without a value they are. `false` while batches run that are older than the key ring.',
      ),
  }),
  codec: section({
    listen: listenAddress
      .prefault('127.0.0.1:8789')
      .describe('Where the codec server listens. Port 0 picks a free port.'),
    token_file: filePath
      .prefault('.bursar/codec-token')
      .describe('The tokens of the codec server, one a line. The file is made at the first start.'),
    origins: listOf(webOrigin)
      .prefault([])
      .describe(
        'The web pages that may have payloads decrypted. Without any: that of `temporal.ui_url`.',
      ),
  }),
  serve: section({
    listen: listenAddress
      .prefault('127.0.0.1:8790')
      .describe('Where `bursar serve` listens. Port 0 picks a free port.'),
    token_file: filePath
      .prefault('.bursar/api-tokens.json')
      .describe('The tokens of programs, as hashes. `bursar token create` makes the file.'),
    requests_per_minute: wholeNumber({ min: 1, max: 1_000_000 })
      .default(1_200)
      .describe('Requests of one token, or of one session, in a minute. More get 429.'),
    origin: appOrigin
      .optional()
      .describe(
        'The address of the web app, to whose host name passkeys belong. Without it: `http://localhost:PORT`, where the server listens on this machine.',
      ),
    session_hours: wholeNumber({ min: 1, max: 720 })
      .default(8)
      .describe('How long a person stays signed in, in hours.'),
    oidc: oidcSection,
  }),
  log: section({
    level: oneOf(['debug', 'info', 'warn', 'error'])
      .default('info')
      .describe('The least important lines that worker, bridge and codec server log.'),
  }),
  admin: section({
    host: text
      .default('127.0.0.1')
      .describe('The address on which the admin port listens. It has no password.'),
    port: wholeNumber({ min: 0, max: ADMIN_PORT_MAX })
      .optional()
      .describe(
        'Where a program answers `/livez`, `/readyz` and `/metrics`. Without a value it does not. Port 0 picks a free port. Of programs on one machine each needs its own; `up` counts on from it.',
      ),
  }),
  operator: operatorSection,
  ...RULE_SECTIONS,
  schedule: scheduleSection,
  notify: notifySection,
  notices: noticesSection,
  web: section({
    url: httpUrl
      .optional()
      .describe('The address of the web app, for links to batches. Without it: no such links.'),
  }),
  watch: watchSection,
  /** The settings of a sandbox that the engine needs to find it. The sandbox reads all of its settings itself. */
  sandbox: z
    .object({
      listen: listenAddress.prefault('127.0.0.1:8788').describe('Where the sandbox listens.'),
      keys: secretText.optional().describe('The keys of the sandbox with their secrets.'),
      endpoints: z
        .object(endpointShape(() => pathOrNone))
        .transform(endpointsFrom)
        .prefault({})
        .meta({ variable: 'BURSAR_SANDBOX_ENDPOINT' }),
    })
    .prefault({}),
};

/** `bursar.toml` as a whole. A section that does not exist is refused. */
export const Schema = z
  .strictObject(SECTIONS)
  .refine(({ encryption, temporal }) => !encryption.required || temporal.key_ring_file, {
    path: ['encryption', 'required'],
    error: 'needs temporal.key_ring_file',
  })
  .refine(({ audit }) => !isReceiver(audit.head_url) || audit.head_secret_file, {
    path: ['audit', 'head_secret_file'],
    error: 'is needed: the receiver must be able to check the signature',
  })
  .refine(({ poll }) => poll.min_ms <= poll.max_ms, {
    path: ['poll', 'min_ms'],
    error: 'must not be above poll.max_ms',
  })
  .superRefine(({ api }, context) => checkApi(api, context))
  .superRefine(({ approval }, context) => checkApproval(approval, context));

/** Settings under their names in `bursar.toml`, checked and with defaults. */
export type CheckedToml = z.output<typeof Schema>;
