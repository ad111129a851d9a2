import type { Operation } from './spec/endpoints.ts';
import { createSend } from './call.ts';
import { bindOperations } from './operations/index.ts';
import { checkOptions, type MerchantClientOptions } from './options.ts';
import { createClockSkew } from './transport/clock-skew.ts';
import { createTransport } from './transport/transport.ts';

/** A client of one service and one API key. It holds connections: close it. */
export type MerchantClient = Readonly<
  ReturnType<typeof bindOperations> & {
    /** Whether this service has the operation, by the `endpoints` option. */
    hasOperation(operation: Operation): boolean;
    /**
     * The service's clock minus the local clock in milliseconds, as of the last answer with a
     * `Date`; undefined before. Good to about a second and half the duration of that call.
     */
    clockSkewMs(): number | undefined;
    /**
     * The service's clock now in Unix milliseconds, at the least: the smallest of its newest `Date`s,
     * each moved on by a clock that nobody can set; undefined before the first.
     */
    serverMsAtLeast(): number | undefined;
    /**
     * Waits for the calls under way, then closes the connections. Later calls end as `not-sent`.
     */
    close(): Promise<void>;
  }
>;

/**
 * Creates a client of the Merchant Payments Public API.
 *
 * Each call is one signed POST: never redirected, never repeated. Calls reject with
 * `MerchantApiError` only; wrong options throw `TypeError` at once. Spec: "Authentication",
 * "Endpoints".
 */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const settings = checkOptions(options);
  const transport = createTransport(settings);
  const clockSkew = createClockSkew();
  return Object.freeze({
    ...bindOperations(createSend({ settings, transport, clockSkew })),
    hasOperation: (operation: Operation) => settings.endpoints[operation] !== '',
    clockSkewMs: () => clockSkew.lastMs(),
    serverMsAtLeast: () => clockSkew.leastNowMs(),
    close: () => transport.close(),
  });
}
