import type { LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { readPlainAmount } from '../json/decimal.ts';
import { isJsonNumber } from '../json/json-value.ts';
import { parseJson } from '../json/read-json.ts';
import { writeJson } from '../json/write-json.ts';
import {
  amountText,
  anyText,
  checkInput,
  hasLoneSurrogate,
  invalidInput,
  requiredText,
} from './check-input.ts';
import type { PreparedBody } from './body.ts';
import { type MassAddress, writeMassAddresses } from './mass-addresses.ts';

/** The fields of a mass payout to create, beside its recipients. */
export type MassPayoutFields = {
  /** Currency ticker of every amount. Not empty. */
  readonly currency: string;
  /**
   * A UUID that names the mass payout. Choose and store it before the first attempt: after
   * an attempt without an answer, `lookup` needs it.
   */
  readonly idempotencyKey: string;
  /** Name of the payout. */
  readonly name?: string;
  /** Comment on the payout. */
  readonly comment?: string;
  /** Execution date: ISO 8601 date and time with an offset, such as `2026-10-01T00:00:00Z`. */
  readonly executionDate?: string;
  /** External reference of your choice. */
  readonly externalId?: string;
};

/**
 * A mass payout to create. ASSUMED: the fields without a question mark are required; the spec does
 * not show the required ones. Spec: "Payout", mass payout create payload.
 */
export type MassPayoutInput = MassPayoutFields & {
  /** The recipients; at least one. The spec shows no maximum. */
  readonly massAddresses: readonly MassAddress[];
};

/** A payload that `buildMassPayoutPayload` wrote and the caller stored. It is sent byte for byte. */
export type StoredPayload = {
  /** The payload: JSON text with the documented fields and no others. */
  readonly payloadText: string;
};

/**
 * A body that `prepareBody` of the client built from a payload of `buildMassPayoutPayload`. It is signed and sent
 * byte for byte, with the timestamp and the account in it, which go before the options of the call.
 *
 * The client does not check it again, which for 1,000 recipients takes longer than the rest of the
 * call. Send only a text that is unchanged, for example by its hash.
 */
export type PreparedCreate = {
  /** The body to sign and send. */
  readonly body: PreparedBody;
};

/** An amount in a stored payload. */
const amountLiteral = z.custom<LosslessNumber>(
  (value) => isJsonNumber(value) && readPlainAmount(value.value) !== undefined,
);

/** The documented fields and no others, in the order in which they are written. */
const payloadSchema = (amount: z.ZodType<LosslessNumber>) =>
  z.strictObject({
    currency: requiredText,
    name: anyText.exactOptional(),
    comment: anyText.exactOptional(),
    massAddresses: z
      .array(
        z.strictObject({
          depositAddress: requiredText,
          amount,
          comment: anyText.exactOptional(),
        }),
      )
      .min(1),
    executionDate: z.iso.datetime({ offset: true }).exactOptional(),
    idempotencyKey: z.guid(),
    externalId: anyText.exactOptional(),
  });

const InputSchema = payloadSchema(amountText);
const RestSchema = InputSchema.omit({ massAddresses: true });
const TextSchema = payloadSchema(amountLiteral);

/**
 * Writes the payload of `createMassPayout`: compact JSON, the same bytes for the same input. Amounts
 * become canonical number literals.
 *
 * Store the text before the first attempt and send it as `{ payloadText }`. Spec: "Payout", mass
 * payout create payload.
 *
 * @throws MerchantApiError `invalid-input`; its `reason` names the field.
 */
export function buildMassPayoutPayload(input: MassPayoutInput): string {
  const addresses =
    typeof input === 'object' && input !== null
      ? writeMassAddresses(input.massAddresses)
      : undefined;
  // The schema takes longer and names the field that is wrong.
  if (addresses === undefined) return writeJson(checkInput('MASS_CREATE', InputSchema, input));
  const { massAddresses: _written, ...fields } = input;
  return joinMassPayoutPayload(fields, addresses);
}

/**
 * Writes the payload of `createMassPayout` around recipients that are JSON already: the members of
 * `massAddresses`, separated by commas. The caller guarantees them; the client checks only the other
 * fields.
 *
 * @throws MerchantApiError `invalid-input`; its `reason` names the field.
 */
export function joinMassPayoutPayload(fields: MassPayoutFields, massAddresses: string): string {
  const { currency, name, comment, ...end } = checkInput('MASS_CREATE', RestSchema, fields);
  const before = writeJson({ currency, name, comment }).slice(0, -1);
  return `${before},"massAddresses":[${massAddresses}],${writeJson(end).slice(1)}`;
}

/** Returns the text to send. Throws `invalid-input`. */
export function massPayoutPayload(input: MassPayoutInput | StoredPayload): string {
  if (!isStored(input)) return buildMassPayoutPayload(input);
  checkMassPayoutPayload(input.payloadText);
  return input.payloadText;
}

export const isPrepared = (
  input: MassPayoutInput | StoredPayload | PreparedCreate,
): input is PreparedCreate => typeof input === 'object' && input !== null && 'body' in input;

const isStored = (input: MassPayoutInput | StoredPayload): input is StoredPayload =>
  typeof input === 'object' && input !== null && 'payloadText' in input;

/** Checks a stored payload. Throws `invalid-input`. */
function checkMassPayoutPayload(payloadText: string): void {
  checkInput('MASS_CREATE', TextSchema, readPayload(payloadText));
}

function readPayload(payloadText: string): unknown {
  if (typeof payloadText !== 'string') throw invalidInput('MASS_CREATE', 'payloadText is no text');
  if (hasLoneSurrogate(payloadText)) {
    throw invalidInput('MASS_CREATE', 'payloadText cannot be written as UTF-8');
  }
  try {
    return parseJson(payloadText);
  } catch (cause) {
    throw invalidInput('MASS_CREATE', 'payloadText is not JSON', cause);
  }
}
