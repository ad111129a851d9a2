import { entry } from './entry.ts';

type Answered = Readonly<{ operation: string; status: string; errorCode: string; traceId: string }>;

/** What goes wrong between Bursar and the payment service. */
export const SERVICE_ERRORS = {
  SERVICE_UNREACHABLE: entry<Readonly<{ baseUrl: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The payment service at ${f.baseUrl} cannot be reached (${f.reason}).`,
    why: 'No connection could be made, or no answer came in time. Nothing was paid by this call.',
    fix: 'Check api.base_url and the network; then try again.',
  }),
  SERVICE_REFUSED_KEY: entry<Answered>({
    category: 'auth',
    what: (f) =>
      `The payment service refused the key or signature (${f.operation}: status ${f.status}, ${f.errorCode}, trace ${f.traceId}).`,
    why: 'The public key is unknown, the secret does not belong to it, or the account is not its own.',
    fix: 'Check api.key, the file named by api.secret_file (no line break too much), and api.account.',
  }),
  SERVICE_REFUSED: entry<Answered>({
    category: 'usage',
    what: (f) =>
      `The payment service refused ${f.operation} (status ${f.status}, ${f.errorCode}, trace ${f.traceId}).`,
    why: 'The service answered with an error; its code says which.',
    fix: 'Look the code up in the documentation of the service, or ask its support with the trace id.',
  }),
  SERVICE_ANSWER_UNREADABLE: entry<Readonly<{ operation: string; status: string }>>({
    category: 'unreachable',
    what: (f) => `The answer to ${f.operation} (status ${f.status}) could not be read.`,
    why: 'It was cut off, too large, or not the record that the specification describes.',
    fix: 'Try again; if it stays, check that api.base_url leads to the service and not to a proxy page.',
  }),
  SERVICE_LACKS_OPERATION: entry<Readonly<{ operation: string }>>({
    category: 'usage',
    what: (f) => `The service has no operation ${f.operation} in these settings.`,
    why: 'Its path is set to nothing.',
    fix: (f) => `Set BURSAR_API_ENDPOINT_${f.operation} if the service has it.`,
  }),
  CLOCK_SKEW: entry<Readonly<{ skewMs: number; limitMs: number }>>({
    category: 'auth',
    what: (f) =>
      `This machine's clock differs from the service's by ${Math.round(f.skewMs / 1000)} seconds; at most ${Math.round(f.limitMs / 1000)} are allowed.`,
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
    why: 'The plan changed after it was decided.',
    fix: 'Nothing was sent. Submit the file again as a new batch.',
  }),
  CALL_OUTCOME_UNKNOWN: entry<Readonly<{ operation: string; reason: string; look: string }>>({
    category: 'operator',
    what: (f) =>
      `Nobody knows yet whether the service did what ${f.operation} asked (${f.reason}).`,
    why: 'The request may have arrived, but no answer came that says so. It was sent once and is not sent again.',
    fix: (f) =>
      `See what became of it with "${f.look}", now and again after some minutes, before you try again.`,
  }),
  LOOKUP_NOTHING: entry<Readonly<{ what: string }>>({
    category: 'not-found',
    what: (f) => `The service knows nothing under ${f.what}.`,
    why: 'It does not exist, belongs to somebody else, or cannot be seen yet.',
    fix: 'Check what was typed. What was just created can take a moment to be found.',
  }),
};
