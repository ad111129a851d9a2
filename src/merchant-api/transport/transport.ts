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
  const pool = new Pool(options.origin, {
    connections: options.connectionsMax,
    connectTimeout: options.requestTimeoutMs,
    // Both restart with every byte, which a slow stranger can feed for ever; the deadline of the
    // call counts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let closing: Promise<void> | undefined;
  return {
    send: (request) => exchange(pool, request, options),
    close: () => {
      closing ??= pool.close();
      return closing;
    },
  };
}
