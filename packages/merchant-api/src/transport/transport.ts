import { Pool } from 'undici';
import { type ExchangeLimits, exchange, type WireRequest, type WireResult } from './exchange.ts';
import type { ProxySettings, TlsSettings } from './route.ts';
import { createTunnelConnector } from './tunnel.ts';

/** Sends requests to one origin: one HTTP request per call, no redirect, no retry. Never rejects. */
export type Transport = Readonly<{
  send(request: WireRequest): Promise<WireResult>;
  /** Waits for the calls in progress, then closes the connections. A second call is harmless. */
  close(): Promise<void>;
}>;

export type TransportOptions = ExchangeLimits &
  Readonly<{
    origin: string;
    connectionsMax: number;
    tls: TlsSettings;
    proxy: ProxySettings | undefined;
  }>;

export function createTransport(options: TransportOptions): Transport {
  const open = (connections: number): Pool => openPool(options, connections);
  const pool = open(options.connectionsMax);
  let closing: Promise<void> | undefined;
  return {
    send: (request) =>
      request.isFresh === true && closing === undefined
        ? sendAlone(open(1), request, options)
        : exchange(pool, request, options),
    close: () => {
      closing ??= pool.close();
      return closing;
    },
  };
}

/** Sends one request over a connection that is closed after it. */
async function sendAlone(
  pool: Pool,
  request: WireRequest,
  limits: ExchangeLimits,
): Promise<WireResult> {
  try {
    return await exchange(pool, request, limits);
  } finally {
    await pool.destroy();
  }
}

/*
 * The dispatcher is always this pool, and never one of the caller. `not-sent` is proven by the moment at which undici writes a
 * request. A foreign dispatcher could write it before, or a second time.
 */
function openPool(options: TransportOptions, connections: number): Pool {
  const { origin, proxy, requestTimeoutMs, tls } = options;
  const connect = { ...tls, timeout: requestTimeoutMs };
  return new Pool(origin, {
    connections,
    connect: proxy === undefined ? connect : createTunnelConnector({ proxy, connect }),
    // Both restart with every byte, so a slow service could extend them without end. The deadline
    // of the call applies instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
