/**
 * Returns an independent copy of a text.
 * A cell cut from a block keeps the whole block in memory, so a longer-lived text must be a copy.
 */
export const detached = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

/** Returns a copy of a JSON object with independent texts. */
export const detachedCopy = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value)) as Value;
