/** Answers of a server in a story that pictures and tests of the web app show. `played-answers.test.ts` holds them against the schemas. */

const NOW_MS = Date.now();
const HOUR_MS = 3_600_000;

/** An instant so many hours from now. */
const hours = (count) => new Date(NOW_MS + count * HOUR_MS).toISOString();

const HASH = '9f2c1d7ab35e40c8d1f6a7720be94c13e85d6f0a2b7c4419f3d8e60517ac92be';
export const DIGEST = `sha256:${HASH}`;
/** The reason of a rule, in the words of the server. */
const LOSSES = '12 of 22 settled rows failed, which is more than 5%';
const CURRENCY = 'USDT_TRC20';

/** Names and comments come from files of others. They must be shown as text. Pictures of the documentation have a plain one. */
export const HOSTILE =
  process.env['BURSAR_PLAYED_NAMES'] === 'plain'
    ? 'refunds of invoice 7731.csv'
    : '<img src=x onerror="document.title=\'hacked\'">\u202egpj.exe';

export const PLACE = {
  schema: 'bursar.place/v1',
  environment: 'SANDBOX',
  service: 'http://127.0.0.1:8788',
  account: '0x5a4db0c500000000000000000000000000000001',
  profile: null,
  version: '0.1.0',
};

export const SESSION = {
  schema: 'bursar.session/v1',
  person: 'bob',
  roles: ['finance'],
  role: 'operate',
  expiresAt: hours(8),
  secondsLeft: 28_800,
  signedInBy: 'passkey',
  hasPasskey: true,
};

export const PEOPLE = {
  schema: 'bursar.people/v1',
  mode: 'signed',
  expiresAfterMs: 72 * HOUR_MS,
  people: [
    { name: 'alice', roles: [], key: 'ed25519', webRole: 'submit', users: ['alice@office'] },
    { name: 'bob', roles: ['finance'], key: 'passkey', webRole: 'operate', users: [] },
    { name: 'carol', roles: ['finance', 'board'], key: 'passkey', webRole: 'read', users: [] },
  ],
  tiers: [
    {
      currency: null,
      above: '0',
      approvals: 1,
      roles: ['finance'],
      mustInclude: [],
      mayApprove: ['bob', 'carol'],
    },
    {
      currency: CURRENCY,
      above: '100000',
      approvals: 2,
      roles: ['finance'],
      mustInclude: ['board'],
      mayApprove: ['bob', 'carol'],
    },
  ],
};

const totals = (total) => [{ currency: CURRENCY, total }];

const line = (batchId, state, total, { rows, at, file, by = 'alice' }) => ({
  batchId,
  state,
  file: file ?? `${batchId}.csv`,
  rows,
  totals: totals(total),
  submittedAt: hours(at),
  submittedBy: by,
});

export const BATCHES = {
  schema: 'bursar.batch-list/v1',
  batches: [
    line('payroll-2026-12', 'AWAITING_APPROVAL', '132408.2', { rows: 40, at: -1 }),
    line('contractors-48', 'PAYING', '486210.75', { rows: 12400, at: -2 }),
    line('suppliers-nov', 'AWAITING_FUNDS', '904000', { rows: 212, at: -5 }),
    line('refunds-7731', 'PARTIAL', '18450.5', { rows: 96, at: -26, file: HOSTILE }),
    line('bonus-q4', 'SCHEDULED', '75000', { rows: 25, at: -30 }),
    line('payroll-2026-11', 'COMPLETED', '131022.9', { rows: 40, at: -720 }),
    line('test-run', 'CANCELED', '12', { rows: 3, at: -740, by: 'bob' }),
  ],
};

const NONE = { paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 };

/** A standing of a batch: `rows` and `amounts` are those that differ from none. */
const standing = (batchId, state, { rows, amounts, ...more }) => ({
  schema: 'bursar.batch/v1',
  batchId,
  workflowId: `batch/${batchId}`,
  state,
  digest: DIGEST,
  rows: { ...NONE, ...rows },
  amounts: [
    {
      currency: CURRENCY,
      fee: '0',
      paid: '0',
      failed: '0',
      unknown: '0',
      notSent: '0',
      inFlight: '0',
      ...amounts,
    },
  ],
  chunks: { total: 1, byState: { [state]: 1 } },
  needsOperator: [],
  alarms: [],
  holds: [],
  error: null,
  generation: 0,
  parentBatchId: null,
  childBatchId: null,
  paidTwice: [],
  reportDir: `runs/${batchId}`,
  reportUrl: null,
  isOver: false,
  isRegistered: true,
  isQueued: false,
  submittedBy: 'alice',
  submittedAt: hours(-26),
  file: { name: `${batchId}.csv`, sha256: HASH },
  holdsLiftedBy: 'approve',
  ...more,
});

