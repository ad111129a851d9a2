import { randomUUID } from 'node:crypto';
import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import { answerFields } from '../answer-fields.ts';
import { type ConformanceCheck, met, notShown } from '../check.ts';
import {
  demandAccepted,
  demandEqual,
  demandFor,
  demandRefused,
  fieldOf,
  isAccepted,
  listOf,
  namesIn,
  recordOf,
  showAnswer,
} from '../expect.ts';
import * as kinds from '../kinds.ts';
import type { CheckRun } from '../run.ts';
import { paidPayout, partialPayout, resentPayout } from '../scenarios/payouts.ts';
import type { ServiceAnswer } from '../service.ts';

const ABOUT = {
  section: 'Generic lookup and wrapper objects',
  needs: ['LOOKUP', 'MASS_CREATE', 'MASS_GET', 'payments'],
} as const;

const LOOKUP = { words: 'a lookup', checkedBy: 'lookup.by.id' };

const lookup = ({ service }: CheckRun, payload: object): Promise<ServiceAnswer> =>
  service.send('LOOKUP', { payload });

const refusal = (id: string, sentence: string, payload: () => object): ConformanceCheck => ({
  ...ABOUT,
  id: `lookup.${id}`,
  sentence,
  needs: ['LOOKUP'],
  try: async (run) => met(demandRefused(await lookup(run, payload()))),
});

/** A check that a lookup by one of its names finds the paid payout. */
const finding = (id: 'id' | 'idempotencyKey', sentence: string): ConformanceCheck => ({
  ...ABOUT,
  id: `lookup.by.${id}`,
  sentence,
  try: async (run) => {
    const { payout } = await paidPayout(run);
    const answer = await lookup(run, {
      [id]: id === 'id' ? payout.id : payout.key,
    });
    demandEqual('id', fieldOf(recordOf(demandAccepted(answer), 'id'), 'id'), payout.id);
    return met();
  },
});

/**
 * The payout record of the failed withdrawal. With a person, also its record after a resend paid
 * it.
 */
const payoutRecords = (run: CheckRun): Promise<readonly unknown[]> =>
  run.once('payout records', async () => {
    const { last } = await partialPayout(run);
    const errors = listOf(fieldOf(fieldOf(last, 'errors'), 'withdrawalErrors'));
    const id = fieldOf(errors[0], 'withdrawalId');
    const failed = recordOf(demandFor(await lookup(run, { id }), LOOKUP), 'id');
    if (run.person === null) return [failed];
    await resentPayout(run);
    return [failed, recordOf(demandFor(await lookup(run, { id }), LOOKUP), 'id')];
  });

export const lookupChecks: readonly ConformanceCheck[] = [
  refusal('one-of-two', 'One of id and idempotencyKey must be given.', () => ({})),
  refusal('id.string', 'id is a string.', () => ({ id: {} })),
  refusal('idempotencyKey.uuid', 'idempotencyKey is a uuid.', () => ({
    idempotencyKey: 'no-uuid',
  })),
  refusal('unknown', 'What does not exist is not answered with a record.', () => ({
    idempotencyKey: randomUUID(),
  })),
  finding('id', 'An object is fetched by its id, the system id.'),
  finding(
    'idempotencyKey',
    'An object is fetched by its idempotencyKey, the external id chosen by the user at creation.',
  ),
  {
    ...ABOUT,
    id: 'lookup.by.both',
    sentence: 'What id and idempotencyKey together do: not shown.',
    try: async (run) => {
      const { id, key } = (await paidPayout(run)).payout;
      const answer = await lookup(run, { id, idempotencyKey: key });
      return notShown(isAccepted(answer) ? 'accepted' : `refused: ${showAnswer(answer)}`);
    },
  },
  {
    ...ABOUT,
    id: 'lookup.answer',
    section: 'Endpoints',
    sentence: 'Response of a lookup: not shown. (AnyResponseDTO has data.)',
    try: async (run) => {
      const { id } = (await paidPayout(run)).payout;
      return notShown(`it has ${namesIn(demandFor(await lookup(run, { id }), LOOKUP).json)}`);
    },
  },
  ...answerFields({
    section: 'Payout',
    id: 'payout.record',
    record: 'Payout record',
    needs: [...ABOUT.needs, 'failing-address'],
    read: payoutRecords,
    fields: {
      id: kinds.text,
      account: kinds.text,
      depositAddress: kinds.text,
      amount: kinds.number,
      currency: kinds.text,
      fee: kinds.number,
      feePercentage: kinds.number,
      feeCurrency: kinds.text,
      blockchainFee: kinds.optional(kinds.number),
      blockchainFeeCurrency: kinds.optional(kinds.text),
      state: kinds.oneOf('payout state', PAYOUT_STATES),
      createdDate: kinds.dateTime,
      transactionHash: kinds.optional(kinds.text),
      comment: kinds.optional(kinds.text),
      idempotencyKey: kinds.optional(kinds.uuid),
      errors: kinds.optional(kinds.object),
    },
  }),
];
