import { z } from 'zod';
import { FEE_OPERATION_TYPES, FEE_TYPES, FEE_ITEMS_MIN } from '@bursar/merchant-api/spec';
import { add, type Decimal, ZERO } from '../../core/decimal.ts';
import { type Fee, feeOf, feePart, type Tariff } from '../../core/tariff.ts';
import type { Tariffs } from '../../tariffs.ts';
import { exactNumber, type ExactJsonValue } from '../exact-json.ts';
import { Amount, RequiredText, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';

const FeeItem = z.strictObject({
  baseAmount: Amount,
  currency: RequiredText,
  opType: z.enum(FEE_OPERATION_TYPES),
  feeType: z.enum(FEE_TYPES),
});

export const FeeCalculationBody = z.strictObject({
  timestamp: Timestamp,
  payload: z.strictObject({ items: z.array(FeeItem).min(FEE_ITEMS_MIN) }),
});

/** Spec: "Fee calculation". */
export const feeCalculationOperation = (tariffs: Tariffs) =>
  serveOperation({
    body: FeeCalculationBody,
    writes: false,
    answer: ({ body: { payload } }) => ({
      items: payload.items.map((item) => quote(item, tariffs.of(item.currency))),
    }),
  });

/**
 * ASSUMED: the spec does not define who pays. Here the sender pays the fee on top, and the receiver
 * gets the whole amount.
 */
function quote(
  { baseAmount, currency, opType, feeType }: z.infer<typeof FeeItem>,
  tariff: Tariff,
): ExactJsonValue {
  const fee = feePart(feeOf(tariff, baseAmount), feeType);
  const nothing: Fee = { fixed: ZERO, percent: ZERO, total: ZERO };
  return {
    amount: exactNumber(baseAmount),
    currency,
    opType,
    feeReceiver: calculationResult(baseAmount, nothing),
    feeSender: calculationResult(add(baseAmount, fee.total), fee),
  };
}

const calculationResult = (amount: Decimal, fee: Fee): ExactJsonValue => ({
  amount: exactNumber(amount),
  fee: exactNumber(fee.total),
  fixedFee: exactNumber(fee.fixed),
  percentFee: exactNumber(fee.percent),
});
