import { z } from 'zod';
import { type InputSchema, requiredText } from './check-input.ts';

/** Names an object by the id that the service gave it. Spec: "Generic lookup". */
export type IdReference = {
  /** Id that the service gave the object. Not empty. */
  readonly id: string;
};

/** Names an object by the key that its creator chose. Spec: "Generic lookup". */
export type KeyReference = {
  /** The UUID that the creator of the object chose. */
  readonly idempotencyKey: string;
};

/** Names one object, by its id or by its idempotency key; never by both. Spec: "Generic lookup". */
export type Reference = IdReference | KeyReference;

export const ReferenceSchema: InputSchema<Reference> = z.union([
  z.strictObject({ id: requiredText }),
  z.strictObject({ idempotencyKey: z.guid() }),
]);
