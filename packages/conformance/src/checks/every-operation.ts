import type { ServiceRequest } from '../body.ts';
import type { Operation } from '@bursar/merchant-api/spec';
import { type CheckSentence, type ConformanceCheck, met } from '../check.ts';
import { demandFor, demandRefused } from '../expect.ts';
import type { CheckRun } from '../run.ts';
import { PAGES, pagingOf } from '../scenarios/lists.ts';

import { sampleFees } from './fees.ts';

/** Valid requests of operations that only read, each with the check that breaks when it is refused. */
const reading = (run: CheckRun): readonly (readonly [Operation, ServiceRequest, string])[] => [
  ['ACCOUNT', {}, 'account.status'],
  ['USER', {}, 'user.record.userFullInfo'],
  ['OPCODES', {}, 'opcodes.answer.opCodes'],
  ['WEBHOOK_LIST', {}, 'webhooks.list.subscriptions'],
  ['FEE_CALCULATION', { payload: sampleFees(run) }, 'fee.items.many'],
  ['WALLET_LIST', { payload: pagingOf('WALLET_LIST') }, PAGES.WALLET_LIST.checkedBy],
  ['TRANSACTION_LIST', { payload: pagingOf('TRANSACTION_LIST') }, PAGES.TRANSACTION_LIST.checkedBy],
];

export type EveryOperation = CheckSentence &
  Readonly<{
    /** Returns the mistake to add to a valid request. */
    wrong(): ServiceRequest;
  }>;

/** Each reading operation must accept a valid request, and refuse it with one mistake. */
export const everyOperation = ({ wrong, ...about }: EveryOperation): ConformanceCheck => ({
  ...about,
  needs: ['ACCOUNT'],
  try: async (run) => {
    const tried = reading(run).filter(([operation]) => run.service.has(operation));
    for (const [operation, request, checkedBy] of tried) {
      const needed = { words: `an accepted ${operation}`, checkedBy };
      demandFor(await run.service.send(operation, request), needed);
      demandRefused(await run.service.send(operation, { ...request, ...wrong() }));
    }
    return met(tried.map(([operation]) => operation).join(', '));
  },
});
