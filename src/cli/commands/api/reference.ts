import { z } from 'zod';
import type { Reference } from '@bursar/merchant-api';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { text, uuid } from './fields.ts';
import { readPayload } from './payload.ts';

export type ReferenceFlags = Readonly<{ json?: string; id?: string; key?: string }>;

const Payload = z.strictObject({
  id: text.min(1, { error: 'must not be empty' }).exactOptional(),
  idempotencyKey: uuid.exactOptional(),
});

/** Which object is meant: by `--id`, by `--key`, or by the payload as JSON. Throws FLAG_INVALID. */
export async function readReference(
  { json, id, key }: ReferenceFlags,
  context: Context,
): Promise<Reference> {
  const typed = { id: ['--id', id], idempotencyKey: ['--key', key] } as const;
  const payload = await readPayload(Payload, { json, typed }, context);
  const { id: givenId, idempotencyKey } = payload;
  if (givenId !== undefined && idempotencyKey === undefined) return { id: givenId };
  if (givenId === undefined && idempotencyKey !== undefined) return { idempotencyKey };
  throw flagInvalid('payload', 'give one of --id ID, --key KEY or JSON with one of them');
}

export const referenceText = (reference: Reference): string =>
  'id' in reference ? `id ${reference.id}` : `idempotency key ${reference.idempotencyKey}`;
