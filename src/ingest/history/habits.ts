import { magnitudeText, TENFOLD } from '../../domain/plan/magnitude.ts';

/** What each payee of the batch got at most in one payment before; payees are named as in `Payees`. */
export type Habits = Readonly<{
  take(payee: number, magnitude: number): void;
  isKnown(payee: number): boolean;
  /** What is said of an amount far above anything that the payee ever got; undefined of any other. */
  exceededBy(payee: number, magnitude: number): string | undefined;
}>;

/** An amount more than ten times the largest before is no raise any more, but perhaps a lost decimal point. */
const FAR_ABOVE = TENFOLD;

export function createHabits(count: number): Habits {
  /** 0: never paid; no magnitude is 0. */
  const largest = new Int32Array(count);
  return {
    take(payee, magnitude) {
      if (magnitude > (largest[payee] ?? 0)) largest[payee] = magnitude;
    },
    isKnown: (payee) => largest[payee] !== 0,
    exceededBy(payee, magnitude) {
      const before = largest[payee] ?? 0;
      if (before === 0 || magnitude <= before + FAR_ABOVE) return undefined;
      return `at most about ${magnitudeText(before)} before`;
    },
  };
}
