import { counted, withCommas } from '../text/counted.ts';

/** How many chunks of a batch are verified since an older copy took the place of the store. */
export type VerificationProgress = Readonly<{ verified: number; total: number }>;

export const VERIFYING_TITLE = 'Verifying against the service';

/** How many chunks are verified: `3 of 50 chunks`. */
export const verifiedText = ({ verified, total }: VerificationProgress): string =>
  `${withCommas(verified)} of ${counted(total, 'chunk')}`;

export const verificationProgressText = (progress: VerificationProgress): string =>
  `${VERIFYING_TITLE}: ${verifiedText(progress)}`;

/** Steps in which a batch shows the progress of its partitions. Each is one signal, so it does not grow with the chunks. */
const STEPS = 20;

/** Whether progress is worth a signal after the last one. */
export const isNewProgress = (
  last: VerificationProgress | null,
  { verified, total }: VerificationProgress,
): boolean => last === null || verified - last.verified >= total / STEPS;