export const WAITING = standing('payroll-2026-12', 'AWAITING_APPROVAL', {
  rows: { total: 40, notSentYet: 40 },
  amounts: { requested: '132408.2', notSentYet: '132408.2' },
  activity: {
    state: 'AWAITING_APPROVAL',
    since: hours(-1),
    note: 'Waiting for 2 people from finance',
    isHeld: false,
    canceledBy: null,
  },
  approval: {
    given: [],
    missing: ['2 more from finance: bob, carol'],
    gaps: [{ count: 2, roles: ['finance'], candidates: ['bob', 'carol'] }],
  },
});

/** `paid`: how far it is. */
export const payingBatch = (paid) =>
  standing('contractors-48', 'PAYING', {
    rows: { total: 12400, paid, failed: 3, inFlight: 400, notSentYet: 12400 - paid - 403 },
    amounts: {
      requested: '486210.75',
      paid: '301442.5',
      failed: '117.25',
      inFlight: '15684',
      notSentYet: '168967',
      fee: '3014.42',
    },
    activity: {
      state: 'PAYING',
      since: hours(-0.1),
      note: 'Sends the payments',
      isHeld: false,
      canceledBy: null,
    },
  });

export const HELD = standing('suppliers-nov', 'PAYING', {
  rows: { total: 212, paid: 10, failed: 12, notSentYet: 190 },
  amounts: { requested: '904000', paid: '41000', failed: '52000', notSentYet: '811000' },
  holds: [
    {
      n: 1,
      kind: 'STOP_LOSS',
      reason: LOSSES,
      by: 'rule',
      since: hours(-0.5),
      facts: { lostRows: '12', [`lost:${CURRENCY}`]: '52000' },
    },
    { n: 2, kind: 'PAUSE', reason: HOSTILE, by: 'carol (unsigned)', since: hours(-0.4), facts: {} },
  ],
  activity: {
    state: 'PAYING',
    since: hours(-0.5),
    note: 'On hold',
    isHeld: true,
    canceledBy: null,
  },
  short: [{ currency: CURRENCY, amount: '167.0055' }],
});

const person = (name, roles, publicKey) => ({ name, roles, publicKey, users: [] });

/** `publicKey`: that of bob. */
const policyWith = (publicKey) => ({
  mode: 'signed',
  expiresAfterMs: 72 * HOUR_MS,
  tiers: [{ currency: null, above: '0', approvals: 2, roles: ['finance'], mustInclude: [] }],
  people: [person('bob', ['finance'], publicKey), person('carol', ['finance'], null)],
});

/** Two creates left without an answer. */
const attempts = [1, 2].map((n) => ({
  n,
  signedAt: hours(-3 + n),
  outcome: 'AMBIGUOUS',
  httpStatus: 504,
  traceId: `trace-${n}`,
}));

export const UNCLEAR = standing('refunds-7750', 'SETTLING', {
  rows: { total: 60, paid: 40, inFlight: 20 },
  amounts: { requested: '9000', paid: '6000', inFlight: '3000' },
  needsOperator: [
    {
      chunk: 3,
      reason: 'LOOKUP_UNPROVEN',
      since: hours(-1),
      idempotencyKey: '5f0c8a6e-1111-4222-8333-94445555aaaa',
      externalId: 'refunds-7750.3',
      rows: 20,
      currency: CURRENCY,
      total: '3000',
      attempts,
    },
  ],
});

/** The question that an answer for {@link UNCLEAR} must be signed under. */
export const answerQuestionOf = (batchId, { chunk, answer }, publicKey) => ({
  schema: 'bursar.answer-question/v1',
  batchId,
  chunk,
  question: {
    policy: policyWith(publicKey),
    batchId,
    subject: DIGEST,
    totals: totals('9000'),
    submittedBy: 'alice',
    consent: answer,
  },
  ...(answer === 'not-created' ? { attempts: attempts.length } : {}),
});

export const ANSWERED = {
  schema: 'bursar.resolve/v1',
  batchId: UNCLEAR.batchId,
  by: 'bob',
  reason: 'not in the portal',
  chunk: 3,
  answer: 'not-created',
  attempts: 2,
  missing: ['1 more from finance: carol'],
  gaps: [{ count: 1, roles: ['finance'], candidates: ['carol'] }],
};

