import type { Reference } from '../../../merchant-api/index.ts';
import { flagInvalid } from '../../flags/flag-error.ts';
import { readJsonObject } from './read-json.ts';

export type ReferenceFlags = Readonly<{ json?: string; id?: string; key?: string }>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Which object is meant: by `--id`, by `--key`, or by the payload as JSON. Throws FLAG_INVALID. */
export function readReference({ json, id, key }: ReferenceFlags): Reference {
  const fromJson = json === undefined ? {} : readJsonObject(json, ['id', 'idempotencyKey']);
  const ids = [id, fromJson['id']].filter((one) => one !== undefined);
  const keys = [key, fromJson['idempotencyKey']].filter((one) => one !== undefined);
  const [oneId] = ids;
  const [oneKey] = keys;
  if (ids.length + keys.length !== 1) {
    throw flagInvalid('lookup', 'give one of --id ID, --key KEY or JSON with one of them');
  }
  if (typeof oneId === 'string' && oneId !== '') return { id: oneId };
  if (typeof oneKey === 'string' && UUID.test(oneKey)) return { idempotencyKey: oneKey };
  throw flagInvalid(
    oneKey === undefined ? '--id' : '--key',
    oneKey === undefined ? 'an id is a text that is not empty' : 'a key is a UUID',
  );
}

export const referenceText = (reference: Reference): string =>
  'id' in reference ? `id ${reference.id}` : `idempotency key ${reference.idempotencyKey}`;
