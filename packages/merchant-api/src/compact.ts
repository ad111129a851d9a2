/** `T` with an optional member instead of each member that may be undefined. */
export type Compact<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The same object without its undefined members, so that "absent" has one form. */
export function compact<T extends object>(value: T): Compact<T> {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members) as Compact<T>;
}
