/** One sentence for each kind. README.md, "Faults", has the details. */
export const KIND_TEXTS: Readonly<Record<string, string>> = {
  'drop-before': 'The connection is closed without an answer. Nothing was done.',
  'accept-then-drop': 'The request is done. The connection is closed without an answer.',
  'hang-before': 'No answer comes. Nothing was done.',
  'hang-after': 'The request is done. No answer comes.',
  'drop-then-accept': 'The connection is closed. The request is done later.',
  'hang-then-accept': 'No answer comes. The request is done later.',
  'status-500': 'The answer is 500. Nothing was done.',
  'status-500-after': 'The request is done. The answer is 500.',
  status: 'The answer has a status of your choice. Nothing was done.',
  'status-after': 'The request is done. The answer has a status of your choice.',
  'truncate-body': 'The request is done. Half of the answer arrives, and the connection is closed.',
  'reset-body': 'The request is done. Half of the answer arrives, and the connection is reset.',
  'cut-json': 'The request is done. The answer is whole HTTP with half of the JSON.',
  'wrong-content-type': 'The request is done. The answer has the content type of plain text.',
  'oversize-body': 'The request is done. White space makes the answer large.',
  'delay-ms': 'The request is done. The answer is late.',
  'delay-before-ms': 'The request is done late. Its timestamp is checked only then.',
  drop: 'No subscription gets the event.',
  duplicate: 'Each webhook is sent several times.',
  late: 'Each webhook is late.',
  shuffle: 'Each webhook is late by a random time, so that their order is lost.',
};

export type FaultField = Readonly<{
  label: string;
  hint?: string | undefined;
  input: 'number' | 'text';
  options?: readonly string[] | undefined;
}>;

export const FAULT_FIELDS: Readonly<Record<string, FaultField>> = {
  delayMs: { label: 'Delay in milliseconds', input: 'number' },
  timestampAt: {
    label: 'Check the timestamp at',
    input: 'text',
    options: ['arrival', 'acceptance'],
  },
  httpStatus: { label: 'HTTP status', hint: '300 to 599', input: 'number' },
  page: { label: 'Body', hint: 'The error body, the page of a proxy, or nothing.', input: 'text' },
  retryAfterS: { label: 'Retry-After in seconds', input: 'number' },
  location: { label: 'Location', hint: 'Where a redirect leads.', input: 'text' },
  sizeBytes: { label: 'Size in bytes', input: 'number' },
  copies: {
    label: 'Copies',
    hint: 'How many times each webhook is sent in total.',
    input: 'number',
  },
  next: { label: 'Times', hint: 'The most times that it fires.', input: 'number' },
  skip: { label: 'Skip', hint: 'Ignores so many requests at first.', input: 'number' },
  probability: { label: 'Probability', hint: '0 to 1', input: 'number' },
  seed: { label: 'Seed', hint: 'The same seed gives the same result.', input: 'number' },
  account: { label: 'Account', hint: 'Only requests that name it.', input: 'text' },
  idempotencyKey: { label: 'Idempotency key', hint: 'Only requests with it.', input: 'text' },
};

/** The fields of every fault. */
export const FIRING_FIELDS: readonly string[] = ['next', 'skip', 'probability', 'seed'];

/** The fields of every fault of an operation. */
export const LIMITING_FIELDS: readonly string[] = ['account', 'idempotencyKey'];
