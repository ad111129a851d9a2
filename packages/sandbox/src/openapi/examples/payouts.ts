import { CURRENCY, ENVELOPE, EXAMPLE_ACCOUNT, PAID_ADDRESS, PAID_HASH } from './facts.ts';

const ID = '3f8e5d1c-92b4-4c07-a6d3-58e1b94f7a20';
const KEY = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

const TEXTS = {
  name: 'November',
  comment: 'Salaries',
  executionDate: '2026-11-20T12:00:00Z',
  externalId: 'batch-7',
};

const CREATED = {
  id: ID,
  idempotencyKey: KEY,
  companyId: '8b51d940-d6e4-47dc-8bf9-ba6738b4aad8',
  account: EXAMPLE_ACCOUNT,
  state: 'CREATION_IN_PROGRESS',
  currency: CURRENCY,
  totalWithdrawalAmount: 350.499999,
  totalFee: 3.50499999,
  totalFeePercentage: 1,
  ...TEXTS,
};

const ENDED = {
  ...CREATED,
  state: 'PARTIAL',
  errors: {
    withdrawalErrors: [
      {
        withdrawalId: `${ID}-2`,
        errors: [
          {
            id: 1,
            status: 'FAILED',
            errorResolved: false,
            errorMessage: 'Destination rejected by compliance',
          },
        ],
      },
    ],
  },
};

export const MASS_CREATE_EXAMPLES = {
  twoWithdrawals: {
    summary: 'Two withdrawals, of which the second will fail',
    request: {
      ...ENVELOPE,
      payload: {
        currency: CURRENCY,
        massAddresses: [
          { depositAddress: PAID_ADDRESS, amount: 250.5, comment: 'Row 1' },
          { depositAddress: 'TWGd9ia8QGPbt6S7kpswnKTQMPAf8j5bi3', amount: 99.999999 },
        ],
        idempotencyKey: KEY,
        ...TEXTS,
      },
    },
    answer: CREATED,
  },
};

export const MASS_GET_EXAMPLES = {
  ended: {
    summary: 'A mass payout that ended, by its id',
    request: { ...ENVELOPE, payload: { id: ID } },
    answer: ENDED,
  },
};

export const LOOKUP_EXAMPLES = {
  massPayout: {
    summary: 'A mass payout, by its idempotencyKey',
    request: { ...ENVELOPE, payload: { idempotencyKey: KEY } },
    answer: ENDED,
  },
  withdrawal: {
    summary: 'A withdrawal, by its id',
    request: { ...ENVELOPE, payload: { id: `${ID}-1` } },
    answer: {
      id: `${ID}-1`,
      account: EXAMPLE_ACCOUNT,
      depositAddress: PAID_ADDRESS,
      amount: 250.5,
      currency: CURRENCY,
      fee: 2.505,
      feePercentage: 1,
      feeCurrency: CURRENCY,
      blockchainFee: 0.0001,
      blockchainFeeCurrency: CURRENCY,
      state: 'COMPLETED',
      createdDate: '2026-11-20T12:00:00.000Z',
      transactionHash: PAID_HASH,
      comment: 'Row 1',
    },
  },
};
