import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { readPlainAmount } from '../json/decimal.ts';
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
import { type MassAddress, writeMassAddresses } from './mass-addresses.ts';

/**
 * A mass payout to create. ASSUMED to be required: what has no question mark. Spec: "Mass payout
 * create payload".
 */
export type MassPayoutInput = Readonly<{
  currency: string;
  /** At least one. */
  massAddresses: readonly MassAddress[];
  /** A UUID chosen and recorded before the first send. */
  idempotencyKey: string;
  name?: string;
  comment?: string;
  /** ISO 8601 date and time with an offset. */
  executionDate?: string;
  externalId?: string;
}>;

/** An amount in a stored payload. */
const amountLiteral = z.custom<LosslessNumber>(
  (value) => isLosslessNumber(value) && readPlainAmount(value.value) !== undefined,
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
 * Writes the payload of a mass payout create request: exact, compact JSON, the same for the same
 * input. Amounts become canonical number literals. Throws `invalid-input`.
 */
export function buildMassPayoutPayload(input: MassPayoutInput): string {
  const addresses =
    typeof input === 'object' && input !== null
      ? writeMassAddresses(input.massAddresses)
      : undefined;
  // What is not plainly right goes the long way, which says what is wrong with it.
  if (addresses === undefined) return writeJson(checkInput('MASS_CREATE', InputSchema, input));
  const { massAddresses: _written, ...rest } = input;
  const { currency, name, comment, ...end } = checkInput('MASS_CREATE', RestSchema, rest);
  const before = writeJson({ currency, name, comment }).slice(0, -1);
  return `${before},"massAddresses":[${addresses}],${writeJson(end).slice(1)}`;
}

/** Checks a stored payload, which is then sent byte for byte. Throws `invalid-input`. */
export function checkMassPayoutPayload(payloadText: string): void {
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