/** The resend of {@link PARTIAL}. */
export const RESEND_PLAN = {
  schema: 'bursar.resend/v1',
  batchId: 'refunds-7731-r1',
  parentBatchId: 'refunds-7731',
  generation: 1,
  lineage: [{ batchId: 'refunds-7731', generation: 0, state: 'PARTIAL' }],
  file: { name: HOSTILE, sha256: HASH },
  rows: 2,
  rowsSha256: HASH,
  currencies: [{ currency: CURRENCY, rows: 2, total: '420.25' }],
  reasons: [{ outcome: 'FAILED', reason: 'address is blocked', rows: 2, first: [4, 17] }],
  unclear: { rows: 1, first: [{ row: 9, batchId: 'refunds-7731', outcome: 'UNKNOWN' }] },
  at: null,
  executionDate: null,
  submission: { batchId: 'refunds-7731-r1', subject: DIGEST },
  signing: { policy: policyWith('passkey:localhost:ES256:x'), isNeeded: true },
};

export const RESENT = {
  schema: 'bursar.resend-start/v1',
  batchId: 'refunds-7731-r1',
  parentBatchId: 'refunds-7731',
  generation: 1,
};

/** What an approver decided so many hours from now. */
const decision = (name, { at, ...more }) => ({
  person: name,
  decision: 'approve',
  reason: '',
  issuedAt: hours(at),
  about: 'plan',
  isGenuine: true,
  why: null,
  code: null,
  ...more,
});

export const PARTIAL = standing('refunds-7731', 'PARTIAL', {
  rows: { total: 96, paid: 93, failed: 2, unknown: 1 },
  amounts: {
    requested: '18450.5',
    paid: '17960.25',
    failed: '420.25',
    unknown: '70',
    fee: '184.5',
    feeIncludesUnpaid: true,
  },
  isOver: true,
  file: { name: HOSTILE, sha256: HASH },
  reportUrl: 'file:runs/refunds-7731',
  decisions: [
    decision('bob', { at: -25.5, reason: 'checked with HR', signedBy: 'passkey' }),
    decision('carol', { at: -25.2, reason: HOSTILE, signedBy: 'ed25519' }),
    decision('carol', { at: -24.5, about: 'hold', signedBy: null }),
  ],
});

/** A batch that an approver refused, so that nothing was sent. */
export const REFUSED = standing('bonus-refused', 'REFUSED', {
  rows: { total: 25, notSent: 25 },
  amounts: { requested: '75000', notSent: '75000' },
  isOver: true,
  error: {
    code: 'REFUSED_BY_APPROVER',
    what: 'The batch was refused by carol: gift of the board.',
    why: 'One refusal stops a batch, also when other people approve it.',
    fix: 'Talk to them. To pay the rows all the same, submit the file under another --id.',
  },
  decisions: [
    decision('carol', {
      at: -25,
      decision: 'refuse',
      reason: 'gift of the board',
      signedBy: 'passkey',
    }),
  ],
});

const finding = (code, severity, texts) => ({
  code,
  count: 2,
  examples: [
    { row: 4, detail: 'same as row 3' },
    { row: 17, detail: HOSTILE },
  ],
  severity,
  accepted: false,
  ...texts,
});

const CHANGED = {
  payment: '3,120.50 USDT (TRC20)',
  address: 'TN3W4H6rK2ce4vX9YnFQHwKENnHjoxb3m9',
  before: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
};

const FINDINGS = [
  {
    ...finding('ADDRESS_CHANGED', 'confirm', {
      what: 'Rows pay a payee who is known under another address.',
      why: 'A message with new payment details is the most common fraud.',
      fix: 'Ask each payee in a way that you used before, not by an answer to the message that brought the address; then accept.',
    }),
    examples: [
      {
        row: 9,
        detail: 'EMP-004 was paid at another address before',
        change: {
          ...CHANGED,
          payee: 'Ann Lee, EMP-004',
          batchId: 'payroll-2026-11',
          paidAt: hours(-720),
        },
      },
      {
        row: 21,
        detail: 'the register of payees has another address',
        change: { ...CHANGED, payee: HOSTILE, batchId: null, paidAt: null },
      },
    ],
  },
  finding('DUPLICATE_ROW', 'confirm', {
    what: 'Rows pay the same amount in the same currency to the same address as an earlier row.',
    why: 'The file may have been pasted or exported twice. Or one person gets two payments.',
    fix: 'Remove the rows that are not intended, or accept.',
  }),
  {
    ...finding('SAME_FILE_AGAIN', 'confirm', {
      what: 'The same rows were already submitted as another batch.',
      why: 'A file that is paid under two ids pays each person twice.',
      fix: 'Check the earlier batch; accept only if a second payment is intended.',
    }),
    count: 40,
    examples: [
      {
        row: 0,
        detail: 'batch payroll-2026-11 (COMPLETED)',
        earlier: { batchId: 'payroll-2026-11', endState: 'COMPLETED' },
      },
    ],
  },
  finding('FIRST_TIME_PAYEE', 'info', {
    what: 'Rows pay to an address that was never paid in this currency before.',
    why: 'Most fraud works with a changed address.',
    fix: 'Confirm new addresses with their owners. Do not reply to the message with the address.',
  }),
];

