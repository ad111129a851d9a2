import { OPERATION_CODES } from '@bursar/merchant-api/spec';
import { CURRENCY, ENVELOPE, EXAMPLE_ACCOUNT, PAID_ADDRESS, PAID_HASH } from './facts.ts';

const CREATED = {
  name: 'Salaries',
  address: 'TWTNicjwdA9qaSNzUUiX2BtFH1xcjTeqd5',
  blockchain: 'TRON',
  balances: [],
};
const RENAMED = { ...CREATED, name: 'Salaries 2026' };

const PAID = { amount: 250.5, serviceFee: 2.505, networkFee: 0.0001 };

export const WALLET_LIST_EXAMPLES = {
  firstPage: {
    summary: 'The first two wallets by name',
    request: {
      ...ENVELOPE,
      payload: { pageNumber: 1, pageSize: 2, sort: 'ASC', properties: 'name' },
    },
    answer: {
      result: [
        {
          name: 'Main BITCOIN',
          address: '1ERmSAGBdFsNAmk36q4q3Nrbj1McrbmAed',
          blockchain: 'BITCOIN',
          balances: [{ currency: 'BTC', amount: 1_000_000, token: false }],
        },
        {
          name: 'Main BSC',
          address: '0x4Be564bFDBeBc7FBe24dA2ac8341D89aF9A22E9F',
          blockchain: 'BSC',
          balances: [],
        },
      ],
      page: 1,
      size: 2,
      total: 4,
      totalElements: 8,
    },
  },
};

export const WALLET_CREATE_EXAMPLES = {
  further: {
    summary: 'A further wallet',
    request: { ...ENVELOPE, payload: { name: CREATED.name, blockchain: 'TRON' } },
    answer: CREATED,
  },
};

export const WALLET_RENAME_EXAMPLES = {
  renamed: {
    summary: 'Another name',
    request: { ...ENVELOPE, payload: { address: CREATED.address, name: RENAMED.name } },
    answer: RENAMED,
  },
};

export const LOOKUP_ADDRESS_EXAMPLES = {
  wallet: {
    summary: 'A wallet, by its address',
    request: { ...ENVELOPE, payload: { address: RENAMED.address } },
    answer: RENAMED,
  },
};

export const TRANSACTION_LIST_EXAMPLES = {
  paid: {
    summary: 'The withdrawals that were paid, latest first',
    request: {
      ...ENVELOPE,
      payload: {
        opcodes: ['SETTLEMENT_MASS_WITHDRAWAL'],
        currency: CURRENCY,
        pageNumber: 1,
        pageSize: 10,
        sort: 'DESC',
        properties: 'createdDate',
      },
    },
    answer: {
      result: [
        {
          ...PAID,
          currency: CURRENCY,
          opCode: 'SETTLEMENT_MASS_WITHDRAWAL',
          serviceFeeCurrency: CURRENCY,
          networkFeeCurrency: CURRENCY,
          createdDate: '2026-11-20T12:00:03.000Z',
          transactionHash: PAID_HASH,
          addressTo: PAID_ADDRESS,
        },
      ],
      page: 1,
      size: 10,
      total: 1,
      totalElements: 1,
    },
  },
};

export const OPCODES_EXAMPLES = {
  all: {
    summary: 'All operation codes',
    request: ENVELOPE,
    answer: { opCodes: OPERATION_CODES },
  },
};

const NOVEMBER = { firstDate: '2026-11-01T00:00:00Z', lastDate: '2026-11-30T23:59:59Z' };

export const REPORT_EXAMPLES = {
  november: {
    summary: 'November on two blockchains',
    request: {
      ...ENVELOPE,
      payload: {
        ...NOVEMBER,
        blockchainList: 'TRON,ETHEREUM',
        zoneOffset: { totalSeconds: 3_600, id: '+01:00', rules: { fixedOffset: true } },
      },
    },
    answer: {
      data: {
        ...NOVEMBER,
        lines: [
          {
            account: EXAMPLE_ACCOUNT,
            blockchain: 'TRON',
            currency: CURRENCY,
            opCode: 'SETTLEMENT_MASS_WITHDRAWAL',
            transactions: 1,
            ...PAID,
          },
        ],
      },
    },
  },
};
