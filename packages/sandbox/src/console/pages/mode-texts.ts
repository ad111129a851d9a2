/** What each mode is about, in a sentence; README.md, "Modes", says more. */
export const MODE_TEXTS: Readonly<Record<string, string>> = {
  idempotency: 'What a repeated idempotencyKey meets.',
  keyTtlMs: 'How long key-ttl remembers a key, in milliseconds.',
  timestampWindowMs:
    'How far the timestamp of a request may be from the clock of the service, in milliseconds.',
  lookupLagMs: 'How long a new mass payout cannot be found by its key, in milliseconds.',
  lookupByKey: 'Whether anything can be found by its idempotencyKey.',
  createRequires: 'Which fields of a create must be there.',
  massGetAccepts: 'What the mass payout operation accepts as its payload.',
  withdrawalsMax: 'Rows in one mass payout at most.',
  requestsPerSecond: 'Requests that one key may make in a second; more get 429.',
  retryAfter: 'Whether a 429 says how long to wait.',
  testAddresses: 'What test addresses of a new mass payout decide.',
  accountId: 'The form of an account id.',
  numbers: 'How amounts are written in answers.',
  extraFields: 'Whether answers have fields that no document names.',
  errorStatus: 'The HTTP status of a refusal.',
  errorCode: 'The errorCode of a refusal.',
  webhookBody: 'The shape of the body of a webhook.',
  webhookSignature: 'How a webhook proves where it comes from.',
};
