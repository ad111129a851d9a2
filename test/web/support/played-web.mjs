/** A server of the web app that plays a story: the real files and headers, and answers that `played-answers.mjs` has. */
import fastify from 'fastify';
import * as played from './played-answers.mjs';

/** Milliseconds between two events of a batch. */
const EVENT_MS = 700;

/** @returns {Promise<import('./played-web.mjs').PlayedWeb>} */
export async function startPlayedWeb({
  serveWebApp,
  folder,
  place = {},
  session = {},
  provider = null,
  role = 'operate',
}) {
  const server = fastify({ forceCloseConnections: true });
  const requests = [];
  let passkey = 'passkey:localhost:ES256:unknown';
  let isSignedIn = true;
  let decided = {};
  let own = session;
  let submittedBy = 'alice';
  serveWebApp(server, folder);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, async (_request, text) => text);
  server.addHook('onRequest', async (request, reply) => {
    const isOpen = !request.url.startsWith('/v1/') || request.url.startsWith('/v1/session');
    if (!isOpen && !isSignedIn) return reply.code(401).send(problem('SESSION_UNKNOWN'));
  });
  server.addHook('preHandler', async ({ method, url, body }) => {
    if (method !== 'GET') requests.push({ method, url, body: bodyOf(body) });
  });
  const get = (url, answer) => server.get(url, async (request, reply) => answer(request, reply));
  const post = (url, answer) =>
    server.post(url, async ({ body, params }, reply) => answer(bodyOf(body), params, reply));

  post('/v1/session/challenge', () => ({
    schema: 'bursar.challenge/v1',
    challenge: 'q83vq83vq83vq83vq83vq83vq83vq83vq83vq83vq80',
    rpId: 'localhost',
    origin: '',
    expiresAt: new Date(Date.now() + 300_000).toISOString(),
  }));
  post('/v1/session', () => {
    isSignedIn = true;
    own = {};
    return { ...played.SESSION, role };
  });
  get('/v1/session/oidc', () => ({ schema: 'bursar.oidc/v1', name: provider?.name ?? null }));
  post('/v1/session/oidc', () => ({ schema: 'bursar.oidc-start/v1', url: provider.url }));
  get('/v1/session', (_request, reply) =>
    isSignedIn
      ? { ...played.SESSION, role, ...own }
      : reply.code(401).send(problem('SESSION_UNKNOWN')),
  );
  server.delete('/v1/session', async (_request, reply) => {
    isSignedIn = false;
    return reply.code(204).send();
  });
  get('/v1/place', () => ({ ...played.PLACE, ...place }));
  get('/v1/people', () => played.PEOPLE);
  get('/v1/inbox', () => played.INBOX);
  get('/v1/batches', ({ query }) => {
    const states = [query.states ?? []].flat();
    const isShown = ({ state }) => states.length === 0 || states.includes(state);
    return { ...played.BATCHES, batches: played.BATCHES.batches.filter(isShown) };
  });
  get('/v1/batches/:batchId', ({ params }, reply) => batchOf(params.batchId) ?? notFound(reply));
  server.get('/v1/batches/:batchId/events', (request, reply) => {
    reply.hijack();
    sendEvents(reply.raw, request.params.batchId);
  });
  get('/v1/batches/:batchId/rows', ({ query }) => rowsPage(query));
  get('/v1/batches/:batchId/rows/:row', () => played.ROW_HISTORY);
  get('/v1/batches/:batchId/report', () => played.REPORT_FILES);
  post('/v1/batches/:batchId/approval-question', () => played.questionWith(passkey, submittedBy));
  post('/v1/batches/:batchId/approvals', ({ approval }) => ({
    schema: 'bursar.approval/v1',
    ...approval,
    signed: true,
    missing: ['1 person from finance: carol'],
  }));
  for (const act of ['pause', 'cancel']) {
    post(`/v1/batches/:batchId/${act}`, ({ reason }, { batchId }) => ({
      schema: `bursar.${act}/v1`,
      batchId,
      by: 'bob',
      reason,
      notified: true,
    }));
  }
  post('/v1/batches/:batchId/chunks/:chunk/question', (body, { batchId, chunk }) =>
    played.answerQuestionOf(batchId, { ...body, chunk: Number(chunk) }, passkey),
  );
  post('/v1/batches/:batchId/chunks/:chunk/answer', () => played.ANSWERED);
  post('/v1/batches/:batchId/resend-plan', () => played.RESEND_PLAN);
  post('/v1/batches/:batchId/resend', () => played.RESENT);
  get('/v1/find', ({ query }, reply) =>
    query.word === 'nobody-9'
      ? reply.code(404).send(problem('WORD_NOT_FOUND'))
      : { ...played.FINDS, word: query.word },
  );
  get('/v1/payees', ({ query }) => payeesPage(query));
  get('/v1/payees/:address', () => ({ ...played.PAYEE, ...decided }));
  post('/v1/payees/:address/decision', ({ decision, reason }) => {
    decided = { status: decision, reason };
    return { ...played.PAYEES.payees[1], schema: 'bursar.payee/v1', ...decided };
  });
  for (const field of ['name', 'email', 'labels']) {
    post(`/v1/payees/:address/${field}`, ({ [field]: value }) => {
      decided = { ...decided, [field]: value };
      return { ...played.PAYEES.payees[1], schema: 'bursar.payee/v1', ...decided };
    });
  }
  post('/v1/payee-imports', () => played.PAYEE_IMPORT);
  get('/v1/funds', () => played.FUNDS);
  get('/v1/audit', () => played.AUDIT);
  get('/v1/schedules', () => played.SCHEDULE_LIST);
  get('/v1/schedules/:scheduleId', ({ params }) =>
    played.SCHEDULES.find(({ scheduleId }) => scheduleId === params.scheduleId),
  );
  server.put('/v1/files', async ({ query }) => ({ ...played.STORED_FILE, name: query.name }));
  post('/v1/plans', ({ file, choices }, _params, reply) => {
    const asks = file.name.endsWith('.xlsx') ? questionFor(choices.form) : null;
    if (asks !== null) return reply.code(422).send({ ...problem('HEADER_UNKNOWN_COLUMN'), asks });
    const { currency } = choices;
    return played.planWith(choices.accept, {
      isWrong: file.name.includes('wrong'),
      isSigned: file.name.includes('signed'),
      hasCurrency: currency !== null || !file.name.includes('no-currency'),
      currency,
      id: choices.id,
      form: choices.form,
    });
  });
  post('/v1/plans/to-correct.csv', (_body, _params, reply) =>
    reply.type('text/csv; charset=utf-8').send(played.TO_CORRECT),
  );
  post('/v1/batches', ({ plan: { batchId, digest } }) => ({
    schema: 'bursar.submit/v1',
    batchId,
    digest,
    outcome: batchId.endsWith('-again') ? 'ended' : 'started',
  }));
  await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    // Passkeys belong to names of hosts.
    url: `http://localhost:${server.server.address().port}`,
    requests,
    usePasskey(text, { submittedBy: by = 'alice' } = {}) {
      passkey = text;
      submittedBy = by;
    },
    signOut: () => void (isSignedIn = false),
    changeSession: (fields) => void (own = fields),
    close: () => server.close(),
  };
}

