import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { appendFileSync, createReadStream, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { hashOfToken, tokensText } from '../../src/app/tokens/tokens.ts';
import { ALL_OPERATIONS } from '../../src/app/operations.ts';
import { readSheet } from '../../src/report/read-sheet.ts';
import { workbookRows } from '../report/support/workbook-rows.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { policyOf } from '../support/approvers.ts';
import { eventually } from '../support/eventually.ts';
import { decisionsIn } from '../support/decisions.ts';
import { worldThatWaits } from '../cli/support/approvals.ts';
import { type FakeWorld, NOW } from '../cli/support/fake-world.ts';
import { inStore } from '../cli/support/in-store.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { playEnd, playSettle } from '../cli/support/play.ts';
import { type Api, apiOf, tokenOf } from './support/api.ts';

const open: Api[] = [];
afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

async function served(world: FakeWorld, options?: Parameters<typeof apiOf>[1]): Promise<Api> {
  const api = await apiOf(world, options);
  open.push(api);
  return api;
}

/** A statement in the name of bob, who did not make it. */
const UNSIGNED = {
  batchId: 'payroll',
  subject: 'sha256:worker',
  decision: 'approve',
  person: 'bob',
  reason: '',
  issuedAt: '2026-11-21T09:00:00.000Z',
  expiresAt: '2026-11-22T09:00:00.000Z',
  signature: null,
};

const paid = () =>
  payrollWorld(async (store) => {
    await playSettle(store, 'payroll', { outcome: 'PAID' });
    await playEnd(store, 'payroll', { state: 'COMPLETED' });
  });

describe('HTTP gives the JSON of the command line', () => {
  it.each([
    ['GET /v1/batches', ['list']],
    ['GET /v1/batches?states=COMPLETED&states=PARTIAL&limit=5', ['list', '--limit', '5']],
    ['GET /v1/batches/payroll', ['status', 'payroll']],
    ['GET /v1/batches/payroll/rows', ['rows', 'payroll']],
    ['GET /v1/batches/payroll/rows/3', ['explain', 'payroll', '3']],
    ['GET /v1/find?word=mp-1', ['find', 'mp-1']],
    ['GET /v1/inbox', ['inbox']],
  ])('%s is that of %j', async (place, args) => {
    const world = await paid();
    const { value } = await world.json(...args);
    const answer = await (await served(world)).call('read', place);
    expect([answer.status, answer.value]).toEqual([200, value]);
  });

  it('also the errors, as problems', async () => {
    const world = await paid();
    const { value } = await world.json('status', 'nobody');
    const answer = await (await served(world)).call('read', 'GET /v1/batches/nobody');
    const { what, why, fix, code } = value;
    expect(answer.type).toMatch('application/problem+json');
    expect(answer.value).toEqual({
      type: `urn:bursar:error:${String(code)}`,
      title: what,
      status: 404,
      ...{ code, what, why, fix },
      facts: { batchId: 'nobody' },
    });
  });

  it('a list is one JSON text, byte for byte', async () => {
    const world = await paid();
    const { out } = await world.run('rows', 'payroll', '-o', 'json');
    const { body } = await (await served(world)).call('read', 'GET /v1/batches/payroll/rows');
    expect(body).toBe(out);
  });
});

describe('a token', () => {
  it.each([
    ['without one', undefined, 'TOKEN_MISSING'],
    ['with another scheme', `Basic ${tokenOf('read')}`, 'TOKEN_MISSING'],
    ['with an unknown one', 'Bearer bursar_guess', 'TOKEN_UNKNOWN'],
    ['with a very long one', `Bearer ${'x'.repeat(5_000)}`, 'TOKEN_UNKNOWN'],
  ])('is needed: %s nothing is read', async (_what, authorization, code) => {
    const { server } = await served(await paid());
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await server.inject({ method: 'GET', url: '/v1/batches', headers });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, code]);
  });

  it('does the work of its role and of those below it', async () => {
    const api = await served(await paid());
    const body = { reason: 'lunch' };
    const place = 'POST /v1/batches/payroll/pause';
    expect(await api.call('read', place, { body })).toMatchObject({
      status: 403,
      value: { code: 'ROLE_TOO_LOW', what: expect.stringContaining('reader has the role read') },
    });
    expect((await api.call('submit', place, { body })).status).toBe(403);
    expect(await api.call('operate', place, { body })).toMatchObject({
      status: 409,
      value: { code: 'BATCH_ENDED' },
    });
    expect((await api.call('operate', 'GET /v1/batches')).status).toBe(200);
  });

  it('is refused from the moment in which it is revoked or expires', async () => {
    const world = await paid();
    const api = await served(world);
    expect((await api.call('read', 'GET /v1/batches')).status).toBe(200);
    const file = join(world.world.cwd, 'tokens.json');
    const reader = {
      name: 'reader',
      role: 'read',
      sha256: hashOfToken(tokenOf('read')),
      account: null,
      createdAt: '2026-11-20T09:00:00.000Z',
      expiresAt: '2026-11-21T08:00:00.000Z',
    } as const;
    writeFileSync(file, tokensText([reader]), { mode: 0o600 });
    expect((await api.call('read', 'GET /v1/batches')).status).toBe(401);
    writeFileSync(file, tokensText([{ ...reader, expiresAt: null }]), { mode: 0o600 });
    expect((await api.call('read', 'GET /v1/batches')).status).toBe(200);
    rmSync(file);
    expect((await api.call('read', 'GET /v1/batches')).status).toBe(401);
  });

  it('acts in its own name, whatever name the settings of the server have', async () => {
    const world = await payrollWorld(async () => undefined, {
      env: { BURSAR_OPERATOR_NAME: 'root' },
    });
    const api = await served(world);
    const body = { reason: 'lunch' };
    const { status, value } = await api.call('operate', 'POST /v1/batches/payroll/pause', { body });
    expect([status, value]).toMatchObject([200, { by: 'operateer', reason: 'lunch' }]);
  });

  it('approves nothing, also where approvals are unsigned', async () => {
    const world = await worldThatWaits({ policy: policyOf({ mode: 'unsigned' }) });
    const api = await served(world);
    const place = 'POST /v1/batches/payroll/approval-question';
    const asked = await api.call('operate', place, { body: { as: 'bob' } });
    const { question } = asked.value as { question: { subject: string } };
    const body = { approval: { ...UNSIGNED, subject: question.subject } };
    const answer = await api.call('operate', 'POST /v1/batches/payroll/approvals', { body });
    expect(answer).toMatchObject({ status: 403, value: { code: 'TOKEN_APPROVES_NOTHING' } });
    expect(world.engine.updates).toEqual([]);
    const log = await inStore(world, (store) => decisionsIn(store));
    expect(log.at(-1)).toMatchObject({
      action: 'approve-rejected',
      detail: { code: 'TOKEN_APPROVES_NOTHING', person: 'bob' },
    });
  });

  it.each([
    ['a hold', 'resume', 'POST /v1/batches/payroll/resume', {}],
    ['an answer', 'resolve', 'POST /v1/batches/payroll/chunks/0/answer', { answer: 'not-created' }],
  ])(
    'signs %s for nobody, also where approvals are unsigned, and the try is in the audit log',
    async (_what, action, place, fields) => {
      const pause = {
        n: 1,
        kind: 'PAUSE',
        since: NOW,
        reason: 'lunch',
        by: 'alice',
        facts: {},
      } as const;
      const world = await worldThatWaits({
        policy: policyOf({ mode: 'unsigned' }),
        status: { holds: [pause] },
      });
      const body = { ...fields, reason: 'as agreed', approval: UNSIGNED };
      const answer = await (await served(world)).call('operate', place, { body });
      expect(answer).toMatchObject({ status: 403, value: { code: 'TOKEN_APPROVES_NOTHING' } });
      expect(world.engine.updates).toEqual([]);
      const log = await inStore(world, (store) => decisionsIn(store));
      expect(log.at(-1)).toMatchObject({
        action: `${action}-rejected`,
        batchId: 'payroll',
        detail: { code: 'TOKEN_APPROVES_NOTHING', reason: 'as agreed' },
      });
      expect(JSON.stringify(log.at(-1))).toContain('operateer');
    },
  );

  it('answers in its own name where no signature is needed, whoever a statement names', async () => {
    const world = await worldThatWaits({ policy: null });
    const body = {
      answer: 'not-created',
      reason: 'as agreed',
      approval: { ...UNSIGNED, signature: 'bm9uZQ==' },
    };
    const place = 'POST /v1/batches/payroll/chunks/0/answer';
    const answer = await (await served(world)).call('operate', place, { body });
    expect(answer).toMatchObject({ status: 200, value: { by: 'operateer' } });
    expect(world.engine.updates).toMatchObject([{ by: 'operateer' }]);
  });

  it('has an hour to send a request, so that no slow body keeps its connection without end', async () => {
    const { server } = await served(await paid());
    expect(server.server.requestTimeout).toBe(3_600_000);
    expect(server.server.headersTimeout).toBe(60_000);
  });

  it('has a number of requests a minute', async () => {
    const api = await served(await paid(), { requestsPerMinute: 2 });
    const call = () => api.call('read', 'GET /v1/find?word=mp-1');
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    expect(await call()).toMatchObject({ status: 429, value: { code: 'REQUESTS_TOO_MANY' } });
    expect((await api.call('submit', 'GET /v1/find?word=mp-1')).status).toBe(200);
  });
});

