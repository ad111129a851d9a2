import { counted, withCommas } from '../text/counted.ts';

/** How many chunks of a batch are verified since an older copy took the place of the store. */
export type VerificationProgress = Readonly<{ verified: number; total: number }>;

export const verificationProgressText = ({ verified, total }: VerificationProgress): string =>
  `Verifying against the service: ${withCommas(verified)} of ${counted(total, 'chunk')}`;

/** Steps in which a batch shows the progress of its partitions. Each is one signal, so it does not grow with the chunks. */
const STEPS = 20;

/** Whether progress is worth a signal after the last one. */
export const isNewProgress = (
  last: VerificationProgress | null,
  { verified, total }: VerificationProgress,
): boolean => last === null || verified - last.verified >= total / STEPS;
