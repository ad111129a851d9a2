import { FEE_OPERATION_TYPES, FEE_TYPES } from '@bursar/merchant-api/spec';
import { answerFields } from '../answer-fields.ts';
import { type ConformanceCheck, met } from '../check.ts';
import { demandAccepted, demandFor, demandRefused, fieldOf, listOf, recordOf } from '../expect.ts';
import * as kinds from '../kinds.ts';
import { type Json, requestFields } from '../request-fields.ts';
import type { CheckRun } from '../run.ts';
import type { ServiceAnswer } from '../service.ts';

const ABOUT = {
  section: 'Fee calculation',
  needs: ['FEE_CALCULATION'],
} as const;

const someItem = (run: CheckRun): Json => ({
  baseAmount: 1.5,
  currency: run.payment?.currency ?? 'USDT_TRC20',
  opType: 'WITHDRAWAL',
  feeType: 'SERVICE',
});

export const sampleFees = (run: CheckRun): Json => ({ items: [someItem(run)] });

const send = ({ service }: CheckRun, payload: Json): Promise<ServiceAnswer> =>
  service.send('FEE_CALCULATION', { payload });

const QUOTES = { words: 'a fee calculation', checkedBy: 'fee.items.many' };

/** The answer for each operation with each kind of fee. */
const quotes = (run: CheckRun): Promise<ServiceAnswer> =>
  run.once('quotes', async () => {
    const items = FEE_OPERATION_TYPES.flatMap((opType) =>
      FEE_TYPES.map((feeType) => ({ ...someItem(run), opType, feeType })),
    );
    return demandFor(await send(run, { items }), QUOTES);
  });

const quotedItems = async (run: CheckRun): Promise<readonly unknown[]> =>
  listOf(fieldOf(recordOf(await quotes(run), 'items'), 'items'));

const RESULT = {
  amount: kinds.number,
  fee: kinds.number,
  fixedFee: kinds.optional(kinds.number),
  percentFee: kinds.optional(kinds.number),
};

const opType = kinds.oneOf(FEE_OPERATION_TYPES.join(' or '), FEE_OPERATION_TYPES);

/** A check that the service accepts every allowed value of a field. */
const allowed = (name: 'opType' | 'feeType', values: readonly string[]): ConformanceCheck => ({
  ...ABOUT,
  id: `fee.values.${name}`,
  sentence: `${name} may be ${values.join(', ')}.`,
  try: async (run) => {
    for (const value of values) {
      demandAccepted(await send(run, { items: [{ ...someItem(run), [name]: value }] }));
    }
    return met();
  },
});

export const feeChecks: readonly ConformanceCheck[] = [
  ...requestFields({
    ...ABOUT,
    needs: [],
    id: 'fee.request',
    checkedBy: QUOTES.checkedBy,
    request: 'Fee calculation request',
    operation: 'FEE_CALCULATION',
    sample: sampleFees,
    send,
    fields: {
      items: kinds.list,
      'items.0.baseAmount': kinds.number,
      'items.0.currency': kinds.text,
      'items.0.opType': opType,
      'items.0.feeType': kinds.oneOf(FEE_TYPES.join(', '), FEE_TYPES),
    },
  }),
  allowed('opType', FEE_OPERATION_TYPES),
  allowed('feeType', FEE_TYPES),
  {
    ...ABOUT,
    id: 'fee.items.min',
    section: 'Limits',
    sentence: 'Fee calculation items: at least 1.',
    try: async (run) => met(demandRefused(await send(run, { items: [] }))),
  },
  {
    ...ABOUT,
    id: 'fee.items.many',
    sentence: 'items is an array: several are accepted.',
    try: async (run) => {
      await quotes(run);
      return met();
    },
  },
  ...answerFields({
    ...ABOUT,
    id: 'fee.answer',
    record: 'Fee calculation response',
    read: async (run) => [recordOf(await quotes(run), 'items')],
    fields: {
      items: {
        ...kinds.list,
        words: 'array of at least 1',
        fits: (value) => listOf(value).length > 0,
      },
    },
  }),
  ...answerFields({
    ...ABOUT,
    id: 'fee.answer.items',
    record: 'Fee calculation response, `items[]`',
    read: quotedItems,
    fields: {
      amount: kinds.number,
      currency: kinds.text,
      opType,
      feeReceiver: kinds.object,
      feeSender: kinds.object,
    },
  }),
  ...(['feeReceiver', 'feeSender'] as const).flatMap((side) =>
    answerFields({
      ...ABOUT,
      id: `fee.answer.items.${side}`,
      record: `Fee calculation response, \`items[].${side}\``,
      read: async (run) => (await quotedItems(run)).map((item) => fieldOf(item, side)),
      fields: RESULT,
    }),
  ),
];
