import type { Operation } from '@bursar/merchant-api/spec';
import { type Check, met } from '../check.ts';
import { demandAccepted, demandRefused } from '../expect.ts';
import type { Run } from '../run.ts';
import { pagingOf } from '../scenes/lists.ts';
import type { Request } from '../service.ts';
import { sampleFees } from './fees.ts';

/** Right requests of operations that only read. */
const reading = (run: Run): readonly (readonly [Operation, Request])[] => [
  ['ACCOUNT', {}],
  ['USER', { account: null }],
  ['OPCODES', {}],
  ['WEBHOOK_LIST', {}],
  ['FEE_CALCULATION', { account: null, payload: sampleFees(run) }],
  ['WALLET_LIST', { payload: pagingOf('WALLET_LIST') }],
  ['TRANSACTION_LIST', { payload: pagingOf('TRANSACTION_LIST') }],
];

export type EveryOperation = Pick<Check, 'id' | 'section' | 'sentence'> &
  Readonly<{
    /** What makes a right request wrong. */
    wrong(): Request;
  }>;

/** Every operation that reads accepts a right request, and refuses it when it is wrong in one way. */
export const everyOperation = ({ wrong, ...about }: EveryOperation): Check => ({
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
