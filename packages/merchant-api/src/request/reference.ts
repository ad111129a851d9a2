import { z } from 'zod';
import type { Operation } from '../spec/endpoints.ts';
import { writeJson } from '../json/write-json.ts';
import { checkInput, requiredText } from './check-input.ts';

/**
 * Names one object: by the service's id, or by the key that was chosen at its creation. Never both.
 */
export type Reference = Readonly<{ id: string }> | Readonly<{ idempotencyKey: string }>;

const ReferenceSchema = z.union([
  z.strictObject({ id: requiredText }),
  z.strictObject({ idempotencyKey: z.guid() }),
]);

/** Writes the payload of a lookup. Throws `invalid-input`. Spec: "Generic lookup". */
export const referencePayload = (operation: Operation, reference: Reference): string =>
  writeJson(checkInput(operation, ReferenceSchema, reference));