describe('the requests of a token', () => {
  it('that are open at once have a limit, and each that ends makes room', async () => {
    const api = await served(await paid());
    const url = await api.server.listen({ port: 0, host: '127.0.0.1' });
    const headers = { authorization: `Bearer ${tokenOf('submit')}` };
    const uploads = Array.from({ length: 500 }, () => {
      const upload = request(`${url}/v1/files?name=a.csv`, { method: 'PUT', headers });
      upload.on('error', () => undefined);
      upload.write('address');
      return upload;
    });
    const statusOf = async () => (await fetch(`${url}/v1/batches`, { headers })).status;
    const reaches = (status: number) =>
      eventually(`status ${status}`, async () =>
        (await statusOf()) === status ? true : undefined,
      );
    await reaches(429);
    const others = { authorization: `Bearer ${tokenOf('read')}` };
    expect((await fetch(`${url}/v1/batches`, { headers: others })).status).toBe(200);
    uploads[0]?.destroy();
    await reaches(200);
    for (const upload of uploads) upload.destroy();
  });

  it('have no limit when one comes after the other', async () => {
    const api = await served(await paid());
    for (let n = 0; n < 501; n += 1) {
      expect((await api.call('read', 'GET /v1/people')).status).toBe(200);
    }
  });
});

describe('a request', () => {
  it.each([
    ['POST /v1/batches/payroll/pause', {}, 'reason'],
    ['POST /v1/batches/payroll/pause', { reason: 'x', more: 1 }, 'more'],
    ['POST /v1/batches/payroll/pause', [1], 'the body: must be a JSON object'],
    ['POST /v1/batches/payroll/approval-question', { as: 'x'.repeat(101) }, 'as'],
    [
      'POST /v1/batches/payroll/chunks/0/answer',
      { answer: 'adopt', massPayoutId: 'x'.repeat(201), reason: 'x' },
      'massPayoutId',
    ],
    ['GET /v1/batches?limit=many', undefined, 'limit'],
    ['GET /v1/batches/-x', undefined, 'batchId'],
    ['GET /v1/batches/payroll/rows/x', undefined, 'row'],
    ['GET /v1/batches/payroll/rows?after=9007199254740992', undefined, 'after'],
  ])('that is not as described is refused: %s with %j', async (place, body, problem) => {
    const api = await served(await paid());
    const answer = await api.call('operate', place, body === undefined ? {} : { body });
    expect(answer).toMatchObject({ status: 400, value: { code: 'REQUEST_INVALID' } });
    expect(answer.body).toContain(problem);
  });

  it('for a path that is not there says where the operations are described', async () => {
    const api = await served(await paid());
    expect(await api.call('read', 'GET /v1/nowhere?token=secret')).toMatchObject({
      status: 404,
      value: { code: 'PATH_UNKNOWN', what: 'There is nothing at GET /v1/nowhere.' },
    });
  });

  it.each([
    ['DELETE /v1/batches/payroll', 'GET'],
    ['PATCH /v1/funds', 'GET'],
    ['GET /v1/files', 'PUT'],
    ['POST /v1/batches/payroll/report/report.csv', 'GET, HEAD'],
  ])('with a method that its path lacks names those that it has: %s', async (place, allowed) => {
    const api = await served(await paid());
    expect(await api.call('operate', place)).toMatchObject({
      status: 405,
      value: { code: 'METHOD_WRONG', why: `It has ${allowed}. Nothing was done.` },
    });
  });

  it('that asks for the head of an answer alone runs no operation', async () => {
    const { server, logged } = await served(await paid());
    const answer = await server.inject({
      method: 'HEAD',
      url: '/v1/batches/payroll/events',
      headers: { authorization: `Bearer ${tokenOf('read')}` },
    });
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET']);
    expect(logged).toMatchObject([{ method: 'HEAD', status: 405 }]);
  });

  it('with the body null is refused, and not taken for one without a body', async () => {
    const api = await served(await paid());
    const answer = await api.server.inject({
      method: 'POST',
      url: '/v1/batches/payroll/report',
      headers: { authorization: 'Bearer bursar_operate', 'content-type': 'application/json' },
      payload: 'null',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('the body: must be a JSON object');
  });

  it.each([
    [
      'POST /v1/batches/payroll/approvals',
      { verdict: 'refuse', approval: UNSIGNED },
      'approval.decision',
    ],
    [
      'POST /v1/batches/payroll/resend-plan',
      { choices: { stopLoss: ['5%'] } },
      'choices.stopLoss: a resend has that of its batch',
    ],
  ])('whose fields contradict a rule is refused: %s with %j', async (place, body, problem) => {
    const api = await served(await paid());
    const answer = await api.call('operate', place, { body });
    expect(answer).toMatchObject({ status: 422, value: { code: 'REQUEST_UNUSABLE' } });
    expect(answer.body).toContain(problem);
  });

  it.each([
    ['a path with a part that is too long', `GET /v1/batches/${'a'.repeat(65)}`],
    ['one with a part that no router takes', `GET /v1/batches/${'a'.repeat(2_000)}`],
    ['one that is no text', 'GET /v1/batches/%ff'],
    ['a row that no file has', 'GET /v1/batches/payroll/rows/10000001'],
  ])('for %s is refused', async (_what, place) => {
    const api = await served(await paid());
    const answer = await api.call('read', place);
    expect(answer).toMatchObject({ status: 400, value: { code: 'REQUEST_INVALID' } });
    expect(answer.type).toContain('application/problem+json');
  });

  it('with a body above a megabyte is refused', async () => {
    const api = await served(await paid());
    const body = { reason: 'x'.repeat(1_100_000) };
    const answer = await api.call('operate', 'POST /v1/batches/payroll/pause', { body });
    expect(answer).toMatchObject({ status: 413, value: { code: 'REQUEST_TOO_LARGE' } });
  });

  it('stands in the log without its query and its token', async () => {
    const api = await served(await paid());
    await api.call('read', 'GET /v1/find?word=EMP-004');
    expect(api.logged).toMatchObject([
      { method: 'GET', path: '/v1/find', status: 404, token: 'reader', message: 'request' },
    ]);
    expect(JSON.stringify(api.logged)).not.toMatch(/EMP-004|bursar_/);
  });
});

describe('following a batch', () => {
  it('gives its standings as server-sent events, the last one being its end', async () => {
    const api = await served(await paid());
    const accept = 'text/event-stream';
    const { type, body } = await api.call('read', 'GET /v1/batches/payroll/events', { accept });
    expect(type).toContain(accept);
    const [first = '', end] = body.trim().split('\n\n');
    expect(JSON.parse(first.replace('data: ', ''))).toMatchObject({
      batchId: 'payroll',
      state: 'COMPLETED',
      isOver: true,
    });
    expect(end).toBe('event: end\ndata: {}');
  });
});

describe('the report of a batch', () => {
  it('is listed with its hashes, and each file can be fetched', async () => {
    const world = await paid();
    await world.run('report', 'payroll');
    const api = await served(world);
    const { value } = await api.call('read', 'GET /v1/batches/payroll/report');
    const { files } = value as { files: { name: string; sha256: string }[] };
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['report.csv', 'summary.html', 'report.json']),
    );
    for (const { name, sha256 } of files) {
      const { body, status } = await api.call('read', `GET /v1/batches/payroll/report/${name}`);
      expect([status, createHash('sha256').update(body).digest('hex')]).toEqual([200, sha256]);
    }
  });

  it('has each CSV file as a workbook with the same cells, of which no copy stays', async () => {
    const world = await paid();
    const temporaryDir = temporaryFolder();
    Object.assign(world.world, { temporaryDir });
    await world.run('report', 'payroll');
    const api = await served(world);
    const { value } = await api.call('read', 'GET /v1/batches/payroll/report');
    const { files } = value as { files: { name: string; workbook: string | null }[] };
    const compared: string[] = [];
    for (const { name, workbook } of files) {
      if (workbook === null) continue;
      const answer = await api.server.inject({
        url: `/v1/batches/payroll/report/${workbook}`,
        headers: { authorization: `Bearer ${tokenOf('read')}` },
      });
      expect(answer.headers).toMatchObject({
        'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'content-disposition': `attachment; filename="payroll-${workbook}"`,
      });
      const csv = createReadStream(join(world.world.cwd, 'runs/payroll', name));
      const cells: (readonly string[])[] = [];
      for await (const row of readSheet(csv)) cells.push(row);
      const width = cells[0]?.length ?? 0;
      const read = await workbookRows(answer.rawPayload);
      expect(read.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? ''))).toEqual(
        cells,
      );
      compared.push(workbook);
    }
    expect(compared).toContain('report.xlsx');
    await eventually('no copy is left', () => readdirSync(temporaryDir).length === 0 || undefined);
  });

  it('has no other files, and none is sent that was changed', async () => {
    const world = await paid();
    await world.run('report', 'payroll');
    const api = await served(world);
    for (const name of ['nothing.csv', 'nothing.xlsx', '..%2Ftokens.json', '__proto__']) {
      const answer = await api.call('read', `GET /v1/batches/payroll/report/${name}`);
      expect(answer).toMatchObject({ status: 404, value: { code: 'REPORT_MISSING' } });
    }
    appendFileSync(join(world.world.cwd, 'runs/payroll/report.csv'), 'x');
    for (const name of ['report.csv', 'report.xlsx']) {
      const answer = await api.call('read', `GET /v1/batches/payroll/report/${name}`);
      expect(answer).toMatchObject({ status: 409, value: { code: 'REPORT_DAMAGED' } });
    }
  });
});

