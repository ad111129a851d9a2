import { z } from 'zod';
import { contradictionsOf } from '../domain/sending/time-settings.ts';
import {
  DEFAULT_ENDPOINTS,
  type Endpoints,
  isAccountId,
  KNOWN_ENDPOINTS,
  type Operation,
  OPERATIONS,
  readEndpoint,
  SHAPES,
  TIMESTAMP_WINDOW_MS,
} from '@bursar/merchant-api/spec';
import { isLoopbackUrl } from './loopback.ts';
import {
  filePath,
  httpUrl,
  oneOf,
  positiveNumber,
  readAs,
  section,
  text,
  TIME_MS_MAX,
  timeMs,
  wholeNumber,
} from './readers.ts';

const baseUrl = httpUrl.refine((url) => !url.endsWith('/api/v1'), {
  error: 'must not end in /api/v1, which every path already begins with',
});

const account = readAs('0x and 40 hexadecimal digits (or a UUID)', (given) =>
  isAccountId(given) ? given : undefined,
);

const isEndpoint = (given: string): boolean =>
  /^\/[\w\-./]*$/.test(readEndpoint(given)?.path ?? '');

/** `/path`, or `PUT /path`. */
const somePath = readAs('a path that begins with a slash, or a method and such a path', (given) =>
  isEndpoint(given) ? given : undefined,
);

/** The path of an operation that the service may lack. */
export const pathOrNone = readAs(
  'a path that begins with a slash, a method and such a path, or empty when the service has none',
  (given) => (given === '' || isEndpoint(given) ? given : undefined),
);

/** One setting for each operation, under its name in small letters. */
export const endpointShape = (pathOf: (operation: Operation) => typeof somePath) =>
  Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation.toLowerCase(),
      pathOf(operation)
        .default(DEFAULT_ENDPOINTS[operation])
        .meta({
          description: `The path of the operation ${operation}, or its method and path.`,
          mayBeEmpty: true,
        }),
    ]),
  );

/** Paths under the names that the client has for the operations. */
export const endpointsFrom = (paths: Readonly<Record<string, string>>): Endpoints =>
  Object.fromEntries(
    OPERATIONS.map((operation) => [operation, paths[operation.toLowerCase()]]),
  ) as Endpoints;

/** Only the three paths that every service has cannot be emptied. */
const endpoints = z
  .strictObject(
    endpointShape((operation) => (operation in KNOWN_ENDPOINTS ? somePath : pathOrNone)),
  )
  .transform(endpointsFrom);

const isOperation = (name: string): name is Operation =>
  (OPERATIONS as readonly string[]).includes(name);

/** A word, or the names of operations with commas between them, in capital or small letters. */
const accountIn = readAs(
  `${SHAPES.accountIn.join(' or ')}, or operations separated by commas`,
  (given): (typeof SHAPES.accountIn)[number] | readonly Operation[] | undefined => {
    const word = SHAPES.accountIn.find((choice) => choice === given);
    if (word !== undefined) return word;
    const names = given.split(',').map((name) => name.trim().toUpperCase());
    return names.every(isOperation) ? names : undefined;
  },
);

/**
 * How the service wants to be called, where the specification leaves it open. A choice without a default here has one in the client,
 * so that a value that a person has set can be told from it.
 */
const shapes = section({
  mass_get_accepts: oneOf(SHAPES.massGetAccepts)
    .optional()
    .describe(
      'How MASS_GET names a mass payout. Without a value it is `reference`, and a batch is refused before its first create where no read is understood.',
    ),
  account_in: accountIn
    .optional()
    .describe('Which operations carry `account`. Without a value: `most`.'),
  account_case: oneOf(SHAPES.accountCase)
    .optional()
    .describe(
      'With `lower` account ids are sent in lower case. Without a value: `any`, as they are written.',
    ),
  timestamp_unit: oneOf(SHAPES.timestampUnit)
    .optional()
    .describe('Unit of the timestamp in requests. Without a value: `ms`.'),
  page_base: oneOf(SHAPES.pageBase)
    .optional()
    .describe("Number of the service's first page. Without a value: `one`."),
  create_requires: oneOf(['needed', 'all'])
    .default('needed')
    .describe('With `all` a create has every field that the specification shows.'),
});

/** Where the service is, who we are there, and how carefully it is called. */
export const apiSection = section({
  base_url: baseUrl.optional().describe('The address of the service, without `/api/v1`.'),
  environment: oneOf(['live', 'sandbox'])
    .optional()
    .describe(
      'What commands show beside the address. Without a value: sandbox for an address on this machine, else live.',
    ),
  key: text.optional().describe('The public API key.'),
  secret_file: filePath
    .optional()
    .describe(
      'A file that holds the secret key alone. Its mode is 0600 or 0400; a file of root may be 0440 for a group of the program.',
    ),
  account: account.optional().describe('The account that batches are paid from.'),
  /**
   * Never shorter than the service's own: with 6 s a create is sent again while the first one may still be accepted, and the row
   * is paid twice. Shorter than 180 s only for a sandbox on this machine.
   */
  timestamp_window_ms: timeMs
    .default(TIMESTAMP_WINDOW_MS)
    .describe(
      'The greatest age of a timestamp that the service accepts. Below 180000 only for a sandbox on this machine.',
    ),
  skew_ms: wholeNumber({ min: 0, max: TIME_MS_MAX })
    .optional()
    .describe(
      'How far the clocks may differ where the service sends no `Date`. At most half of `fence_margin_ms`.',
    ),
  fence_margin_ms: timeMs
    .default(60_000)
    .describe(
      'Added to the window before a create is sent again. At least 2000, and at least twice `skew_ms`.',
    ),
  send_budget_ms: timeMs
    .default(10_000)
    .describe(
      'A create leaves within this time of its recorded timestamp, or not at all. Below `timestamp_window_ms`.',
    ),
  request_timeout_ms: timeMs.default(30_000).describe('How long a request may take.'),
  resend: oneOf(['auto', 'fenced', 'operator'])
    .default('auto')
    .describe(
      'Who decides about an ambiguous create after its fence. `auto`: Bursar if lookups are proven, else a person. `fenced`: Bursar. `operator`: a person.',
    ),
  requests_per_second: positiveNumber
    .optional()
    .describe('The limit of all workers together. Without it there is none.'),
  creates_in_flight: wholeNumber({ min: 1, max: 1_000 })
    .optional()
    .describe(
      'How many creates of the account are under way at most, over all batches and workers. Without it there is no limit.',
    ),
  endpoints: endpoints.prefault({}).meta({ variable: 'BURSAR_API_ENDPOINT' }),
  shapes: shapes.meta({ variable: 'BURSAR_API_SHAPE' }),
});

type CheckedApi = z.output<typeof apiSection>;

/** Adds the settings of `api` that contradict each other to the problems of the settings. */
export function checkApi(api: CheckedApi, context: z.RefinementCtx): void {
  checkWindow(api, context);
  const problems = contradictionsOf({
    timestampWindowMs: api.timestamp_window_ms,
    fenceMarginMs: api.fence_margin_ms,
    skewMs: api.skew_ms,
    sendBudgetMs: api.send_budget_ms,
  });
  for (const { setting, sentence } of problems) {
    context.addIssue({ code: 'custom', path: ['api', setting], message: sentence });
  }
}

/** Refuses a window below the documented one. A sandbox on this machine can be set to any window, and moves no money. */
function checkWindow(
  { base_url, timestamp_window_ms }: CheckedApi,
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
