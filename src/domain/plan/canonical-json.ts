import { isObject } from '../json/is-object.ts';
/** JSON whose text does not depend on the order in which an object was put together. Fields that are undefined are left out. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    isObject(member) && !Array.isArray(member) ? sorted(member) : member,
  );

const sorted = (object: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
