import { NO_UNSENT_LIST } from '../../../src/store/sending/unsent-list.ts';
import type { SendDeps } from '../../../src/activities/send/types.ts';

/** What sending needs beside its store and its service: every chunk is whole, no batch is a resend, and times are the test's. */
export const plainSendDeps = (nowMs: () => number): Omit<SendDeps, 'store' | 'service'> => ({
  seal: { isWhole: () => Promise.resolve(true) },
  confirmResend: () => Promise.reject(new Error('this batch is no resend')),
  policy: {
    timestampWindowMs: 180_000,
    fenceMarginMs: 60_000,
    skewMs: 0,
    requestTimeoutMs: 0,
    resend: 'auto',
  },
  createFields: 'needed',
  sendBudgetMs: 10_000,
  nowMs,
  mayGoOn: () => true,
  readClock: () => ({ clock: 'ours', ms: nowMs() }),
  unsent: NO_UNSENT_LIST,
});
