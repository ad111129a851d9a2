import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import { answerFields } from '../answer-fields.ts';
import { type ConformanceCheck, met, notShown } from '../check.ts';
import { isMultiple, literalOf } from '../decimal.ts';
import {
  demand,
  demandAccepted,
  demandEqual,
  demandRefused,
  fieldOf,
  isAccepted,
  listOf,
  recordOf,
  showAnswer,
} from '../expect.ts';
import * as kinds from '../kinds.ts';
import { requestFields } from '../request-fields.ts';
import { required, type CheckRun } from '../run.ts';
import { createPayout, payoutPayload, sendPayout } from '../scenarios/creates.ts';
import { findForm, readPayout } from '../scenarios/mass-get.ts';
import {
  createdPayout,
  paidPayout,
  partialPayout,
  ROWS,
  payoutOfRows,
} from '../scenarios/payouts.ts';
import { randomUUID } from 'node:crypto';

const CREATE = {
  section: 'Payout',
  needs: ['MASS_CREATE', 'payments'],
} as const;
const GET = {
  section: 'Payout',
  needs: ['MASS_CREATE', 'MASS_GET', 'payments'],
} as const;

const STATE = kinds.oneOf('mass payout state', PAYOUT_STATES);

/** The specification marks no field of the record as required. */
const RECORD = {
  id: kinds.optional(kinds.text),
  idempotencyKey: kinds.optional(kinds.uuid),
  companyId: kinds.optional(kinds.uuid),
  account: kinds.optional(kinds.text),
  state: kinds.optional(STATE),
  comment: kinds.optional(kinds.text),
  name: kinds.optional(kinds.text),
  currency: kinds.optional(kinds.text),
  totalWithdrawalAmount: kinds.optional(kinds.number),
  totalFee: kinds.optional(kinds.number),
  totalFeePercentage: kinds.optional(kinds.number),
  executionDate: kinds.optional(kinds.dateTime),
  externalId: kinds.optional(kinds.text),
};

const requestChecks: readonly ConformanceCheck[] = [
  ...requestFields({
    section: 'Payout',
    id: 'mass-create.request',
    checkedBy: 'mass-create.state',
    request: 'Mass payout create request',
    operation: 'MASS_CREATE',
    needs: ['payments'],
    sample: payoutPayload,
    send: sendPayout,
    presence: 'not-shown',
    fields: {
      currency: kinds.text,
      name: kinds.text,
      comment: kinds.text,
      massAddresses: kinds.list,
      'massAddresses.0.depositAddress': kinds.text,
      'massAddresses.0.amount': kinds.number,
      'massAddresses.0.comment': kinds.text,
      executionDate: kinds.dateTime,
      idempotencyKey: kinds.uuid,
      externalId: kinds.text,
    },
  }),
  {
    ...CREATE,
    id: 'mass-create.required',
    sentence: 'Which fields of a mass payout create request are required: not shown.',
    try: async (run) => {
      const names = Object.keys(payoutPayload(run));
      const requiredNames = [];
      for (const name of names) {
        const answer = await sendPayout(run, {
          ...payoutPayload(run),
          [name]: undefined,
        });
        if (!isAccepted(answer)) requiredNames.push(name);
      }
      return notShown(`refused without ${requiredNames.join(', ') || 'nothing'}`);
    },
  },
  {
    ...CREATE,
    id: 'mass-create.repeated-key',
    sentence: 'What a repeated idempotencyKey does: not shown.',
    try: async (run) => {
      const first = await createPayout(run, payoutPayload(run));
      const again = await sendPayout(run, first.payload);
      if (!isAccepted(again)) return notShown(`refused: ${showAnswer(again)}`);
      const id = fieldOf(recordOf(again, 'id'), 'id');
      return notShown(id === first.id ? 'the same payout' : 'a SECOND payout');
    },
  },
  {
    ...CREATE,
    id: 'mass-create.unknown-field',
    section: 'Errors',
    sentence: 'A request containing undocumented fields can be rejected by validation.',
    try: async (run) => {
      const answer = await sendPayout(run, {
        ...payoutPayload(run),
        undocumented: true,
      });
      return met(isAccepted(answer) ? 'accepted' : `refused: ${demandRefused(answer)}`);
    },
  },
];

/** A check that a field of the record has the value of the create request. */
const givenBack = (name: string, words: string): ConformanceCheck => ({
  ...CREATE,
  id: `mass-create.gives-back.${name}`,
  sentence: `${words} of the create request is in the mass payout record.`,
  try: async (run) => {
    const payout = await createdPayout(run);
    const came = fieldOf(payout.record, name);
    if (name === 'executionDate') {
      const asked = Date.parse(String(payout.payload[name]));
      demandEqual(name, Date.parse(String(came)), asked);
    } else demandEqual(name, came, payout.payload[name]);
    return met();
  },
});

