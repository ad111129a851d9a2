import { CURRENCY, ENVELOPE, EXAMPLE_ACCOUNT, EXAMPLE_MS } from './facts.ts';

const ACCOUNT_NAME = 'Sandbox account 0001';
const OWNER_ID = '0ea8c9c8-06ce-4776-81ca-6581df7ce1fe';

const CURRENCIES = ['BTC', 'ETH', 'SOL', 'TRX', 'USDC_ERC20', 'USDT_ERC20', CURRENCY];

export const ACCOUNT_EXAMPLES = {
  balances: {
    summary: 'The balances of an account',
    request: ENVELOPE,
    answer: {
      account: EXAMPLE_ACCOUNT,
      name: ACCOUNT_NAME,
      ownerId: OWNER_ID,
      balances: CURRENCIES.map((currency) => ({ currency, amount: 1_000_000 })),
    },
  },
};

export const USER_EXAMPLES = {
  user: {
    summary: 'The user of the key',
    request: { timestamp: EXAMPLE_MS },
    answer: {
      userFullInfo: {
        id: OWNER_ID,
        username: '0fcfc53a-b80e-46fd-81af-87054603204f',
        companyId: '8b51d940-d6e4-47dc-8bf9-ba6738b4aad8',
        companyName: 'Sandbox company 0001',
        active: true,
        blocked: false,
        roles: ['ACCOUNT', 'COMPANY_ADMIN'],
      },
      permissions: [
        {
          accountId: EXAMPLE_ACCOUNT,
          accountName: ACCOUNT_NAME,
          permissionGroups: [
            { groupId: 1, name: 'Payouts', permissionData: { PAYOUT: 'WRITE' } },
            { groupId: 2, name: 'Wallets', permissionData: { WALLET: 'WRITE' } },
          ],
        },
      ],
      availableAccounts: [{ account: EXAMPLE_ACCOUNT, name: ACCOUNT_NAME }],
    },
  },
};

export const FEE_CALCULATION_EXAMPLES = {
  withdrawal: {
    summary: 'The fee of a withdrawal',
    request: {
      timestamp: EXAMPLE_MS,
      payload: {
        items: [
          { baseAmount: 250.5, currency: CURRENCY, opType: 'WITHDRAWAL', feeType: 'SERVICE' },
        ],
      },
    },
    answer: {
      items: [
        {
          amount: 250.5,
          currency: CURRENCY,
          opType: 'WITHDRAWAL',
          feeReceiver: { amount: 250.5, fee: 0, fixedFee: 0, percentFee: 0 },
          feeSender: { amount: 253.005, fee: 2.505, fixedFee: 0, percentFee: 2.505 },
        },
      ],
    },
  },
};
