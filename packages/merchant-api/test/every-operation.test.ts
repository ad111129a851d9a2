import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MerchantApiError } from '@bursar/merchant-api';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { anyText } from '../../../test/support/any-text.ts';
import { ACCOUNT, failureOf, openClient, openServer } from './support/fixtures.ts';
import { OPERATION_CASES, type OperationCase, writtenDown } from './support/operation-cases.ts';
import { leavesOf, withLeaf } from './support/leaves.ts';
import { answerBytes, answering, type RawRequest } from './support/raw-server.ts';

const timestampMs = 1_763_678_400_000;
const CASES = OPERATION_CASES.map((each) => [each.operation, each] as const);
const SHOWN = CASES.filter(([, { isShown }]) => isShown);
const NOT_SHOWN = CASES.filter(([, { isShown }]) => !isShown);
const ERROR_BODY = '{"traceId":"t-1","errorCode":"NO","message":"no"}';

const pathOf = ({ text }: RawRequest): string | undefined => text.split(' ')[1];

/** Makes the call against a server that gives one answer. */
async function valueOf({ call }: OperationCase, body: string): Promise<unknown> {
  const server = await openServer({ onRequest: answering({ body }) });
  return writtenDown((await call(openClient(server.url))).value);
}

async function errorOf({ call }: OperationCase, body: string, status = 200) {
  const server = await openServer({ onRequest: answering({ status, body }) });
  return failureOf(call(openClient(server.url)));
}

describe.each(CASES)('%s', (operation, each) => {
  it('sends exactly these bytes to its path', async () => {
    const body = JSON.stringify(each.answer);
    const server = await openServer({ onRequest: answering({ body }) });
    await each.call(openClient(server.url), timestampMs);
    const account = each.accountScoped ? `,"account":"${ACCOUNT}"` : '';
    const payload = each.payload === undefined ? '' : `,"payload":${each.payload}`;
    expect(server.requests.map((request) => [pathOf(request), request.body])).toEqual([
      [DEFAULT_ENDPOINTS[operation], `{"timestamp":${timestampMs}${account}${payload}}`],
    ]);
  });

  it('reads its answer', async () => {
    expect(await valueOf(each, JSON.stringify(each.answer))).toEqual(each.value);
  });

  it('can be moved to another path, and taken away', async () => {
    const body = JSON.stringify(each.answer);
    const server = await openServer({ onRequest: answering({ body }) });
    const moved = openClient(server.url, { endpoints: { [operation]: '/v9/other' } });
    await each.call(moved);
    expect(server.requests.map(pathOf)).toEqual(['/v9/other']);
    const without = openClient(server.url, { endpoints: { [operation]: '' } });
    expect([moved.hasOperation(operation), without.hasOperation(operation)]).toEqual([true, false]);
    expect(await failureOf(each.call(without))).toMatchObject({ kind: 'unavailable', operation });
    expect(server.requests).toHaveLength(1);
  });

  it.each([400, 401, 404, 500])('is refused by a %i', async (status) => {
    expect(await errorOf(each, ERROR_BODY, status)).toMatchObject({
      kind: 'refused',
      operation,
      errorCode: 'NO',
      documented: true,
    });
  });

  it('does not take an error body for an answer, whatever the status', async () => {
    expect(await errorOf(each, ERROR_BODY)).toMatchObject({
      kind: 'unreadable',
      operation,
      reason: 'it is an error body',
      errorCode: 'NO',
      serviceMessage: 'no',
      traceId: 't-1',
    });
  });

  it('gives MerchantApiError and nothing else, whatever the service answers', async () => {
    let reply = { status: 200, body: '' };
    const server = await openServer({
      onRequest: (socket) => socket.write(answerBytes(reply)),
    });
    const client = openClient(server.url);
    await fc.assert(
      fc.asyncProperty(hostileAnswer(each.answer), async (next) => {
        reply = next;
        const outcome = await each.call(client).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(MerchantApiError);
        else expect(outcome).toMatchObject({ httpStatus: next.status });
      }),
    );
  });
});

describe.each(SHOWN)('the answer of %s', (_operation, each) => {
  it('may be wrapped in data', async () => {
    expect(await valueOf(each, JSON.stringify({ data: each.answer }))).toEqual(each.value);
  });

  it.each(['', '{}', '[]', 'null', '"x"', '{"data":{}}', '{"data":null}'])(
    'is unreadable when it is %j',
    async (body) => {
      expect((await errorOf(each, body)).kind).toBe('unreadable');
    },
  );
});

describe.each(NOT_SHOWN)('the answer of %s, which is not shown,', (_operation, each) => {
  it.each(['', '{}', '[]', 'null', '"x"', 'true', '1.50', '[{"a":[]}]', '{"data":{}}'])(
    'may be %j',
    async (body) => {
      await expect(valueOf(each, body)).resolves.toBeDefined();
    },
  );

  it.each(['<html>', '{', ' '])('is unreadable when it is no JSON, such as %j', async (body) => {
    expect((await errorOf(each, body)).kind).toBe('unreadable');
  });
});

/** A good answer with a part of it replaced, any JSON, or no JSON at all. */
function hostileAnswer(answer: object): fc.Arbitrary<{ status: number; body: string }> {
  const text = JSON.stringify(answer);
  const spoiled = fc
    .record({ at: fc.nat(text.length), length: fc.nat(12), by: fc.string() })
    .map(({ at, length, by }) => text.slice(0, at) + by + text.slice(at + length));
  const replaced = fc
    .tuple(fc.constantFrom(...leavesOf(answer)), fc.jsonValue())
    .map(([path, value]) => JSON.stringify(withLeaf(answer, path, value)));
  const body = fc.oneof(spoiled, replaced, fc.json(), anyText());
  return fc.record({ status: fc.constantFrom(200, 200, 201, 400, 500), body });
}
