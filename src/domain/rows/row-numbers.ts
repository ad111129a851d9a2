/** Whether ordered numbers hold one. */
export const hasNumber = (numbers: Uint32Array, wanted: number): boolean =>
  numbers[placeOf(numbers, wanted)] === wanted;

/** Whether ordered numbers hold one from `first` to `last`. */
export const hasNumberWithin = (numbers: Uint32Array, first: number, last: number): boolean =>
  (numbers[placeOf(numbers, first)] ?? Number.POSITIVE_INFINITY) <= last;

/** Where the first number stands that is not below this one. */
function placeOf(numbers: Uint32Array, wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
