/** Whether a value is an object or a list, whose members can be read. Null is none. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
