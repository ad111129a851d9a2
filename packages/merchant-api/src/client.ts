import type { Operation } from './spec/endpoints.ts';
import { createSend } from './call.ts';
import type { MerchantClient } from './merchant-client.ts';
import { bindOperations } from './operations.ts';
import { checkOptions, type MerchantClientOptions } from './options.ts';
import { createClockSkew } from './transport/clock-skew.ts';
import { createTransport } from './transport/transport.ts';

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
