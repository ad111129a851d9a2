import type { AccountCallOptions, Send } from '../call.ts';
import { type MassPayout, readMassPayoutRecord } from '../records/mass-payout.ts';
import { type Reference, referencePayload } from '../request/reference.ts';
import type { Answer } from '../response/conclude.ts';

/**
 * Reads a mass payout and its state. Spec: "Endpoints", POST /api/v1/payout/mass.
 * ASSUMED: account-scoped, and the payload is that of a lookup; its request body is not shown.
 */
export const readMassPayout =
  (send: Send) =>
  async (reference: Reference, call: AccountCallOptions = {}): Promise<Answer<MassPayout>> =>
    send(
      {
        operation: 'MASS_GET',
        payloadText: referencePayload('MASS_GET', reference),
        read: readMassPayoutRecord,
      },
      call,
    );
