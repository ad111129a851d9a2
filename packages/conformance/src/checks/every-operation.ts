import type { Operation } from '@bursar/merchant-api/spec';
import { type CheckSentence, type ConformanceCheck, met } from '../check.ts';
import { demandAccepted, demandRefused } from '../expect.ts';
import type { CheckRun } from '../run.ts';
import { pagingOf } from '../scenarios/lists.ts';
import type { ServiceRequest } from '../service.ts';
import { sampleFees } from './fees.ts';

/** Valid requests of operations that only read. */
const reading = (run: CheckRun): readonly (readonly [Operation, ServiceRequest])[] => [
  ['ACCOUNT', {}],
  ['USER', { account: null }],
  ['OPCODES', {}],
  ['WEBHOOK_LIST', {}],
  ['FEE_CALCULATION', { account: null, payload: sampleFees(run) }],
  ['WALLET_LIST', { payload: pagingOf('WALLET_LIST') }],
  ['TRANSACTION_LIST', { payload: pagingOf('TRANSACTION_LIST') }],
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
    for (const [operation, request] of tried) {
      demandAccepted(await run.service.send(operation, request));
      demandRefused(await run.service.send(operation, { ...request, ...wrong() }));
    }
    return met(tried.map(([operation]) => operation).join(', '));
  },
});
