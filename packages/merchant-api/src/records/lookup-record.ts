import { Unreadable } from '../response/unreadable.ts';
import { unwrap } from './fields.ts';
import { type MassPayout, readMassPayoutRecord } from './mass-payout.ts';
import { type Payout, readPayoutRecord } from './payout.ts';

/** The mass payout that a lookup found. Spec: "Mass payout record". */
export type FoundMassPayout = {
  /** `massPayout`: the record has the fields of a mass payout. */
  readonly kind: 'massPayout';
} & MassPayout;

/** The payout that a lookup found. Spec: "Payout". */
export type FoundPayout = {
  /** `payout`: the record has the fields of a single payout. */
  readonly kind: 'payout';
} & Payout;

/** The record that a lookup found; `kind` names its type. Spec: "Generic lookup". */
export type LookupRecord = FoundMassPayout | FoundPayout;

/** Fields that only one of the two records has. Spec: "Payout" and "Mass payout record". */
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

/** Reads a payout or a mass payout, wrapped or not. Throws `Unreadable`. */
export function readLookupRecord(json: unknown): LookupRecord {
  const kind = kindOf(unwrap(json, 'id'));
  return kind === 'payout'
    ? { kind, ...readPayoutRecord(json) }
    : { kind, ...readMassPayoutRecord(json) };
}

/**
 * The kind of a record. The service may add fields to either record, so the surest field decides:
 * only a payout has one address.
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
