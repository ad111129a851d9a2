import type { AccountCallOptions, Send } from '../call.ts';
import { unwrap } from '../records/fields.ts';
import { type MassPayout, readMassPayoutRecord } from '../records/mass-payout.ts';
import { type Payout, readPayoutRecord } from '../records/payout.ts';
import { type Reference, referencePayload } from '../request/reference.ts';
import type { Answer } from '../response/conclude.ts';
import { Unreadable } from '../response/unreadable.ts';

/** What a lookup finds. */
export type LookupRecord =
  | Readonly<{ kind: 'massPayout' } & MassPayout>
  | Readonly<{ kind: 'payout' } & Payout>;

/** Fields that only one of the two records has, by the spec, "Payout" and "Mass payout record". */
const PAYOUT_FIELDS = [
  'amount',
  'fee',
  'feePercentage',
  'feeCurrency',
  'blockchainFee',
  'blockchainFeeCurrency',
  'createdDate',
  'transactionHash',
];
const MASS_PAYOUT_FIELDS = [
  'totalWithdrawalAmount',
  'totalFee',
  'totalFeePercentage',
  'companyId',
  'name',
  'executionDate',
  'externalId',
];

/**
 * Finds a payout or a mass payout by id or idempotency key. Spec: "Generic lookup"; its path is
 * ASSUMED. ASSUMED: account-scoped; the answer is one of the two records, perhaps wrapped in
 * `{data}`.
 */
export const lookup =
  (send: Send) =>
  async (reference: Reference, call: AccountCallOptions = {}): Promise<Answer<LookupRecord>> =>
    send(
      {
        operation: 'LOOKUP',
        payloadText: referencePayload('LOOKUP', reference),
        read: readLookupRecord,
      },
      call,
    );

function readLookupRecord(json: unknown): LookupRecord {
  const kind = kindOf(unwrap(json, 'id'));
  return kind === 'payout'
    ? { kind, ...readPayoutRecord(json) }
    : { kind, ...readMassPayoutRecord(json) };
}

/**
 * The service may add fields to either record, so the surest sign decides: only a payout has one
 * address.
 */
function kindOf(record: unknown): LookupRecord['kind'] {
  if (hasAny(record, ['depositAddress'])) return 'payout';
  if (hasAny(record, MASS_PAYOUT_FIELDS)) return 'massPayout';
  if (hasAny(record, PAYOUT_FIELDS)) return 'payout';
  throw new Unreadable('it is neither a payout nor a mass payout');
}

const hasAny = (record: unknown, names: readonly string[]): boolean =>
  typeof record === 'object' &&
  record !== null &&
  names.some((name) => Object.hasOwn(record, name));
