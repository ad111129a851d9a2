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
    why: 'No connection could be made, no answer came in time, or the service cannot work now. Nothing was paid by this call.',
    fix: 'Check api.base_url and the network; then try again.',
  }),
  SERVICE_REFUSED_KEY: entry<Answered>({
    category: 'auth',
    what: (f) => `The payment service refused the key or signature ${answerText(f)}`,
    why: 'The public key is unknown, the secret does not belong to it, or the account is not its own.',
    fix: 'Check api.key, the file named by api.secret_file (no line break too much), and api.account.',
  }),
  SERVICE_REFUSED: entry<Answered>({
    category: 'usage',
    what: (f) => `The payment service refused the request ${answerText(f)}`,
    why: 'The service answered with an error; its code says which.',
    fix: 'Look the code up in the documentation of the service, or ask its support with the trace id.',
  }),
  SERVICE_ANSWER_UNREADABLE: entry<
    Readonly<{ operation: string; status: string; reason?: string | undefined }>
  >({
    category: 'unreachable',
    what: ({ operation, status, reason }) =>
      `The answer to ${operation} (status ${status}) could not be read${reason === undefined ? '' : `: ${reason}`}.`,
    why: 'It was cut off, too large, or not the record that the specification describes.',
    fix: 'Try again; if it stays, check that api.base_url leads to the service and not to a proxy page.',
  }),
  SERVICE_LACKS_OPERATION: entry<Readonly<{ operation: string }>>({
    category: 'usage',
    what: (f) => `The service has no operation ${f.operation} in these settings.`,
    why: 'Its path is set to nothing.',
    fix: (f) => `Set BURSAR_API_ENDPOINT_${f.operation} if the service has it.`,
  }),
  /** `understood`: reads in forms that the settings do not have. */
  ENDS_UNREADABLE: entry<Readonly<{ reads: string; understood?: string }>>({
    category: 'usage',
    what: (f) =>
      `The service understands no read of a mass payout by id, and none by key has found one (${f.reads}).${
        f.understood === undefined ? '' : ` It understands ${f.understood}.`
      }`,
    why: 'No answer would show which rows were paid, so nothing of the batch was sent.',
    fix: 'Run "bursar probe"; with --mass-payout ID --key UUID it proves that keys find. Or set api.shapes.mass_get_accepts, api.shapes.account_in and api.endpoints.lookup as the service documents them (docs/shapes.md). Restart the workers, then submit under another --id.',
  }),
  SERVICE_PATH_UNKNOWN: entry<Readonly<{ operation: string; status: string }>>({
    category: 'usage',
    what: (f) => `There is no operation at the path of ${f.operation} (status ${f.status}).`,
    why: 'Nothing is served on this path, or no POST: every operation is a POST, and what the service itself cannot find it refuses in a form of its own.',
    fix: (f) =>
      `Check api.base_url and BURSAR_API_ENDPOINT_${f.operation}; paths that the specification does not show are assumed.`,
  }),
  CLOCK_SKEW: entry<Readonly<{ skewMs: number; limitMs: number; answer?: string }>>({
    category: 'auth',
    what: (f) =>
      `This machine's clock differs from the service's by ${Math.round(f.skewMs / 1000)} seconds; at most ${Math.round(f.limitMs / 1000)} are allowed${f.answer === undefined ? '' : ` (${f.answer})`}.`,
    why: 'The service refuses requests more than 3 minutes off, and what is safe to send again depends on the clock.',
    fix: 'Set the clock (for example by NTP), then submit again.',
  }),
  INTENT_MISMATCH: entry<Readonly<{ chunk: number; key: string }>>({
    category: 'bug',
    what: (f) => `Chunk ${f.chunk} was written down with another content under key ${f.key}.`,
    why: 'One key must never stand for two contents: it could pay the wrong people.',
    fix: 'Nothing was sent. Keep the store as it is and report this.',
  }),
  DIGEST_MISMATCH: entry<Readonly<{ expected: string; found: string }>>({
    category: 'bug',
    what: (f) => `The plan in the store (${f.found}) is not the one to be paid (${f.expected}).`,
    why: 'A plan is never changed; a store that was brought back from an older copy may have had it made anew.',
    fix: "Nothing was sent by this. If the store was brought back, terminate this partition's workflow in the web UI: its batch starts it again, by the plan in the store. Else keep the store as it is and report this.",
  }),
  CALL_OUTCOME_UNKNOWN: entry<Readonly<{ operation: string; reason: string; look: string }>>({
    category: 'operator',
    what: (f) =>
      `It is not known yet whether the service did what ${f.operation} asked (${f.reason}).`,
    why: 'The request may have arrived, but no answer came that says so. It was sent once and is not sent again.',
    fix: (f) =>
      `See what became of it with "${f.look}", now and again after some minutes, before you try again.`,
  }),
  LIST_TOO_LONG: entry<Readonly<{ operation: string; pagesMax: number }>>({
    category: 'usage',
    what: (f) => `${f.operation} has more than ${f.pagesMax} pages; the others were not read.`,
    why: 'Every walk has a limit, as a service that adds a page for each one that is read would never come to an end.',
    fix: 'Take larger pages (--size), or ask for less of the list.',
  }),
  LOOKUP_NOTHING: entry<Readonly<{ what: string; answer?: string }>>({
    category: 'not-found',
    what: (f) =>
      `The service knows nothing under ${f.what}${f.answer === undefined ? '' : ` (${f.answer})`}.`,
    why: 'It does not exist, belongs to somebody else, or cannot be seen yet.',
    fix: 'Check what was typed. What was just created can take a moment to be found.',
  }),
};
