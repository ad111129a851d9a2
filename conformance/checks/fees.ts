import { FEE_OPERATION_TYPES, FEE_TYPES } from '../../src/spec/fees.ts';
import { all, broken, type Check, type Verdict } from '../check.ts';
import type { Service } from '../service.ts';
import { eachHasFields, fieldOf, hasFields, is, isError, recordOf, succeeded } from '../shape.ts';

const ABOUT = {
  section: 'Fee calculation',
  needs: ['FEE_CALCULATION'],
  leaves: 'nothing',
} as const;

const ITEM = { baseAmount: 1.5, currency: 'USDT_TRC20', opType: 'WITHDRAWAL', feeType: 'SERVICE' };

const quote = (service: Service, items: unknown) =>
  service.send('FEE_CALCULATION', { account: null, payload: { items } });

const refuses = async (service: Service, items: unknown): Promise<Verdict> =>
  isError(await quote(service, items));

const RESULT = {
  amount: is.number,
  fee: is.number,
  fixedFee: is.optional(is.number),
  percentFee: is.optional(is.number),
};

export const feeChecks: readonly Check[] = [
  {
    ...ABOUT,
    id: 'fee-record',
    sentence: 'Each item of the answer has amount, currency, opType, feeReceiver and feeSender.',
    try: async (service) => {
      const items = FEE_OPERATION_TYPES.flatMap((opType) =>
        FEE_TYPES.map((feeType) => ({ ...ITEM, opType, feeType })),
      );
      const answer = await quote(service, items);
      const quotes = fieldOf(recordOf(answer, 'items'), 'items');
      return all(
        () => succeeded(answer),
        () =>
          Array.isArray(quotes) && quotes.length > 0 ? { kind: 'met' } : broken('no items at all'),
        () =>
          eachHasFields(quotes, {
            amount: is.number,
            currency: is.text,
            opType: is.oneOf(FEE_OPERATION_TYPES),
            feeSender: (value) => hasFields(value, RESULT).kind === 'met',
            feeReceiver: (value) => hasFields(value, RESULT).kind === 'met',
          }),
      );
    },
  },
  {
    ...ABOUT,
    id: 'fee-items-min',
    section: 'Limits',
    sentence: 'A fee calculation has at least 1 item.',
    try: (service) => refuses(service, []),
  },
  {
    ...ABOUT,
    id: 'fee-fields-required',
    sentence: 'All fields of an item are required.',
    try: (service) =>
      all(
        ...Object.keys(ITEM).map(
          (name) => () => refuses(service, [{ ...ITEM, [name]: undefined }]),
        ),
      ),
  },
  {
    ...ABOUT,
    id: 'fee-values-allowed',
    sentence: 'opType is INVOICE or WITHDRAWAL, feeType is SERVICE, FIX or PERCENT.',
    try: (service) =>
      all(
        () => refuses(service, [{ ...ITEM, opType: 'GIFT' }]),
        () => refuses(service, [{ ...ITEM, feeType: 'NONE' }]),
      ),
  },
];