const bodyOf = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const problem = (code) => ({
  type: `urn:bursar:error:${code}`,
  title: code,
  code,
  what: code,
  why: '',
  fix: '',
});

/** The question about a workbook, as long as the person has not answered it. */
const questionFor = (form) => {
  if (form === undefined) return played.SHEET_QUESTION;
  return form.ignoreColumns.length === 0 ? played.COLUMN_QUESTION : null;
};

const notFound = (reply) => reply.code(404).send(problem('BATCH_NOT_FOUND'));

const BATCHES = {
  'payroll-2026-12': played.WAITING,
  'contractors-48': played.payingBatch(7680),
  'suppliers-nov': played.HELD,
  'refunds-7731': played.PARTIAL,
  'refunds-7750': played.UNCLEAR,
  'bonus-refused': played.REFUSED,
  'refunds-7731-r1': { ...played.WAITING, batchId: 'refunds-7731-r1' },
};

const batchOf = (batchId) =>
  BATCHES[batchId] ?? (batchId.startsWith('payroll') ? { ...played.WAITING, batchId } : undefined);

function payeesPage({ search = '', after = '', limit = '1000', withPayments }) {
  const all = search === 'staff' ? played.STAFF : played.PAYEES.payees;
  const found = all.filter((one) => JSON.stringify(one).includes(search));
  const start = found.findIndex(({ network, address }) => `${network}:${address}` === after) + 1;
  const payees = found.slice(start, start + Number(limit));
  const paid = payees.map((one) => ({ ...one, ...played.paymentsOf(one) }));
  return { ...played.PAYEES, payees: withPayments === 'true' ? paid : payees };
}

function rowsPage({ outcomes, after = '0', limit = '50' }) {
  const wanted = [outcomes ?? []].flat();
  const rows = played.ROWS.rows
    .filter(({ outcome }) => wanted.length === 0 || wanted.includes(outcome))
    .filter(({ row }) => row > Number(after))
    .slice(0, Number(limit));
  return { ...played.ROWS, rows };
}

/** The standing of a batch that pays, again and again. */
function sendEvents(raw, batchId) {
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const batch = batchOf(batchId);
  let paid = 7680;
  const send = () => {
    const next = batchId === 'contractors-48' ? played.payingBatch(paid) : batch;
    paid += 120;
    raw.write(`data: ${JSON.stringify(next)}\n\n`);
  };
  send();
  const timer = setInterval(send, EVENT_MS);
  raw.on('close', () => clearInterval(timer));
}
