import type { Operation } from './spec/endpoints.ts';
import { createSend } from './call.ts';
import type { MerchantClient } from './merchant-client.ts';
import { bindOperations } from './operations.ts';
import { checkOptions, type MerchantClientOptions } from './options.ts';
import { createClockSkew } from './transport/clock-skew.ts';
import { createTransport } from './transport/transport.ts';
import { withRetries } from './waiting/retries.ts';
import { waitForMassPayout } from './waiting/wait-for-mass-payout.ts';

/**
 * Creates a client of the Merchant Payments Public API.
 *
 * Each call sends one signed POST and follows no redirect. The client repeats reads alone, and only with the option `retries`.
 * Calls reject with `MerchantApiError` only. Spec: "Authentication", "Endpoints".
 *
 * @throws TypeError for a wrong option; the message names the option and never its value.
 * @example
 * const client = createMerchantClient({ baseUrl: 'https://api.example', key, secret, account });
 * const { value } = await client.readBalance();
 * await client.close();
 */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const settings = checkOptions(options);
  const transport = createTransport(settings);
  const clockSkew = createClockSkew();
  const send = withRetries(createSend({ settings, transport, clockSkew }), settings);
  const operations = bindOperations(send);
  const { timer } = settings;
  return Object.freeze<MerchantClient>({
    ...operations,
    waitForMassPayout: (reference, options) =>
      waitForMassPayout({ read: operations.readMassPayout, timer }, reference, options),
    hasOperation: (operation: Operation) => settings.endpoints[operation] !== '',
    clockSkewMs: () => clockSkew.lastMs(),
    serverMsAtLeast: () => clockSkew.leastNowMs(),
    close: () => transport.close(),
  });
}
