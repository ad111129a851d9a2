import { type Amount, addAmounts, compareAmounts, multiplyAmount } from './amount.ts';

const HUNDRED: Amount = { units: 100n, scale: 0 };

/** Whether `part` is more than `percent` percent of `whole`. Exact: nothing is divided, so nothing is rounded. */
export const isAbovePercent = (part: Amount, whole: Amount, percent: Amount): boolean =>
  compareAmounts(multiplyAmount(part, 100), product(whole, percent)) > 0;

/** Whether `now` lies more than `percent` percent above `before`. From nothing to something is more than any percentage. */
export const isRaisedBy = (now: Amount, before: Amount, percent: Amount): boolean =>
  isAbovePercent(now, before, addAmounts(HUNDRED, percent));

const product = (a: Amount, b: Amount): Amount => ({
  units: a.units * b.units,
  scale: a.scale + b.scale,
});
