import { accountUuidOf } from '../core/account-ids.ts';
import { readDecimal } from '../core/decimal.ts';
import type { Modes } from '../core/modes.ts';
import { formatScientific } from '../core/scientific.ts';
import { type ExactJsonValue, NumberLiteral } from './exact-json.ts';

type JsonObject = Readonly<Record<string, ExactJsonValue>>;

/** How an answer is written where the specification leaves it open. */
export type Dress = Pick<Modes, 'numbers' | 'extraFields'> &
  Readonly<{
    /** Whether accounts are named by their UUID. */
    namesAccountsByUuid: boolean;
  }>;

const EXTRA_TEXT: JsonObject = { addedText: 'not documented' };

/** What a service may add to any object of an answer without saying so. Spec: "Versioning" 3. */
const EXTRA_FIELDS: JsonObject = {
  ...EXTRA_TEXT,
  addedObject: { addedList: [null, true, { addedNumber: new NumberLiteral('0.5') }] },
};

/** A field that is an object of texts, whatever their names. Spec: PGPermissionGroupDTO. */
const FIELD_OF_TEXTS = 'permissionData';

/** The answer as the modes want it, and as it is when they want nothing. */
export function dressAnswer(value: ExactJsonValue, dress: Dress): ExactJsonValue {
  const { numbers, extraFields, namesAccountsByUuid } = dress;
  const isPlain = numbers === 'plain' && extraFields === 'none' && !namesAccountsByUuid;
  return isPlain ? value : dressed(value, dress);
}

function dressed(value: ExactJsonValue, dress: Dress, added = EXTRA_FIELDS): ExactJsonValue {
  if (value instanceof NumberLiteral) {
    const isPlain = dress.numbers === 'plain';
    return isPlain ? value : new NumberLiteral(formatScientific(readDecimal(value.text)));
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: ExactJsonValue) => dressed(item, dress));
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    field === undefined ? undefined : dressedField(name, field, dress),
  ]);
  const extra = dress.extraFields === 'some' ? added : {};
  return { ...(Object.fromEntries(fields) as JsonObject), ...extra };
}

function dressedField(name: string, field: ExactJsonValue, dress: Dress): ExactJsonValue {
  const isAccount = name === 'account' || name === 'accountId';
  return dress.namesAccountsByUuid && isAccount && typeof field === 'string'
    ? accountUuidOf(field)
    : dressed(field, dress, name === FIELD_OF_TEXTS ? EXTRA_TEXT : EXTRA_FIELDS);
}
