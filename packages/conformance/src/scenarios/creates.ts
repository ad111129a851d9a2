import { randomUUID } from 'node:crypto';
import { bodyOf, type ServiceRequest } from '../body.ts';
import { demandFor, fieldOf, type NeededObject, recordOf } from '../expect.ts';
import type { Json } from '../request-fields.ts';
import { required, type CheckRun } from '../run.ts';
import type { ServiceAnswer } from '../service.ts';

/** The two names by which a mass payout is found. */
export type MassPayoutNames = Readonly<{ id: string; key: string }>;

/** A mass payout that was made for this run. */
export type CreatedPayout = MassPayoutNames &
  Readonly<{
    payload: Json;
    /** The answer to its create request, and the record in it. */
    answer: ServiceAnswer;
    record: unknown;
  }>;

const PAYOUT: NeededObject = { words: 'a mass payout', checkedBy: 'mass-create.state' };

/**
 * A placeholder for the amount, which is a number of any length in JSON and text in this program.
 */
const AMOUNT = '@amount@';

/** A payload with all documented fields. */
export function payoutPayload(run: CheckRun, addresses?: readonly string[]): Json {
  const { currency, address } = required(run.payment);
  const idempotencyKey = randomUUID();
  return {
    currency,
    name: 'conformance',
    comment: 'made by a conformance run',
    massAddresses: (addresses ?? [address]).map((depositAddress) => ({
      depositAddress,
      amount: AMOUNT,
      comment: 'conformance',
    })),
    executionDate: new Date().toISOString(),
    idempotencyKey,
    externalId: `packages/conformance/src/${idempotencyKey}`,
  };
}

/** Sends a create request, with the mistakes of `wrong`. */
export const sendPayout = (
  run: CheckRun,
  payload: Json,
  wrong: ServiceRequest = {},
): Promise<ServiceAnswer> => {
  const body = bodyOf(run, 'MASS_CREATE', { ...wrong, payload });
  const { amount } = required(run.payment);
  return run.service.send('MASS_CREATE', {
    ...wrong,
    body: body.replaceAll(`"${AMOUNT}"`, amount),
  });
};

export const createPayout = async (run: CheckRun, payload: Json): Promise<CreatedPayout> =>
  payoutOf(payload, demandFor(await sendPayout(run, payload), PAYOUT));

/** Returns the mass payout that a create request made. */
export function payoutOf(payload: Json, answer: ServiceAnswer): CreatedPayout {
  const record = recordOf(answer, 'id');
  const key = String(payload['idempotencyKey']);
  return { id: String(fieldOf(record, 'id')), key, payload, answer, record };
}
