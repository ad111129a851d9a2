/** One sentence for each mode. README.md, "Modes", has the details. */
export const MODE_TEXTS: Readonly<Record<string, string>> = {
  idempotency: 'The answer to a repeated idempotencyKey.',
  keyTtlMs: 'How long key-ttl keeps a key, in milliseconds.',
  timestampWindowMs:
    'How far the timestamp of a request may be from the clock of the service, in milliseconds.',
  lookupLagMs: 'How long a lookup by key misses a new mass payout, in milliseconds.',
  lookupByKey: 'Whether a lookup by idempotencyKey finds anything.',
  createRequires: 'The required fields of a create.',
  massGetAccepts: 'The payloads that the mass payout operation accepts.',
  withdrawalsMax: 'The most rows in one mass payout.',
  requestsPerSecond: 'Requests that one key may make in a second. More get 429.',
  retryAfter: 'Whether a 429 has the header Retry-After.',
  testAddresses: 'Whether test addresses decide the result of a new mass payout.',
  accountId: 'The form of an account id.',
  numbers: 'How answers write amounts.',
  extraFields: 'Whether answers have undocumented fields.',
  errorStatus: 'The HTTP status of a refusal.',
  errorCode: 'The errorCode of a refusal.',
  webhookBody: 'The shape of the body of a webhook.',
  webhookSignature: 'How a webhook is signed.',
};
