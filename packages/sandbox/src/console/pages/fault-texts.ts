/** What each kind does, in a sentence; README.md, "Faults", says more. */
export const KIND_TEXTS: Readonly<Record<string, string>> = {
  'drop-before': 'The connection is closed without an answer, and nothing was done.',
  'accept-then-drop': 'It is done, and the connection is closed without an answer.',
  'hang-before': 'No answer comes, and nothing was done.',
  'hang-after': 'It is done, and no answer comes.',
  'drop-then-accept': 'The connection is closed; the request is done later.',
  'hang-then-accept': 'No answer comes; the request is done later.',
  'status-500': 'The answer is 500, and nothing was done.',
  'status-500-after': 'It is done, and the answer is 500.',
  status: 'The answer has a status of your choice, and nothing was done.',
  'status-after': 'It is done, and the answer has a status of your choice.',
  'truncate-body': 'It is done; half of the answer arrives, and the connection is closed.',
  'reset-body': 'It is done; half of the answer arrives, and the connection is reset.',
  'cut-json': 'It is done; the answer is whole HTTP and half of the JSON.',
  'wrong-content-type': 'It is done; the answer says that it is text.',
  'oversize-body': 'It is done; white space makes the answer large.',
  'delay-ms': 'It is done; the answer is late.',
  'delay-before-ms': 'It is done late, and only then the timestamp is checked.',
  drop: 'The event is announced to nobody.',
  duplicate: 'Each webhook is sent several times.',
  late: 'Each webhook is late.',
  shuffle: 'Each webhook is late by chance, so that their order is lost.',
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
    label: 'Timestamp checked as at',
    input: 'text',
    options: ['arrival', 'acceptance'],
  },
  httpStatus: { label: 'HTTP status', hint: '300 to 599', input: 'number' },
  page: { label: 'Body', hint: 'The error body, the page of a proxy, or nothing.', input: 'text' },
  retryAfterS: { label: 'Retry-After in seconds', input: 'number' },
  location: { label: 'Location', hint: 'Where a redirect leads.', input: 'text' },
  sizeBytes: { label: 'Size in bytes', input: 'number' },
  copies: { label: 'Copies', hint: 'How often each webhook is sent in all.', input: 'number' },
  next: { label: 'Times', hint: 'Fires that often at most.', input: 'number' },
  skip: { label: 'Skip', hint: 'Leaves so many alone at first.', input: 'number' },
  probability: { label: 'Probability', hint: '0 to 1', input: 'number' },
  seed: { label: 'Seed', hint: 'The same seed meets the same.', input: 'number' },
  account: { label: 'Account', hint: 'Only requests that name it.', input: 'text' },
  idempotencyKey: { label: 'Idempotency key', hint: 'Only requests with it.', input: 'text' },
};

/** Fields of every fault. */
export const FIRING_FIELDS: readonly string[] = ['next', 'skip', 'probability', 'seed'];

/** Fields of every fault of an operation. */
export const LIMITING_FIELDS: readonly string[] = ['account', 'idempotencyKey'];
