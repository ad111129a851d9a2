/**
 * A copy of a text that keeps nothing else alive. A cell is a window on the whole block of text from which it was cut,
 * so a cell that outlives its block has to be copied.
 */
export const detached = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

/** As {@link detached}, for every text in an object that JSON can hold. */
export const detachedCopy = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value)) as Value;
