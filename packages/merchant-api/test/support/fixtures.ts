import { afterEach } from '@jest/globals';
import {
  createMerchantClient,
  type MassPayoutInput,
  MerchantApiError,
  type MerchantClient,
  type MerchantClientOptions,
  type RequestHook,
  type WaitTimer,
} from '@bursar/merchant-api';
import { type RawHandlers, type RawServer, startRawServer } from './raw-server.ts';

export const ACCOUNT = '0x52908400098527886E0F7030069857D2E4169EE7';
export const KEY = 'test-public-key';
export const SECRET = 'test-secret-key-1';
export const IDEMPOTENCY_KEY = '3f6f2a8e-5f0b-4d0c-9a57-0e6f6a2f3c11';

export const MASS_PAYOUT: MassPayoutInput = {
  currency: 'USDT_TRC20',
  massAddresses: [
    {
      depositAddress: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj',
      amount: '12.5',
      comment: 'Miete für März',
    },
  ],
  idempotencyKey: IDEMPOTENCY_KEY,
};

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A raw server that the running test closes. */
export async function openServer(handlers: RawHandlers): Promise<RawServer> {
  const server = await startRawServer(handlers);
  closers.push(() => server.close());
  return server;
}

/** A client that the running test closes. */
export function openClient(
  baseUrl: string,
  options: Partial<MerchantClientOptions> = {},
): MerchantClient {
  const client = createMerchantClient({
    baseUrl,
    key: KEY,
    secret: SECRET,
    account: ACCOUNT,
    ...options,
  });
  closers.push(() => client.close());
  return client;
}

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<MerchantApiError> {
  const outcome = await call.then(
    (answer) => new Error(`expected a failure, got ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof MerchantApiError) return outcome;
  throw outcome;
}

/** Sends the create request to such a server, and gives the failure with what the server saw. */
export async function createAgainst(
  handlers: RawHandlers,
  options: Partial<MerchantClientOptions> = {},
): Promise<{ error: MerchantApiError; requestCount: number }> {
  const server = await openServer(handlers);
  const client = openClient(server.url, options);
  const error = await failureOf(client.createMassPayout(MASS_PAYOUT));
  return { error, requestCount: server.requests.length };
}

/** A hook that keeps the start and the end of each request. */
export const noting =
  (notes: unknown[]): RequestHook =>
  (start) => {
    notes.push(start);
    return { onEnd: (end) => notes.push(end) };
  };

/** A timer of a clock that jumps over each wait. `waits` are the delays so far. */
export function jumpingTimer(random = 0) {
  const waits: number[] = [];
  let nowMs = 0;
  const timer: WaitTimer = {
    steadyMs: () => nowMs,
    wait: async (delayMs) => {
      waits.push(delayMs);
      nowMs += delayMs;
    },
    random: () => random,
  };
  return { timer, waits };
}
