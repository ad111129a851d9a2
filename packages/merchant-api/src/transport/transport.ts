import { Pool } from 'undici';
import { type ExchangeLimits, exchange, type WireRequest, type WireResult } from './exchange.ts';

/** Sends POSTs to one origin: one HTTP request per call, no redirect, no retry. Never rejects. */
export type Transport = Readonly<{
  send(request: WireRequest): Promise<WireResult>;
  /** Waits for the calls under way, then closes the connections. May be called again. */
  close(): Promise<void>;
}>;

export type TransportOptions = ExchangeLimits &
  Readonly<{ origin: string; connectionsMax: number }>;

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

const openPool = (options: TransportOptions, connections: number): Pool =>
  new Pool(options.origin, {
    connections,
    connectTimeout: options.requestTimeoutMs,
    // Both restart with every byte, which a slow stranger can feed for ever; the deadline of the
    // call counts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
