import type { SendPolicy } from '../../../src/domain/sending/decide.ts';

/** How chunks are sent in tests of the rules of sending. */
export const POLICY: SendPolicy = {
  timestampWindowMs: 180_000,
  fenceMarginMs: 60_000,
  skewMs: 0,
  lookupLagMs: 0,
  requestTimeoutMs: 0,
  resend: 'auto',
  lookupVerified: true,
  wasCreated: false,
  stopping: false,
};

export const T0 = 1_800_000_000_000;

/** With the service's clock known, the fence of an attempt at T0 passes after this time. */
export const FENCE_MS = 240_000;

/** When enough misses beyond the fence can be there at the earliest, with some seconds to spare. */
export const LATE_MS = FENCE_MS + 21_000;
