import type { Operation } from './spec/endpoints.ts';
import { createSend } from './call.ts';
import type { MerchantOperations } from './merchant-operations.ts';
import { bindOperations } from './operations.ts';
import { checkOptions, type MerchantClientOptions } from './options.ts';
import type { BodyParts, PreparedBody } from './request/body.ts';
import { buildBody } from './request/envelope.ts';
import { MASS_GET_FORMS, type ReferenceName } from './request/reference.ts';
import { createClockSkew } from './transport/clock-skew.ts';
import { createTransport } from './transport/transport.ts';

/** A client of one service and one API key. It holds connections: close it. */
export interface MerchantClient extends MerchantOperations {
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
  readonly takesReference: (operation: 'MASS_GET' | 'LOOKUP', name: ReferenceName) => boolean;

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
 * Each call sends one signed request, follows no redirect and never repeats it. Calls reject with
 * `MerchantApiError` only. Spec: "Authentication", "Endpoints".
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
  const { endpoints, shapes } = settings;
  const hasOperation = (operation: Operation): boolean => endpoints[operation] !== undefined;
  return Object.freeze<MerchantClient>({
    ...bindOperations(createSend({ settings, transport, clockSkew }), shapes),
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
