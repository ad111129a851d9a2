import { magnitudeText, TENFOLD } from '../../domain/plan/magnitude.ts';

/** An amount more than ten times the largest before is no raise any more, but perhaps a lost decimal point. */
const FAR_ABOVE = TENFOLD;

/** The text about an amount far above all earlier amounts of its recipient; undefined for any other. As magnitudes. */
export const aboveHabit = (amount: number, largestBefore: number): string | undefined =>
  amount > largestBefore + FAR_ABOVE
    ? `at most about ${magnitudeText(largestBefore)} before`
    : undefined;
