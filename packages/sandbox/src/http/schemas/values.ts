import { z } from 'zod';
import { ACCOUNT_ID_PATTERN } from '@bursar/merchant-api/spec';

/*
 * The schemas of this folder describe answers for the OpenAPI document. The running sandbox checks
 * no answer with them, but packages/sandbox/test/openapi does.
 * Each schema lists the fields that the sandbox sends. A field is optional where it can be absent,
 * or where the specification has it so.
 */

/** An amount in an answer: a JSON number of any precision. */
export const AmountValue = z
  .number()
  .describe('An exact decimal of any precision. Read its digits exactly.');

export const CountValue = z.number().meta({ type: 'integer', format: 'int32' });

export const TotalValue = z.number().meta({ type: 'integer', format: 'int64' });

export const UuidValue = z.string().meta({ format: 'uuid' });

export const DateTimeValue = z.string().meta({ format: 'date-time' });

export const AccountValue = z.string().regex(ACCOUNT_ID_PATTERN);

export const CurrencyValue = z.string().describe('A ticker, such as USDT_TRC20 or BTC.');

export const TransactionHashValue = z.string().regex(/^[0-9a-f]{64}$/);
