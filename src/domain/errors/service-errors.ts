import { entry } from './entry.ts';

type Answered = Readonly<{
  operation: string;
  status: string;
  errorCode: string;
  traceId: string;
  /** The text of the service; for the terminal alone, since histories hold no foreign text. */
  says?: string | undefined;
}>;

const answerText = ({ operation, status, errorCode, traceId, says }: Answered): string =>
  `(${operation}: status ${status}, ${errorCode}, trace ${traceId})${says === undefined ? '.' : `: ${says}`}`;

/** What goes wrong between Bursar and the payment service. */
export const SERVICE_ERRORS = {
  SERVICE_UNREACHABLE: entry<Readonly<{ baseUrl: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The payment service at ${f.baseUrl} cannot be reached (${f.reason}).`,
    why: 'There was no connection or no answer in time, or the service is not working. This call paid nothing.',
    fix: 'Check api.base_url and the network. Then try again.',
  }),
  SERVICE_REFUSED_KEY: entry<Answered>({
    category: 'auth',
    what: (f) => `The payment service refused the key or signature ${answerText(f)}`,
    why: 'The public key is unknown, the secret does not belong to it, or the account is not its own.',
    fix: 'Check api.key, api.account, and the file of api.secret_file (without an extra line break).',
  }),
  SERVICE_REFUSED: entry<Answered>({
    category: 'usage',
    what: (f) => `The payment service refused the request ${answerText(f)}`,
    why: 'The service answered with an error code.',
    fix: 'Search the code in the documentation of the service, or ask its support with the trace id.',
  }),
  SERVICE_ANSWER_UNREADABLE: entry<
    Readonly<{ operation: string; status: string; reason?: string | undefined }>
  >({
    category: 'unreachable',
    what: ({ operation, status, reason }) =>
      `The answer to ${operation} (status ${status}) could not be read${reason === undefined ? '' : `: ${reason}`}.`,
    why: 'It was cut off, too large, or not as the specification describes.',
    fix: 'Try again. If it fails again, check that api.base_url is the service and no proxy page.',
  }),
  SERVICE_LACKS_OPERATION: entry<Readonly<{ operation: string }>>({
    category: 'usage',
    what: (f) => `The service has no operation ${f.operation} in these settings.`,
    why: 'Its path is set to an empty text.',
    fix: (f) => `Set BURSAR_API_ENDPOINT_${f.operation} if the service has it.`,
  }),
  /** `understood`: reads in forms that the settings do not have. */
  ENDS_UNREADABLE: entry<Readonly<{ reads: string; understood?: string }>>({
    category: 'usage',
    what: (f) =>
      `The service accepts no read of a mass payout by id, and no read by key has found one (${f.reads}).${
        f.understood === undefined ? '' : ` It accepts ${f.understood}.`
      }`,
    why: 'Bursar could not read which rows are paid, so nothing of the batch was sent.',
    fix: 'Run "bursar probe". With --mass-payout ID --key UUID it tests reads by key. Or set api.shapes.mass_get_accepts, api.shapes.account_in and api.endpoints.lookup as the service documents them (docs/shapes.md). Restart the workers, then submit under another --id.',
  }),
  SERVICE_PATH_UNKNOWN: entry<Readonly<{ operation: string; status: string }>>({
    category: 'usage',
    what: (f) => `There is no operation at the path of ${f.operation} (status ${f.status}).`,
    why: 'The server has nothing at this path, or accepts no POST there.',
    fix: (f) =>
      `Check api.base_url and BURSAR_API_ENDPOINT_${f.operation}. The specification does not show all paths, so some are assumed.`,
  }),
  CLOCK_SKEW: entry<Readonly<{ skewMs: number; limitMs: number; answer?: string }>>({
    category: 'auth',
    what: (f) =>
      `This machine's clock differs from the service's by ${Math.round(f.skewMs / 1000)} seconds. At most ${Math.round(f.limitMs / 1000)} are allowed${f.answer === undefined ? '' : ` (${f.answer})`}.`,
    why: 'The service refuses requests with a difference above 3 minutes. Safe repeats also need the right time.',
    fix: 'Set the clock (for example by NTP), then submit again.',
  }),
  INTENT_MISMATCH: entry<Readonly<{ chunk: number; key: string }>>({
    category: 'bug',
    what: (f) => `Chunk ${f.chunk} is stored with another content under key ${f.key}.`,
    why: 'One key must never have two contents: it could pay the wrong people.',
    fix: 'Nothing was sent. Keep the store as it is and report this.',
  }),
  DIGEST_MISMATCH: entry<Readonly<{ expected: string; found: string }>>({
    category: 'bug',
    what: (f) => `The plan in the store (${f.found}) is not the plan of the batch (${f.expected}).`,
    why: 'A plan never changes. In an older copy of the store it may have been made again.',
    fix: 'Nothing was sent. If the store is an older copy, terminate the workflow of this partition in the web UI. Its batch starts it again, with the plan of the store. Else keep the store as it is and report this.',
  }),
  CALL_OUTCOME_UNKNOWN: entry<Readonly<{ operation: string; reason: string; look: string }>>({
    category: 'operator',
    what: (f) => `The result of ${f.operation} is not known yet (${f.reason}).`,
    why: 'The service may have received the request, and its answer is missing. It was sent once and is not sent again.',
    fix: (f) =>
      `Check the result with "${f.look}", now and after some minutes. Only then try again.`,
  }),
  LIST_TOO_LONG: entry<Readonly<{ operation: string; pagesMax: number }>>({
    category: 'usage',
    what: (f) => `${f.operation} has more than ${f.pagesMax} pages. The others were not read.`,
    why: 'Without a limit a faulty service could return pages without end.',
    fix: 'Use larger pages (--size), or request a smaller part of the list.',
  }),
  LOOKUP_NOTHING: entry<Readonly<{ what: string; answer?: string }>>({
    category: 'not-found',
    what: (f) =>
      `The service has nothing under ${f.what}${f.answer === undefined ? '' : ` (${f.answer})`}.`,
    why: 'It does not exist, belongs to another account, or is too new.',
    fix: 'Check your input. A new object can take a moment to appear.',
  }),
};
