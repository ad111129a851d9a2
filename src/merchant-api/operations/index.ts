import type { Send } from '../call.ts';
import { calculateFees } from './calculate-fees.ts';
import { createMassPayout } from './create-mass-payout.ts';
import { lookup } from './lookup.ts';
import { readBalance } from './read-balance.ts';
import { readMassPayout } from './read-mass-payout.ts';

/** Every operation of the client. A new one is a file in this folder and a line here. */
export const bindOperations = (send: Send) => ({
  readBalance: readBalance(send),
  createMassPayout: createMassPayout(send),
  readMassPayout: readMassPayout(send),
  calculateFees: calculateFees(send),
  lookup: lookup(send),
});
