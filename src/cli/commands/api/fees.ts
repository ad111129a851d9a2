import { z } from 'zod';
import { isCurrency } from '../../../domain/currencies/currency-info.ts';
import { isBursarError } from '../../../domain/errors/bursar-error.ts';
import { formatAmount, parseAmount } from '../../../domain/money/amount.ts';
import type { FeeItem } from '../../../merchant-api/index.ts';
import { FEE_OPERATION_TYPES, FEE_TYPES } from '../../../spec/fees.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../flags/flag-error.ts';
import { readJsonObject } from './read-json.ts';
import { type ApiCall, runApi } from './run.ts';

export type FeesFlags = Readonly<{
  json?: string;
  amount?: string;
  currency?: string;
  op?: string;
  feeType?: string;
}>;

const Items = z.array(
  z.strictObject({
    /** Text, so that no amount is ever a JavaScript number. */
    baseAmount: z.string({ error: 'baseAmount must be text, such as "12.5"' }).refine(isAmount, {
      error: 'baseAmount must be a plain decimal, such as "12.5"',
    }),
    currency: z.string().refine(isCurrency, { error: 'currency must be such as USDT_TRC20' }),
    opType: z.enum(FEE_OPERATION_TYPES).default('WITHDRAWAL'),
    feeType: z.enum(FEE_TYPES).default('SERVICE'),
  }),
);

/** `bursar api fees`: what the service would charge, for one amount by flags or for several by JSON. */
export async function fees(flags: FeesFlags, context: Context): Promise<number> {
  const items = readItems(flags);
  const call: ApiCall['call'] = async (api) => {
    const answer = await api.calculateFees({ items });
    return { ...answer, value: { items: answer.value } };
  };
  return runApi({ schema: 'bursar.api-fees/v1', call }, context);
}

function readItems({ json, amount, currency, op, feeType }: FeesFlags): readonly FeeItem[] {
  const byFlags = [amount, currency, op, feeType].some((flag) => flag !== undefined);
  if (json !== undefined && byFlags) throw flagInvalid('JSON', 'give JSON or flags, not both');
  const given =
    json === undefined
      ? [
          {
            baseAmount: amount ?? missing('--amount'),
            currency: currency ?? missing('--currency'),
            opType: op,
            feeType,
          },
        ]
      : readJsonObject(json, ['items'])['items'];
  const checked = Items.min(1).safeParse(given);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw flagInvalid('fees', `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

function missing(flag: string): never {
  throw flagInvalid(flag, 'is needed, unless JSON is given');
}

function isAmount(text: string): boolean {
  try {
    return formatAmount(parseAmount(text)) !== '0';
  } catch (error) {
    if (isBursarError(error)) return false;
    throw error;
  }
}