/** `publicKey`: that of bob. */
export const questionWith = (publicKey, submittedBy = 'alice') => ({
  schema: 'bursar.approval-question/v1',
  batchId: 'payroll-2026-12',
  question: {
    policy: policyWith(publicKey),
    batchId: 'payroll-2026-12',
    subject: DIGEST,
    totals: totals('132408.2'),
    submittedBy,
  },
  plan: {
    digest: DIGEST,
    file: 'payroll-2026-12.csv',
    fileSha256: HASH,
    submittedBy,
    submittedAt: hours(-1),
    currencies: [{ currency: CURRENCY, rows: 40, total: '132408.2' }],
    refusedRows: 0,
    sheet: 'December',
    form: {
      sheet: 'December',
      decimalComma: true,
      columns: { address: 'Wallet Adress', amount: 'Net' },
      ignoreColumns: [HOSTILE],
    },
    currency: CURRENCY,
    fees: [{ currency: CURRENCY, fee: '1324.08' }],
    at: hours(48),
    executionDate: null,
    findings: FINDINGS.map((one) => ({ ...one, accepted: one.severity === 'confirm' })),
  },
  hold: null,
  outlook: 'enough, as it stands',
  approvals: [],
  given: [],
  missing: ['2 more from finance: bob, carol'],
  gaps: [{ count: 2, roles: ['finance'], candidates: ['bob', 'carol'] }],
});

const ADDRESS = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';

const row = (number, outcome, more = {}) => ({
  row: number,
  address: ADDRESS,
  amount: '192.25',
  currency: CURRENCY,
  comment: '',
  name: number === 4 ? 'Zoë Fox' : '',
  reference: `EMP-${String(number).padStart(3, '0')}`,
  outcome,
  reason: '',
  chunk: 0,
  massPayoutId: 'mp-1',
  idempotencyKey: '5c1f2a8e-9d3b-4c77-8f21-0b6d9e4a7712',
  withdrawalId: outcome === 'PAID' ? `w-${number}` : '',
  transactionHash: outcome === 'PAID' ? HASH : '',
  fee: '',
  feeCurrency: '',
  refused: false,
  ...more,
});

const payee = (more) => ({
  id: '4fd6ce5a0e1b7c22',
  network: 'tron',
  address: ADDRESS,
  name: null,
  email: null,
  labels: [],
  status: 'LISTED',
  decidedBy: null,
  decidedAt: null,
  reason: null,
  addedBy: 'alice',
  addedAt: hours(-900),
  ...more,
});

