import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  createAgainst,
  failureOf,
  MASS_PAYOUT,
  openClient,
  openServer,
} from './support/fixtures.ts';
import { answering } from './support/raw-server.ts';

describe('when the answer cannot be used', () => {
  it.each<[string, string | Buffer]>([
    ['JSON that was cut but ended cleanly', '{"id":"mp-1","state":"CREA'],
    ['nothing', ''],
    ['HTML', '<html>busy</html>'],
    ['a record without an id', '{"state":"CONFIRMED"}'],
    ['a record with an empty id', '{"id":"","state":"CONFIRMED"}'],
    ['a record without a state', '{"id":"mp-1"}'],
    ['a record with an id that is a fraction', '{"id":1.5,"state":"CONFIRMED"}'],
    ['a list', '[{"id":"mp-1","state":"CONFIRMED"}]'],
    ['two ids', '{"id":"mp-1","id":"mp-2","state":"CONFIRMED"}'],
    ['a total out of bounds', '{"id":"mp-1","state":"CONFIRMED","totalFee":1E400}'],
    ['nesting too deep', '['.repeat(65) + ']'.repeat(65)],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xc3, 0x22])],
    ['bytes that are compressed', Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])],
  ])('%s is unreadable', async (_what, body) => {
    const { error, requestCount } = await createAgainst({ onRequest: answering({ body }) });
    expect(error).toMatchObject({ kind: 'unreadable', httpStatus: 200, operation: 'MASS_CREATE' });
    expect(requestCount).toBe(1);
  });

  it('JSON that was cut by closing a connection without a length is unreadable', async () => {
    const { error } = await createAgainst({
      onRequest: (socket) => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"id":"mp'),
    });
    expect(error).toMatchObject({ kind: 'unreadable', httpStatus: 200 });
  });

  it('a body without end is unreadable and no longer read', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const pump = (socket: Socket): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    const { error } = await createAgainst(
      {
        onRequest: (socket) => {
          socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
          socket.on('drain', () => pump(socket));
          pump(socket);
        },
      },
      { responseBytesMax: 100_000 },
    );
    expect(error).toMatchObject({ kind: 'unreadable', httpStatus: 200 });
    expect(error.reason).toBe('the body is over the limit');
  });

  it('a body is read up to the last byte of the limit', async () => {
    const body = '{"id":"mp-1","state":"CONFIRMED"}';
    const server = await openServer({ onRequest: answering({ body }) });
    const exact = openClient(server.url, { responseBytesMax: body.length });
    const short = openClient(server.url, { responseBytesMax: body.length - 1 });
    expect((await exact.createMassPayout(MASS_PAYOUT)).value.id).toBe('mp-1');
    expect((await failureOf(short.createMassPayout(MASS_PAYOUT))).kind).toBe('unreadable');
  });
});

describe('when the service points elsewhere', () => {
  it.each([301, 302, 303, 307, 308])('a %i is refused and nothing goes there', async (status) => {
    const elsewhere = await openServer({ onRequest: answering({ body: '{}' }) });
    const headers = { Location: `${elsewhere.url}/api/v1/payout/mass/create` };
    const { error, requestCount } = await createAgainst({
      onRequest: answering({ status, headers }),
    });
    expect(error).toMatchObject({ kind: 'refused', httpStatus: status, documented: false });
    expect(requestCount).toBe(1);
    expect(elsewhere.connectionCount()).toBe(0);
  });
});
