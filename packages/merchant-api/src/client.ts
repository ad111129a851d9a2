import type { Operation } from './spec/endpoints.ts';
import { createSend } from './call.ts';
import type { MerchantOperations } from './merchant-operations.ts';
import { bindOperations } from './operations.ts';
import { checkOptions, type MerchantClientOptions } from './options.ts';
import type { MassPayout } from './records/mass-payout.ts';
import type { BodyParts, PreparedBody } from './request/body.ts';
import { buildBody } from './request/envelope.ts';
import {
  MASS_GET_FORMS,
  type Reference,
  type ReferenceName,
  type ReferenceOperation,
} from './request/reference.ts';
import type { Answer } from './response/conclude.ts';
import { createClockSkew } from './transport/clock-skew.ts';
import { createTransport } from './transport/transport.ts';
import { withRetries } from './waiting/retries.ts';
import { waitForMassPayout } from './waiting/wait-for-mass-payout.ts';
import type { WaitOptions } from './waiting/wait-options.ts';

/** A client of one service and one API key. It holds connections: close it. */
export interface MerchantClient extends MerchantOperations {
  /**
   * Reads a mass payout until its state is COMPLETED, PARTIAL, FAILED or CANCELED (`FINAL_MASS_PAYOUT_STATES`), and resolves
   * with that answer.
   *
   * The first read is at once. The delay before the next one doubles from 1 s to 30 s, less up to half by chance, and is never
   * shorter than `Retry-After`. Failures that may pass cost a read and no more: `not-sent`, `no-answer`, `unreadable`, and the
   * statuses 408, 425, 429 and from 500 up. Other refusals end the wait after `unknownMs`; those of key, signature or
   * permission (ASSUMED: 401, 403) at once. Rejects with that `MerchantApiError`, or with `NotFinalError` at the deadline and
   * after an abort.
   *
   * Final does not mean settled for ever: people can send failed withdrawals of a PARTIAL mass payout again in the service's own
   * interface. Spec: "States and transitions".
   *
   * @example
   * const { value } = await client.waitForMassPayout({ idempotencyKey }, { deadlineMs: 600_000 });
   * if (value.state !== 'COMPLETED') console.log(value.withdrawalErrors);
   */
  readonly waitForMassPayout: (
    reference: Reference,
    options?: WaitOptions,
  ) => Promise<Answer<MassPayout>>;

  /**
   * Builds the body of a `createMassPayout` in the shapes of this client, so that its bytes and their digest are known
   * before the first attempt. The same parts give the same bytes.
   *
   * @throws MerchantApiError `invalid-input` for a timestamp or an account that cannot be sent.
   * @example
   * const body = client.prepareBody({ timestampMs, account, payloadText });
   * // store body.bodySha256, then:
   * await client.createMassPayout({ body });
   */
  readonly prepareBody: (parts: BodyParts) => PreparedBody;

  /** Whether this service has the operation. False when the option `endpoints` has '' for it. */
  readonly hasOperation: (operation: Operation) => boolean;

  /**
   * Whether this service has the operation and finds an object there by an `id`, or by an `idempotencyKey`. By the
   * option `shapes`, MASS_GET may take only one of them.
   */
  readonly takesReference: (operation: ReferenceOperation, name: ReferenceName) => boolean;

  /**
   * The service's clock minus the local clock, in milliseconds, by the last `Date` header. Undefined
   * before the first. Accurate to about a second and half the duration of that call.
   */
  readonly clockSkewMs: () => number | undefined;

  /**
   * A lower bound of the service's clock now, as Unix time in milliseconds. It is the smallest of
   * the newest `Date` headers, each moved forward by a monotonic clock. Undefined before the first.
   */
  readonly serverMsAtLeast: () => number | undefined;

  /** Waits for the calls in progress, then closes the connections. Later calls fail as `not-sent`. */
  readonly close: () => Promise<void>;
}

/**
 * Creates a client of the Merchant Payments Public API.
 *
 * Each call sends one signed request and follows no redirect. The client repeats reads alone, and only with the option
 * `retries`. Calls reject with `MerchantApiError` only. Spec: "Authentication", "Endpoints".
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
  const { endpoints, shapes, timer } = settings;
  const operations = bindOperations(send, shapes);
  const hasOperation = (operation: Operation): boolean => endpoints[operation] !== undefined;
  return Object.freeze<MerchantClient>({
    ...operations,
    waitForMassPayout: (reference, wait) =>
      waitForMassPayout({ read: operations.readMassPayout, timer }, reference, wait),
    prepareBody: (parts) => buildBody(settings, 'MASS_CREATE', parts),
    hasOperation,
    takesReference: (operation, name) =>
      hasOperation(operation) &&
      (operation === 'LOOKUP' || MASS_GET_FORMS[shapes.massGetAccepts].takes.includes(name)),
    clockSkewMs: () => clockSkew.lastMs(),
    serverMsAtLeast: () => clockSkew.leastNowMs(),
    close: () => transport.close(),
  });
}