export const PAYEES = {
  schema: 'bursar.payee-list/v1',
  payees: [
    payee({
      id: '0b1a',
      network: 'evm',
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      name: HOSTILE,
      status: 'DENIED',
      decidedBy: 'bob',
      decidedAt: hours(-30),
      reason: 'its owner lost the key',
    }),
    payee({
      id: '1c2b',
      name: 'Zoë Fox',
      email: 'zoe@example.com',
      labels: ['berlin', 'staff'],
      status: 'ALLOWED',
    }),
    payee({ id: '2d3c', address: 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK' }),
  ],
};

/** More payees than one page has. */
export const STAFF = Array.from({ length: 230 }, (_, at) =>
  payee({
    id: `staff${at}`,
    address: `0x${String(at).padStart(40, '0')}`,
    network: 'evm',
    name: `Member ${at + 1}`,
    labels: ['staff'],
  }),
);

/** The payments to a payee: those with a name were paid. */
export const paymentsOf = ({ name }) =>
  name === null
    ? { payments: 0, firstPaid: null, lastPaid: null }
    : {
        payments: 14,
        firstPaid: { batchId: 'payroll-2025-11', row: 31, at: hours(-9000) },
        lastPaid: { batchId: 'refunds-7731', row: 4, at: hours(-20) },
      };

export const PAYEE = {
  schema: 'bursar.payee/v1',
  ...PAYEES.payees[1],
  decidedBy: 'bob',
  decidedAt: hours(-800),
  reason: 'confirmed by telephone',
  ...paymentsOf(PAYEES.payees[1]),
};

export const PAYEE_IMPORT = {
  schema: 'bursar.payee-import/v1',
  rows: 1240,
  changed: 12,
  stillDenied: 1,
};

export const ROWS = {
  schema: 'bursar.rows/v1',
  batchId: 'refunds-7731',
  rows: [
    row(2, 'PAID'),
    row(3, 'PAID'),
    row(4, 'FAILED', { reason: 'the network refused the address', amount: '1210.25' }),
    row(5, 'PAID', { reference: '', comment: HOSTILE }),
    row(6, 'UNKNOWN', { reason: 'the service keeps changing what it says of this mass payout' }),
    ...Array.from({ length: 20 }, (_, at) => row(at + 7, 'PAID')),
  ],
};

export const ROW_HISTORY = {
  schema: 'bursar.row-story/v1',
  batchId: 'refunds-7731',
  parentBatchId: null,
  generation: 0,
  file: { name: HOSTILE, sha256: HASH },
  row: ROWS.rows[2],
  refusedFor: [],
  chunk: {
    chunk: 0,
    firstRow: 2,
    lastRow: 97,
    rows: 96,
    currency: CURRENCY,
    total: '18450.5',
    idempotencyKey: '5c1f2a8e-9d3b-4c77-8f21-0b6d9e4a7712',
    externalId: 'refunds-7731/0/0',
    state: 'PARTIAL',
    massPayoutId: 'mp-1',
    fee: '184.5',
    needsOperator: null,
    attempts: [
      { n: 1, signedAt: hours(-25), endedAt: hours(-24.99), outcome: 'AMBIGUOUS', httpStatus: 502 },
      {
        n: 2,
        signedAt: hours(-24.9),
        endedAt: hours(-24.89),
        outcome: 'ACCEPTED',
        httpStatus: 200,
        traceId: 'trace-1',
      },
    ],
    lookups: [{ at: hours(-24.95), result: 'missed', afterAttempts: 1 }],
    answer: null,
  },
  at: hours(-24),
  changes: [{ at: hours(-24), before: 'IN_FLIGHT', after: 'FAILED' }],
  why: 'The service reports that the network refused the address.',
  next: 'Check in the interface of the service that it was not sent again there. Then run "bursar resend".',
  step: 'RESEND',
  lineage: [],
  standing: 'UNPAID',
  paidBy: [],
};

export const REPORT_FILES = {
  schema: 'bursar.report-files/v1',
  batchId: 'refunds-7731',
  version: 1,
  reportUrl: 'file:runs/refunds-7731',
  files: [
    'report.csv',
    'summary.html',
    'failed.csv',
    'resend.csv',
    'investigate.csv',
    'report.json',
  ].map((name) => ({
    name,
    sha256: HASH,
    workbook: name.endsWith('.csv') ? name.replace('.csv', '.xlsx') : null,
  })),
};

const item = (kind, batchId, more) => ({
  kind,
  waitsFor: [],
  missing: [],
  gaps: [],
  command: '',
  batchId,
  since: hours(-1),
  due: null,
  submittedBy: 'alice',
  totals: totals('132408.2'),
  ...more,
});

export const INBOX = {
  schema: 'bursar.inbox/v1',
  items: [
    item('APPROVAL', 'payroll-2026-12', {
      waitsFor: ['bob', 'carol'],
      missing: ['2 more from finance: bob, carol'],
      gaps: [{ count: 2, roles: ['finance'], candidates: ['bob', 'carol'] }],
      due: hours(48),
    }),
    item('HOLD', 'suppliers-nov', {
      missing: [`STOP_LOSS by Bursar: ${LOSSES}`],
      hold: { kind: 'STOP_LOSS', reason: LOSSES, by: 'Bursar' },
      totals: totals('904000'),
    }),
    item('APPROVAL', 'board-gift', {
      waitsFor: ['carol'],
      missing: ['1 more of board: carol'],
      gaps: [{ count: 1, roles: ['board'], candidates: ['carol'] }],
      totals: totals('2500'),
      submittedBy: HOSTILE,
    }),
  ],
};

const money = (amount) => ({ currency: CURRENCY, amount });

export const FUNDS = {
  schema: 'bursar.funds/v1',
  name: 'Main',
  account: '0x5a4db0c500000000000000000000000000000001',
  at: hours(0),
  currencies: [
    {
      currency: CURRENCY,
      balance: '1000000',
      reserved: '184768.25',
      claimed: '132408.2',
      free: '682823.55',
      short: '0',
    },
    { currency: 'BTC', balance: '0.5', reserved: '0', claimed: '0.75', free: '0', short: '0.25' },
  ],
  claims: [
    {
      batchId: 'contractors-48',
      stage: 'GRANTED',
      due: null,
      askedAt: hours(-2),
      grantedAt: hours(-2),
      needs: [{ currency: CURRENCY, amount: '184768.25', fee: '1847.68' }],
      running: true,
    },
    {
      batchId: 'payroll-2026-12',
      stage: 'PLANNED',
      due: hours(48),
      askedAt: null,
      grantedAt: null,
      needs: [{ currency: CURRENCY, amount: '132408.2', fee: '0' }],
      running: true,
    },
  ],
  forecast: [
    {
      at: hours(48),
      demands: [{ name: 'payroll-2026-12', needs: [money('132408.2')], estimated: false }],
      kept: [],
      left: [money('682823.55')],
      short: [],
      estimated: false,
    },
    {
      at: hours(96),
      demands: [{ name: 'rent', needs: [money('250000')], estimated: true }],
      kept: [],
      left: [money('432823.55')],
      short: [],
      estimated: true,
    },
    {
      at: hours(200),
      demands: [{ name: 'treasury', needs: null, estimated: true }],
      kept: [],
      left: [money('432823.55'), { currency: 'BTC', amount: '-0.25' }],
      short: [{ currency: 'BTC', amount: '0.25' }],
      estimated: true,
    },
  ],
};

const run = (scheduleId, at, more = {}) => ({
  run: hours(at).slice(0, 16),
  dueAt: hours(at),
  local: hours(at).slice(0, 16),
  beginsAt: hours(at - 24),
  latestBegin: hours(at + 1),
  approveUntil: hours(at),
  batchId: `${scheduleId}-${hours(at).slice(0, 10)}`,
  file: null,
  marks: [],
  state: null,
  detail: null,
  ...more,
});

/** A schedule whose runs are so many hours apart. */
const schedule = (scheduleId, state, every) => ({
  schema: 'bursar.schedule/v1',
  scheduleId,
  rule: 'at 09:00 on Friday',
  cron: '0 9 * * 5',
  timezone: 'Europe/Berlin',
  shift: 'none',
  weekend: ['Saturday', 'Sunday'],
  holidays: null,
  leadMs: 24 * HOUR_MS,
  catchUpMs: HOUR_MS,
  file: `pay/${scheduleId}-{date}.csv`,
  allowUnchanged: false,
  currency: null,
  skipInvalid: false,
  expectCount: null,
  expectTotals: [],
  accept: [],
  fundsWaitMs: null,
  canaryRows: 0,
  stopLoss: [],
  state,
  pausedAt: state === 'PAUSED' ? hours(-40) : null,
  note: state === 'PAUSED' ? HOSTILE : null,
  temporal: 'at work',
  createdBy: 'alice',
  createdAt: hours(-2_000),
  deletedBy: null,
  deletedAt: null,
  lastRuns: [run(scheduleId, -120, { state: 'ENDED', detail: 'COMPLETED' })],
  nextRuns: [1, 2, 3, 4].map((at) =>
    run(
      scheduleId,
      at * every,
      at === 2 ? { marks: [{ code: 'HOLIDAY', text: 'a holiday' }] } : {},
    ),
  ),
});

export const SCHEDULES = [
  schedule('contractors', 'AT_WORK', 168),
  schedule('interns', 'PAUSED', 300),
];

export const SCHEDULE_LIST = {
  schema: 'bursar.schedule-list/v1',
  schedules: SCHEDULES.map(({ scheduleId, state, rule, timezone, nextRuns }) => ({
    scheduleId,
    state,
    rule,
    timezone,
    nextDueAt: nextRuns[0].dueAt,
    lastRun: null,
  })),
};

const entry = (seq, actor, action, more = {}) => ({
  seq,
  batchId: 'payroll-2026-12',
  actor,
  action,
  at: hours(seq - 10),
  hash: HASH,
  detail: {},
  ...more,
});

export const AUDIT = {
  schema: 'bursar.audit/v1',
  whole: true,
  checked: 1284,
  head: { seq: 9, hash: HASH },
  broken: null,
  kept: null,
  entries: [
    entry(1, 'alice', 'submit'),
    entry(2, 'dave (unsigned)', 'approve-rejected', {
      detail: {
        what: 'The policy of this plan knows no approver "dave".',
        code: 'APPROVER_UNKNOWN',
      },
    }),
    entry(6, 'dave (unsigned)', 'approve-rejected', { detail: { what: HOSTILE } }),
    entry(3, 'bob', 'approve', { detail: { reason: 'checked with HR' } }),
    entry(4, 'Bursar', 'hold', {
      batchId: 'suppliers-nov',
      detail: { reason: LOSSES },
    }),
    entry(5, 'carol', 'schedule-pause', {
      batchId: null,
      detail: { note: 'no interns in winter' },
    }),
  ],
};

export const FINDS = {
  schema: 'bursar.finds/v1',
  word: 'EMP-004',
  more: false,
  finds: [
    {
      as: 'reference',
      batchId: 'refunds-7731',
      row: 4,
      chunk: null,
      payment: {
        address: ADDRESS,
        payee: HOSTILE,
        reference: 'EMP-004',
        amount: '1210.25',
        currency: CURRENCY,
        outcome: 'FAILED',
        reason: 'the network refused the address',
        at: hours(-24),
        transactionHash: '',
      },
    },
    { as: 'mass payout', batchId: 'refunds-7731', row: null, chunk: null, payment: null },
  ],
};

export const PAYMENT_FILE = [
  'reference,address,amount,currency,comment',
  `EMP-001,${ADDRESS},3200.50,USDT_TRC20,December`,
  `EMP-002,${ADDRESS},"3,135.50",USDT_TRC20,December`,
  `EMP-003,TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLS,2980,USDT_TRC20,"${HOSTILE.replaceAll('"', '""')}"`,
  `EMP-004,${ADDRESS},3310,USDT_TRC20,December`,
].join('\r\n');

export const STORED_FILE = {
  schema: 'bursar.file/v1',
  sha256: HASH,
  name: 'payroll-2026-12.csv',
  sizeBytes: 512,
};

const PARTS = Object.fromEntries(
  ['file', 'rows', 'findings', 'rules', 'choices'].map((name) => [name, HASH]),
);

export const TO_CORRECT =
  'reference,address,amount,currency,comment,error\nEMP-002,x,"3,135.50",USDT_TRC20,December,Write 3135.50.\n';

export const SHEET_QUESTION = { sheets: ['December', HOSTILE] };

export const COLUMN_QUESTION = {
  columns: [
    { name: 'Wallet Adress', suggestion: 'address' },
    { name: 'Net', suggestion: 'amount', values: ['1200,50', HOSTILE] },
    { name: HOSTILE },
  ],
};

/** Amounts with a decimal comma, until the person says that the file has them. */
const COMMAS = ['1200,50', '980,25'].map((value, at) => ({
  row: at + 2,
  column: 'amount',
  code: 'AMOUNT_NOT_DECIMAL',
  what: `The amount "${value}" is not a plain decimal.`,
  why: 'The comma can be a decimal comma or separate thousands. Bursar does not guess.',
  fix: 'Write a decimal point, as in 1000.5.',
  facts: { text: value },
  value,
}));

const TOTAL_DIFFERS = {
  code: 'CONTROL_TOTAL_AMOUNT',
  what: 'The amounts of the file sum up to 130,227.45 USDT (TRC20). By its total in row 42 it is 132,408.2.',
  why: 'A control total finds files that were cut off or written twice.',
  fix: 'Refused rows are not in this sum (2). Correct them first. Bursar then compares the sums again.',
  facts: {
    found: '130227.45:USDT_TRC20',
    says: 'its total in row 42',
    expected: '132408.2',
    refused: 2,
  },
};

/** What a workbook adds to its plan. */
const bookPart = (form) =>
  form?.sheet
    ? {
        sheet: form.sheet,
        totalRow: { row: 42, total: '132408.2', currency: CURRENCY },
        refused: form.decimalComma ? [] : COMMAS,
        problems: form.decimalComma ? [] : [TOTAL_DIFFERS],
      }
    : {};

/** What a file without a currency adds to its plan. */
const NO_CURRENCY = {
  rows: { total: 40, accepted: 0, refused: 40 },
  currencies: [],
  findings: [],
  digest: null,
  parts: null,
  submission: null,
  refused: [
    {
      row: 2,
      column: 'currency',
      code: 'CURRENCY_MISSING',
      what: 'The row names no currency.',
      why: 'Neither its currency cell nor --currency names one.',
      fix: 'Fill the currency column (for example USDT_TRC20), or give --currency.',
      facts: {},
      value: '',
    },
  ],
  reasons: 1,
};

/** How a plan is signed that needs signatures. */
const SIGNED = { policy: policyWith('passkey:localhost:ES256:x'), isNeeded: true };

/** The plan of a file. `accept`: codes that were accepted. */
export const planWith = (
  accept,
  {
    isWrong = false,
    hasCurrency = true,
    isSigned = false,
    id = null,
    parts = PARTS,
    form,
    currency = null,
  } = {},
) => ({
  schema: 'bursar.plan/v1',
  batchId: id ?? 'payroll-2026-12-9f2c1d7a',
  account: PLACE.account,
  signing: isSigned ? SIGNED : { policy: null, isNeeded: false },
  file: { name: STORED_FILE.name, path: null, sha256: HASH, sizeBytes: 512 },
  rows: isWrong ? { total: 4, accepted: 2, refused: 2 } : { total: 40, accepted: 40, refused: 0 },
  currencies: [
    isWrong
      ? { currency: CURRENCY, rows: 2, total: '6510.5' }
      : { currency: CURRENCY, rows: 40, total: '132408.2' },
  ],
  funds: [
    {
      currency: CURRENCY,
      available: '1000000',
      requested: '132408.2',
      fee: '1324.08',
      reserved: '0',
      claimed: '0',
      free: '1000000',
      left: '866267.72',
      caps: [],
    },
  ],
  chunks: 1,
  at: null,
  executionDate: null,
  choices: {
    currency,
    skipInvalid: false,
    expectCount: null,
    expectTotals: [],
    accept,
    at: null,
    executionDate: null,
    fundsWaitMs: null,
    beforeScheduled: false,
    chunkRows: 1000,
    rowTag: 'append',
    canaryRows: 0,
    stopLoss: [],
    ...(form === undefined ? {} : { form }),
  },
  controlTotals: null,
  findings: isWrong ? [] : FINDINGS.map((one) => ({ ...one, accepted: accept.includes(one.code) })),
  rules: {
    approval: ['2 people from finance (bob, carol), valid for 3 days'],
    approvers: [],
    findings: [],
    limits: [],
    fees: [],
  },
  approvalNeeded: isWrong ? [] : ['2 people from finance: bob, carol'],
  historyRead: true,
  digest: isWrong ? null : DIGEST,
  parts: isWrong ? null : parts,
  service: { url: PLACE.service, account: PLACE.account, environment: PLACE.environment },
  nack: isWrong ? 'runs/payroll-2026-12-9f2c1d7a/nack.csv' : null,
  problems: isWrong
    ? [
        {
          code: 'FILE_ROWS_REFUSED',
          what: '2 rows of the file are wrong.',
          why: 'Nothing is paid while a row is wrong.',
          fix: 'Correct them in the file, or leave them out.',
          facts: { file: STORED_FILE.name, refused: 2, rows: 4, nack: 'nack.csv' },
        },
      ]
    : [],
  chunkList: [],
  submission: isWrong ? null : { batchId: 'payroll-2026-12-9f2c1d7a', subject: DIGEST },
  refused: isWrong
    ? [
        {
          row: 3,
          column: 'amount',
          code: 'AMOUNT_NOT_DECIMAL',
          what: '"3,135.50" is not a plain decimal number.',
          why: 'A comma can mean two things.',
          fix: 'Write 3135.50.',
          facts: { text: '3,135.50' },
          value: '3,135.50',
        },
        {
          row: 4,
          column: 'address',
          code: 'ADDRESS_INVALID',
          what: 'The address is too short for TRON.',
          why: 'A letter is missing.',
          fix: 'Copy the whole address from its owner.',
          facts: {
            text: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLS',
            network: 'TRON',
            reason: 'its length is wrong, so it was cut off or has something added',
          },
          value: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLS',
        },
      ]
    : [],
  reasons: isWrong ? 2 : 0,
  batch: null,
  ...bookPart(form),
  ...(hasCurrency ? {} : NO_CURRENCY),
});
