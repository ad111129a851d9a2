import type { LookupRecord, MassPayout, Reference } from '@bursar/merchant-api';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { optionalFlag } from '../../operation-table/operation.ts';
import { readRecordText } from '../../print/record-text.ts';
import { createPayout } from './create-payout.ts';
import { text, uuid } from './fields.ts';
import { massPayoutText } from './mass-payout-text.ts';
import { apiRecord } from './operations.ts';

const givenId = text.min(1, { error: 'must not be empty' });

const referenceFields = {
  id: optionalFlag('--id <id>', 'id that the service gave', givenId),
  idempotencyKey: optionalFlag('--key <uuid>', 'idempotency key that was chosen at creation', uuid),
};

/** The parts of a command about one object, which is named by its id or its key. */
const byReference = {
  fields: referenceFields,
  payload: 'payload: {"id":"..."} or {"idempotencyKey":"..."}',
  lookedFor: (given: GivenReference) => {
    const reference = referenceOf(given);
    return 'id' in reference ? `id ${reference.id}` : `idempotency key ${reference.idempotencyKey}`;
  },
};

type GivenReference = z.output<z.ZodObject<typeof referenceFields>>;

/** Throws FLAG_INVALID unless one of the two is given. */
function referenceOf({ id, idempotencyKey }: GivenReference): Reference {
  if (id !== undefined && idempotencyKey === undefined) return { id };
  if (id === undefined && idempotencyKey !== undefined) return { idempotencyKey };
  throw flagInvalid('payload', 'give one of --id ID, --key KEY or JSON with one of them');
}

function lookupText(record: LookupRecord, context: Context): string {
  if (record.kind === 'massPayout') return massPayoutText(record, context);
  const { kind: _, id, state, ...rest } = record;
  return readRecordText(`Payout ${id}: ${state}`, rest, context);
}

/** Operations on payouts and mass payouts. */
export const PAYOUT_OPERATIONS = [
  apiRecord({
    ...byReference,
    name: 'lookup',
    summary: 'find a payout or a mass payout',
    schema: 'bursar.api-lookup/v1',
    call: (api, given) => api.lookup(referenceOf(given)),
    text: lookupText,
  }),
  apiRecord({
    ...byReference,
    name: 'payout',
    summary: 'read a mass payout and its state',
    schema: 'bursar.api-payout/v1',
    call: (api, given) => api.readMassPayout(referenceOf(given)),
    text: (record: MassPayout, context) => massPayoutText(record, context),
  }),
  createPayout,
];
