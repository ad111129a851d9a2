const LENGTH_MIN = 1_024;

/** A list of whole numbers below 2^31 in 4 bytes each. */
export type NumberList = Readonly<{
  push(value: number): void;
  at(index: number): number;
  set(index: number, value: number): void;
  length(): number;
}>;

export function createNumberList(): NumberList {
  let values = new Int32Array(LENGTH_MIN);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const longer = new Int32Array(values.length * 2);
        longer.set(values);
        values = longer;
      }
      values[length] = value;
      length += 1;
    },
    at(index) {
      const value = index < length ? values[index] : undefined;
      if (value === undefined) throw new RangeError(`there is no number ${index} of ${length}`);
      return value;
    },
    set(index, value) {
      values[index] = value;
    },
    length: () => length,
  };
}
