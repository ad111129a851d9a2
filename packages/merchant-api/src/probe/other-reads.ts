import { randomUUID } from 'node:crypto';
import { writeJson } from '../json/write-json.ts';
import { readFeeQuotes } from '../records/fee-quote.ts';
import { readOperationCodes, readTransactionPage } from '../records/transaction.ts';
import { readUserRecord } from '../records/user.ts';
import { readAssumedWallet, readWalletPage } from '../records/wallet.ts';
import { readWebhookSubscriptions } from '../records/webhook-subscription.ts';
import { checkInput } from '../request/check-input.ts';
import { FeesSchema } from '../request/fees-input.ts';
import { transactionFilterSchema, walletFilterSchema } from '../request/list-filter.ts';
import type { MethodAndPath } from '../spec/endpoints.ts';
import { Unreadable } from '../response/unreadable.ts';
import type { Asker } from './asker.ts';
import { carryingIn } from './choose-shapes.ts';
import { isServed } from './judge-answers.ts';
import { isForbidden, type ProbeAnswer, wordsOf } from './probe-answer.ts';

/** Reads that need no reference, the most useful first. */
export const OTHER_READS = [
  'FEE_CALCULATION',
  'WALLET_LIST',
  'TRANSACTION_LIST',
  'WEBHOOK_LIST',
  'USER',
  'OPCODES',
  'LOOKUP_ADDRESS',
] as const;

export type OtherRead = (typeof OTHER_READS)[number];

type ReadOfOther = Readonly<{
  payload?: (currency: string) => Parameters<typeof writeJson>[0];
  read: (json: unknown) => unknown;
}>;

/** The page that lists are asked for: in each page base it is no page before the first. One object shows enough. */
const PAGE = { pageNumber: 1, pageSize: 1 };

const READS: Readonly<Record<OtherRead, ReadOfOther>> = {
  FEE_CALCULATION: {
    payload: (currency) =>
      checkInput('FEE_CALCULATION', FeesSchema, {
        items: [{ baseAmount: '1', currency, opType: 'WITHDRAWAL', feeType: 'SERVICE' }],
      }),
    read: readFeeQuotes,
  },
  WALLET_LIST: { payload: () => walletPage('one'), read: readWalletPage },
  TRANSACTION_LIST: {
    payload: () => checkInput('TRANSACTION_LIST', transactionFilterSchema('one'), PAGE),
    read: readTransactionPage,
  },
  WEBHOOK_LIST: { read: readWebhookSubscriptions },
  USER: { read: readUserRecord },
  OPCODES: { read: readOperationCodes },
  LOOKUP_ADDRESS: {
    payload: () => ({ address: `bursar-probe-${randomUUID()}` }),
    read: readAssumedWallet,
  },
};

/** The first object of the first page that is counted from `pageBase`, by page 1 of a client. */
const walletPage = (pageBase: 'one' | 'zero') =>
  checkInput('WALLET_LIST', walletFilterSchema(pageBase), PAGE);

/** What one operation answered. */
export type OtherAnswer = Readonly<{
  /** Undefined: its answers do not show it. */
  served: boolean | undefined;
  isForbidden?: true;
  /** Whether it carries `account`; undefined: its answers do not show it. */
  hasAccount?: boolean;
  value?: unknown;
  words: string;
}>;

export type OtherToAsk = Readonly<{
  operation: OtherRead;
  endpoint?: MethodAndPath;
  /** A currency of the account. */
  currency: string;
  pathControl: ProbeAnswer;
}>;

/** Asks an operation with `account` as the shapes have it, and else the other way. */
export async function askOther(asker: Asker, other: OtherToAsk): Promise<OtherAnswer> {
  const { operation, endpoint, currency, pathControl } = other;
  const { payload, read } = READS[operation];
  const carries = carryingIn(asker.settings.shapes.accountIn).includes(operation);
  const answers: ProbeAnswer[] = [];
  for (const hasAccount of [carries, !carries]) {
    const answer = await asker.ask({
      operation,
      hasAccount,
      ...(endpoint && { endpoint }),
      ...(payload && { payloadText: writeJson(payload(currency)) }),
    });
    if (answer.kind === 'value' && isReadable(answer.value, read)) {
      return { served: true, hasAccount, value: answer.value, words: wordsOf(answer) };
    }
    answers.push(answer);
  }
  const [first] = answers as [ProbeAnswer];
  const isOther = answers.some(({ kind }) => kind === 'value');
  if (isOther) return { served: undefined, words: `${wordsOf(first)}, with another content` };
  if (isForbidden(answers, pathControl)) {
    return { served: undefined, isForbidden: true, words: wordsOf(first) };
  }
  return { served: isServed(answers, pathControl), words: wordsOf(first) };
}

function isReadable(json: unknown, read: (json: unknown) => unknown): boolean {
  try {
    read(json);
    return true;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** The answers for pages 0 and 1 of the wallets. */
export async function askPages(
  asker: Asker,
  hasAccount: boolean,
): Promise<Readonly<Record<'zero' | 'one', ProbeAnswer>>> {
  const ask = (pageBase: 'one' | 'zero') =>
    asker.ask({
      operation: 'WALLET_LIST',
      hasAccount,
      payloadText: writeJson(walletPage(pageBase)),
    });
  return { zero: await ask('zero'), one: await ask('one') };
}
