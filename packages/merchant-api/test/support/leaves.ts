/** A place within a value: names of fields, and places in lists. */
export type Path = readonly string[];

/** Every place in a value, the whole of it first. */
export function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name])),
  ];
}

/** A copy with another value in one place. */
export function withLeaf(value: unknown, [name, ...rest]: Path, leaf: unknown): unknown {
  if (name === undefined) return leaf;
  const copy = copyOf(value);
  const inner = withLeaf(Reflect.get(copy, name), rest, leaf);
  // Also `__proto__` becomes a field, as it does when it is read from JSON. A list keeps its `length`.
  Reflect.defineProperty(copy, name, {
    value: inner,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

/** A copy without one place. */
export function withoutLeaf(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return undefined;
  if (rest.length > 0) {
    return withLeaf(value, [name], withoutLeaf(Reflect.get(copyOf(value), name), rest));
  }
  const copy = copyOf(value);
  Reflect.deleteProperty(copy, name);
  return copy;
}

const copyOf = (value: unknown): object =>
  Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
