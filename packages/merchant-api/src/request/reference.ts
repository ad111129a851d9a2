import { z } from 'zod';
import type { Shapes } from '../spec/shapes.ts';
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

/** Operations that find one object by a reference. Spec: "Endpoints"; "Generic lookup". */
export type ReferenceOperation = 'MASS_GET' | 'LOOKUP';

/** Name of the field by which a reference names its object. */
export type ReferenceName = keyof IdReference | keyof KeyReference;

/** The references that MASS_GET takes, and whether they stand beside the timestamp, without a payload. */
type MassGetForm = Readonly<{ takes: readonly ReferenceName[]; isFlat: boolean }>;

/** How MASS_GET names a mass payout, by the shape `massGetAccepts`. */
export const MASS_GET_FORMS: Readonly<Record<Shapes['massGetAccepts'], MassGetForm>> = {
  reference: { takes: ['id', 'idempotencyKey'], isFlat: false },
  'id-only': { takes: ['id'], isFlat: false },
  'key-only': { takes: ['idempotencyKey'], isFlat: false },
  flat: { takes: ['id', 'idempotencyKey'], isFlat: true },
  'flat-id-only': { takes: ['id'], isFlat: true },
  'flat-key-only': { takes: ['idempotencyKey'], isFlat: true },
};

/** The field by which a checked reference names its object. */
export const nameOfReference = (reference: Reference): ReferenceName =>
  'id' in reference ? 'id' : 'idempotencyKey';
