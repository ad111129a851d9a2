import type { AccountCallOptions, Send } from '../call.ts';
import { type MassPayout, readMassPayoutRecord } from '../records/mass-payout.ts';
import {
  buildMassPayoutPayload,
  checkMassPayoutPayload,
  type MassPayoutInput,
} from '../request/mass-payout-payload.ts';
import type { Answer } from '../response/conclude.ts';

/**
 * A payload that `buildMassPayoutPayload` wrote and the caller stored: it is sent byte for byte.
 */
export type StoredPayload = Readonly<{
  payloadText: string;
  /**
   * Whether the caller knows that the text is unchanged since it was written, by its hash for one. It is then not
   * checked again, which for a thousand recipients takes longer than everything else.
   */
  checked?: boolean;
}>;

/**
 * Creates a mass payout. ASSUMED: account-scoped. Spec: "Endpoints", POST
 * /api/v1/payout/mass/create.
 *
 * Anything but an answer or the kinds `not-sent`, `unavailable`, `invalid-input` leaves open
 * whether money moves: look the payout up by its idempotency key before another attempt.
 */
export const createMassPayout =
  (send: Send) =>
  async (
    input: MassPayoutInput | StoredPayload,
    call: AccountCallOptions = {},
  ): Promise<Answer<MassPayout>> =>
    send(
      {
        operation: 'MASS_CREATE',
        payloadText: payloadTextOf(input),
        read: readMassPayoutRecord,
      },
      call,
    );

function payloadTextOf(input: MassPayoutInput | StoredPayload): string {
  if (!isStored(input)) return buildMassPayoutPayload(input);
  if (input.checked !== true) checkMassPayoutPayload(input.payloadText);
  return input.payloadText;
}

const isStored = (input: MassPayoutInput | StoredPayload): input is StoredPayload =>
  typeof input === 'object' && input !== null && 'payloadText' in input;