describe('as JSON Lines', () => {
  const accept = 'application/jsonl';
  const linesOf = (body: string) =>
    body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);

  it('an operation gives its progress, its result, and an end', async () => {
    const world = await paid();
    const { value } = await world.json('status', 'payroll');
    const { body } = await (await served(world)).call('read', 'GET /v1/batches/payroll', {
      accept,
    });
    expect(linesOf(body)).toEqual([{ result: value }, { end: true }]);
  });

  it('a list gives what is about it, and each item', async () => {
    const api = await served(await paid());
    const { body } = await api.call('read', 'GET /v1/batches/payroll/rows?limit=1', { accept });
    expect(linesOf(body)).toMatchObject([
      { about: { batchId: 'payroll' } },
      { item: { row: 2 } },
      { end: true },
    ]);
  });

  it('an error is the last line', async () => {
    const api = await served(await paid());
    const { body } = await api.call('read', 'GET /v1/batches/nobody', { accept });
    expect(linesOf(body)).toMatchObject([{ error: { code: 'BATCH_NOT_FOUND' } }]);
  });
});

describe('the OpenAPI document', () => {
  it('needs no token, and has every operation with its role', async () => {
    const { server } = await served(await paid());
    const answer = await server.inject({ method: 'GET', url: '/v1/openapi.json' });
    const { openapi, paths } = answer.json<{
      openapi: string;
      paths: Record<string, Record<string, { operationId: string; description: string }>>;
    }>();
    const found = Object.values(paths).flatMap((path) => Object.values(path));
    expect(openapi).toBe('3.1.0');
    expect(found.map(({ operationId }) => operationId).sort()).toEqual(
      [
        ...ALL_OPERATIONS.map(({ name }) => name),
        ...[
          'uploadFile',
          'openCorrectable',
          'openReasons',
          'openReportFile',
          'askToSignIn',
          'signIn',
          'showSession',
          'signOut',
          'showOidc',
          'beginOidc',
          'finishOidc',
        ],
      ].sort(),
    );
    expect(paths['/v1/batches/{batchId}/pause']?.['post']?.description).toContain('role operate');
  });
});
