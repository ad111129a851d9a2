import { once } from 'node:events';
import {
  connect,
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { AUTHORITY, SERVER_CERTIFICATE } from './certificates.ts';

/** gRPC's code of a caller who has not proven who he is. */
const UNAUTHENTICATED = '16';

/** How a server refuses strangers: by client certificates of {@link AUTHORITY}, or by a key in each request. */
export type Guard = Readonly<{ asksForCertificate: boolean; apiKey?: string }>;

/**
 * Temporal as strangers may not reach it, such as Temporal Cloud: TLS in front of a server that has none. Each request is passed
 * on as it is.
 */
export async function guardTemporal(address: string, { asksForCertificate, apiKey }: Guard) {
  const upstream = connect(`http://${address}`);
  const server = createSecureServer({
    ...SERVER_CERTIFICATE,
    ca: AUTHORITY,
    requestCert: asksForCertificate,
    rejectUnauthorized: asksForCertificate,
  });
  const refused: string[] = [];
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    // A caller that is killed resets its streams.
    stream.on('error', () => stream.destroy());
    if (apiKey === undefined || headers.authorization === `Bearer ${apiKey}`) {
      return passOn(stream, headers);
    }
    refused.push(String(headers[':path']));
    stream.respond(
      { 'content-type': 'application/grpc', 'grpc-status': UNAUTHENTICATED },
      { endStream: true },
    );
  });

  function passOn(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const own = { ...headers, ':authority': address, ':scheme': 'http' };
    const request = upstream.request(own, { endStream: false });
    let trailers = {};
    request.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
    request.on('response', (answer, flags) => {
      if (stream.destroyed) return;
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(answer, isWhole ? { endStream: true } : { waitForTrailers: true });
      if (!isWhole) request.pipe(stream);
    });
    request.on('trailers', (given) => {
      trailers = given;
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('close', () => request.close());
    stream.pipe(request);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `localhost:${(server.address() as AddressInfo).port}`,
    /** Requests that had no key, or another one. */
    refused,
    close(): void {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      server.close();
    },
  };
}
