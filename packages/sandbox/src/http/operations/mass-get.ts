import { z } from 'zod';
import type { Modes } from '../../core/modes.ts';
import type { SandboxStore } from '../../store/store.ts';
import { AccountId, RequiredText, Timestamp, Uuid } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { storedRecord } from '../records.ts';
import {
  findMassPayout,
  hasOneReference,
  ONE_REFERENCE,
  Reference,
  ReferenceFields,
} from '../reference.ts';

const Envelope = { timestamp: Timestamp, account: AccountId };

/** ASSUMED: the spec does not show the body. By default it is that of a lookup. */
export const MASS_GET_BODIES = {
  reference: z.strictObject({ ...Envelope, payload: Reference }),
  'id-only': z.strictObject({ ...Envelope, payload: z.strictObject({ id: RequiredText }) }),
  'key-only': z.strictObject({ ...Envelope, payload: z.strictObject({ idempotencyKey: Uuid }) }),
  flat: z
    .strictObject({ ...Envelope, ...ReferenceFields })
    .refine(hasOneReference, ONE_REFERENCE)
    .transform(withPayload),
  'flat-id-only': z.strictObject({ ...Envelope, id: RequiredText }).transform(withPayload),
  'flat-key-only': z.strictObject({ ...Envelope, idempotencyKey: Uuid }).transform(withPayload),
} satisfies Record<Modes['massGetAccepts'], z.ZodType>;

type Body = Readonly<{
  timestamp: number;
  account: string;
  payload: Readonly<{ id?: string | undefined; idempotencyKey?: string | undefined }>;
}>;

/** Spec: "Endpoints", POST /api/v1/payout/mass. */
export const massGetOperation = ({ massPayouts, withdrawals }: SandboxStore) =>
  serveOperation<Body>({
    body: ({ massGetAccepts }) => MASS_GET_BODIES[massGetAccepts],
    writes: false,
    answer: ({ body: { payload }, ...caller }) =>
      storedRecord(withdrawals, findMassPayout(massPayouts, payload, caller)),
  });

/** Puts a reference that stands beside the timestamp into a payload. */
function withPayload<Flat extends Readonly<{ timestamp: number; account: string }>>(flat: Flat) {
  const { timestamp, account, ...payload } = flat;
  return { timestamp, account, payload };
}