const createChecks: readonly ConformanceCheck[] = [
  {
    ...CREATE,
    id: 'mass-create.state',
    section: 'Endpoints',
    sentence:
      'POST /api/v1/payout/mass/create is answered with a record in state CREATION_IN_PROGRESS.',
    try: async (run) => {
      const payout = await createdPayout(run);
      demandEqual('state', fieldOf(payout.record, 'state'), 'CREATION_IN_PROGRESS');
      return met();
    },
  },
  ...answerFields({
    ...CREATE,
    id: 'mass-create.record',
    record: 'Answer to mass payout create',
    read: async (run) => [(await createdPayout(run)).record],
    fields: RECORD,
  }),
  givenBack('currency', 'currency'),
  givenBack('name', 'name'),
  givenBack('comment', 'comment'),
  givenBack('executionDate', 'executionDate'),
  givenBack('idempotencyKey', 'idempotencyKey, the external id chosen by the user,'),
  givenBack('externalId', 'externalId'),
  {
    ...CREATE,
    id: 'mass-create.total',
    sentence: 'totalWithdrawalAmount is the sum of the amounts.',
    try: async (run) => {
      const { payout } = await payoutOfRows(run);
      const { amount } = required(run.payment);
      const literal = literalOf(payout.answer.text, 'totalWithdrawalAmount');
      const isSum = isMultiple(literal, amount, ROWS);
      demand(isSum, `totalWithdrawalAmount ${ROWS} times ${amount}`, literal);
      return met();
    },
  },
  {
    ...CREATE,
    id: 'mass-create.account',
    sentence: 'account of the record is the account of the request.',
    try: async (run) => {
      const payout = await createdPayout(run);
      const account = String(fieldOf(payout.record, 'account'));
      demandEqual('account', account.toLowerCase(), run.account.toLowerCase());
      return met();
    },
  },
];

/** The errors of the failed withdrawal. */
const withdrawalErrors = async (run: CheckRun): Promise<readonly unknown[]> => {
  const { last } = await partialPayout(run);
  return listOf(fieldOf(fieldOf(last, 'errors'), 'withdrawalErrors'));
};

const getChecks: readonly ConformanceCheck[] = [
  {
    ...GET,
    id: 'mass-get.request',
    section: 'Endpoints',
    sentence: 'POST /api/v1/payout/mass answers with mass payout data. (Its request: not shown.)',
    try: async (run) => {
      const { payout } = await paidPayout(run);
      const { words } = await findForm(run, payout);
      const record = recordOf(await readPayout(run, payout), 'id');
      demandEqual('id', fieldOf(record, 'id'), payout.id);
      return notShown(`it takes ${words}`);
    },
  },
  ...answerFields({
    ...GET,
    id: 'mass-get.record',
    record: 'Mass payout record',
    read: async (run) => [(await paidPayout(run)).last],
    fields: RECORD,
  }),
  ...answerFields({
    ...GET,
    needs: [...GET.needs, 'failing-address'],
    id: 'mass-get.record',
    record: 'Mass payout record with a failed withdrawal',
    read: async (run) => [(await partialPayout(run)).last],
    fields: { errors: kinds.optional(kinds.object) },
  }),
  ...answerFields({
    ...GET,
    needs: [...GET.needs, 'failing-address'],
    id: 'mass-get.record.errors.withdrawalErrors',
    record: '`errors.withdrawalErrors[]`',
    read: withdrawalErrors,
    fields: {
      withdrawalId: kinds.optional(kinds.text),
      errors: kinds.optional(kinds.list),
    },
  }),
  ...answerFields({
    ...GET,
    needs: [...GET.needs, 'failing-address'],
    id: 'mass-get.record.errors.withdrawalErrors.errors',
    record: '`errors.withdrawalErrors[].errors[]`',
    read: async (run) =>
      (await withdrawalErrors(run)).flatMap((each) => listOf(fieldOf(each, 'errors'))),
    fields: {
      id: kinds.optional(kinds.integer),
      status: kinds.optional(kinds.text),
      errorResolved: kinds.optional(kinds.boolean),
      errorMessage: kinds.optional(kinds.text),
    },
  }),
  {
    ...GET,
    id: 'mass-get.errors',
    section: 'Errors',
    sentence: 'Mass payout records report per-withdrawal problems in errors.withdrawalErrors.',
    needs: [...GET.needs, 'failing-address'],
    try: async (run) => {
      const found = await withdrawalErrors(run);
      demandEqual('withdrawals with errors', found.length, 1);
      return met();
    },
  },
  {
    ...GET,
    id: 'mass-get.unknown',
    section: 'Errors',
    sentence: 'A mass payout that does not exist is not answered with a record.',
    try: async (run) => {
      const form = await findForm(run, (await paidPayout(run)).payout);
      const nobody = { id: randomUUID(), key: randomUUID() };
      return met(demandRefused(await run.service.send('MASS_GET', form.body(nobody))));
    },
  },
  {
    ...GET,
    id: 'mass-get.by-key',
    sentence: 'Whether a mass payout can be read by its idempotencyKey here: not shown.',
    try: async (run) => {
      const { payout } = await paidPayout(run);
      const payload = { idempotencyKey: payout.key };
      const answer = await run.service.send('MASS_GET', { payload });
      if (!isAccepted(answer)) return notShown(`refused: ${showAnswer(answer)}`);
      demandEqual('id', fieldOf(recordOf(demandAccepted(answer), 'id'), 'id'), payout.id);
      return notShown('it can');
    },
  },
];

export const massPayoutChecks: readonly ConformanceCheck[] = [
  ...requestChecks,
  ...createChecks,
  ...getChecks,
];
