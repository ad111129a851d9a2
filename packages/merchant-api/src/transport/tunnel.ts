import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { compact } from '../compact.ts';
import { DEFAULT_PORTS, type ProxySettings, type TlsSettings } from './route.ts';

type TunnelOptions = Readonly<{
  proxy: ProxySettings;
  /** TLS settings of the service; `timeout` also limits the wait for the proxy, in milliseconds. */
  connect: TlsSettings & Readonly<{ timeout: number }>;
}>;

/**
 * Returns a function that opens connections through an HTTP proxy, for undici's pool. The pool writes a request only to a
 * connection that it gets, so a proxy changes nothing about `not-sent`.
 *
 * undici's own `ProxyAgent` is not used: when a proxy closes the connection, it connects again without a pause and without end.
 */
export function createTunnelConnector(options: TunnelOptions): buildConnector.connector {
  const secure = buildConnector(options.connect);
  return (target, callback) =>
    openTunnel(options, authorityOf(target), (error, socket) => {
      if (error !== null) callback(error, null);
      else if (target.protocol === 'https:') secure({ ...target, httpSocket: socket }, callback);
      else callback(null, socket);
    });
}

const authorityOf = ({ hostname, port, protocol }: buildConnector.Options): string =>
  `${hostname}:${port || DEFAULT_PORTS[protocol === 'https:' ? protocol : 'http:']}`;

type Opened = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/** Calls back once, with a socket on which the bytes of the target follow, or with an error. */
function openTunnel({ proxy, connect }: TunnelOptions, authority: string, opened: Opened): void {
  const { protocol, host, port, authorization } = proxy;
  const open = protocol === 'https:' ? requestHttps : requestHttp;
  const request = open({
    method: 'CONNECT',
    host,
    port,
    path: authority,
    headers: { Host: authority, ...compact({ 'Proxy-Authorization': authorization }) },
    ...compact({ ca: connect.ca }),
    agent: false,
  });
  const deadline = setTimeout(
    () => request.destroy(failure('time-out', 'the proxy did not answer')),
    connect.timeout,
  );
  request.once('error', (error) => {
    clearTimeout(deadline);
    opened(error, null);
  });
  request.once('connect', ({ statusCode }, socket, head) => {
    clearTimeout(deadline);
    if (statusCode === 200 && head.length === 0) return opened(null, socket.setNoDelay(true));
    socket.destroy();
    return opened(failure(`proxy-${statusCode}`, `the proxy answered ${statusCode}`), null);
  });
  request.end();
}

const failure = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });
