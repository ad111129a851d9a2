import { describe, expect, it } from '@jest/globals';
import type { MerchantApiError } from '@bursar/merchant-api';
import { failureOf, MASS_PAYOUT, openClient, openServer } from './support/fixtures.ts';
import { answering, type RawAnswer } from './support/raw-server.ts';

const DATE = 'Fri, 20 Nov 2026 10:00:00 GMT';
const DATE_MS = Date.UTC(2026, 10, 20, 10);

async function refusalBy(answer: RawAnswer): Promise<MerchantApiError> {
  const server = await openServer({ onRequest: answering(answer) });
  const client = openClient(server.url, { nowMs: () => DATE_MS });
  return failureOf(client.createMassPayout(MASS_PAYOUT));
}

describe('a refusal', () => {
  it('carries the documented facts', async () => {
    const body = '{"traceId":"t-1","errorCode":"LOW_BALANCE","message":"Not enough"}';
    const error = await refusalBy({ status: 400, body, headers: { Date: DATE } });
    expect({ ...error }).toEqual({
      name: 'MerchantApiError',
      kind: 'refused',
      operation: 'MASS_CREATE',
      httpStatus: 400,
      errorCode: 'LOW_BALANCE',
      serviceMessage: 'Not enough',
      traceId: 't-1',
      documented: true,
      serverDateMs: DATE_MS,
      timestampMs: expect.any(Number),
      bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(error.message).toBe('MASS_CREATE was refused with status 400.');
  });

  it.each<[string, number, true | undefined]>([
    ['before the end of the window', 179_999, undefined],
    ['after the window', 180_000, true],
  ])('%s shows whether the timestamp alone may be the reason', async (_when, localMs, old) => {
    const server = await openServer({ onRequest: answering({ status: 400 }) });
    let nowMs = DATE_MS;
    const client = openClient(server.url, {
      nowMs: () => {
        const readMs = nowMs;
        nowMs = DATE_MS + localMs;
        return readMs;
      },
    });
    expect((await failureOf(client.createMassPayout(MASS_PAYOUT))).mayBeTooOld).toBe(old);
  });

  it.each([
    ['no body', ''],
    ['HTML', '<html></html>'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a part of the facts', '{"traceId":"t-1","errorCode":"X"}'],
    ['facts of other types', '{"traceId":1,"errorCode":"X","message":{}}'],
    ['a null', '{"traceId":null,"errorCode":"X","message":"m"}'],
    ['a fact twice', '{"traceId":"a","traceId":"b","errorCode":"X","message":"m"}'],
    ['a cut body', '{"traceId":"a","errorCode":"X","mess'],
  ])('with %s is not documented', async (_what, body) => {
    const error = await refusalBy({ status: 400, body });
    expect(error).toMatchObject({ kind: 'refused', httpStatus: 400, documented: false });
  });

  it('keeps the facts that are there', async () => {
    const error = await refusalBy({ status: 502, body: '{"traceId":"t-1","message":7}' });
    expect(error).toMatchObject({ traceId: 't-1', documented: false });
    expect(error).not.toHaveProperty('serviceMessage');
  });

  it('with a huge body is a refusal all the same', async () => {
    const server = await openServer({
      onRequest: answering({ status: 503, body: 'x'.repeat(100_000) }),
    });
    const client = openClient(server.url, { responseBytesMax: 1_000 });
    const error = await failureOf(client.createMassPayout(MASS_PAYOUT));
    expect(error).toMatchObject({ kind: 'refused', httpStatus: 503, documented: false });
  });

  it.each([300, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504, 599])(
    'is recognized by the status %i',
    async (status) => {
      expect(await refusalBy({ status, body: '{}' })).toMatchObject({
        kind: 'refused',
        httpStatus: status,
      });
    },
  );

  it.each([
    ['0', 0],
    ['120', 120_000],
    ['21600', 21_600_000],
    ['Fri, 20 Nov 2026 10:01:30 GMT', 90_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999999999999', undefined],
    ['Fri, 99 Nov 2026 10:00:00 GMT', undefined],
    ['2026-11-20', undefined],
  ])('with Retry-After "%s" asks for %s ms', async (header, retryAfterMs) => {
    const error = await refusalBy({ status: 429, headers: { 'Retry-After': header } });
    expect(error.retryAfterMs).toBe(retryAfterMs);
  });

  it("cuts and cleans a stranger's text", async () => {
    const hidden = '\u0000\u001b[31m\r\n\u202e\u2028\u200b';
    const body = JSON.stringify({
      traceId: `t${hidden}1`,
      errorCode: 'E'.repeat(1_000),
      message: `${hidden}${'😀'.repeat(1_000)}`,
    });
    const error = await refusalBy({ status: 400, body });
    expect(error.traceId).toBe('t[31m1');
    expect(error.errorCode).toBe('E'.repeat(100));
    expect(error.serviceMessage).toBe(`[31m${'😀'.repeat(296)}`);
  });
});
