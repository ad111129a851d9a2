import { z } from 'zod';
import type { AdminAnswer } from '../../admin/index.ts';
import { blockchainOf } from '../../core/blockchains.ts';
import { type Decimal, formatDecimal, ZERO } from '../../core/decimal.ts';
import { transactionHash } from '../../core/mass-payout.ts';
import { TOP_UP_CODES, TOP_UP_EVENTS, type TopUpCode, topUpId } from '../../core/transactions.ts';
import type { SandboxStore } from '../../store/store.ts';
import type { Announcer } from '../../webhooks/announcer.ts';
import { PositiveDecimalText, RequiredText } from '../fields.ts';
import { chooseAccount } from './choose-account.ts';
import { adminRoute } from './route.ts';

export type TopUpDeps = Readonly<{
  store: SandboxStore;
  announcer: Announcer;
  accounts: readonly string[];
  nowMs: () => number;
}>;

type TopUp = Readonly<{
  atMs: number;
  account: string;
  currency: string;
  amount: Decimal;
  opCode: TopUpCode;
}>;

/**
 * POST /sandbox/top-up: adds money to a balance. With a single account, `account` may be left out.
 */
export const topUpRoute = (deps: TopUpDeps) =>
  adminRoute({
    endpoint: 'POST /top-up',
    input: z.strictObject({
      account: z.string().optional(),
      currency: RequiredText,
      amount: PositiveDecimalText,
      opCode: z.enum(TOP_UP_CODES).default('SETTLEMENT_TOP_UP'),
    }),
    answer: ({ account: named, ...asked }): AdminAnswer<'POST /top-up'> => {
      const { store, accounts, nowMs } = deps;
      const account = chooseAccount(named, accounts);
      store.transaction(() => topUp(deps, { ...asked, account, atMs: nowMs() }));
      const balance = formatDecimal(store.ledger.balanceOf(account, asked.currency));
      return { account, currency: asked.currency, balance };
    },
  });

function topUp({ store, announcer }: TopUpDeps, { opCode, ...change }: TopUp): void {
  const { account, currency, amount } = change;
  const { ledger, wallets, movements } = store;
  const walletAddress = wallets.holderOf(account, blockchainOf(currency)).address;
  ledger.post([{ ...change, kind: 'TOP_UP', massPayoutId: null, withdrawalId: null }]);
  const movement = movements.insert({
    ...change,
    walletAddress,
    opCode,
    massPayout: null,
    isResend: false,
    transactions: 1,
    fee: ZERO,
  });
  announcer.announce({
    type: TOP_UP_EVENTS[opCode],
    account,
    data: {
      walletAddress,
      currency,
      amount: formatDecimal(amount),
      transactionHash: transactionHash(topUpId(movement)),
    },
  });
}
