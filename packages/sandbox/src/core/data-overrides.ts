import { Refused } from './refusals.ts';

export type JsonData = { [name: string]: unknown };

/** New values by dotted path, such as `errors.0.status`. */
export type DataOverrides = Readonly<Record<string, unknown>>;

const PATH_LENGTH_MAX = 10;

/** Names that would change JavaScript objects instead of the data. */
const FORBIDDEN_NAMES: readonly string[] = ['__proto__', 'prototype', 'constructor'];

const DEPTH_MAX = 20;

/** Throws when the data is nested so deeply that a reader could fail. */
export function checkDepth(value: unknown, depth = 0): void {
  if (!isContainer(value)) return;
  if (depth > DEPTH_MAX) throw new Refused('FIELD_INVALID', 'data: is nested too deeply');
  for (const each of Object.values(value)) checkDepth(each, depth + 1);
}

/**
 * Returns the data with the new values. `state` and `errors.0.status` are paths.
 * A missing part of a path becomes an object. A number in a path is an index where there is a list
 * already.
 */
export function overrideData(data: JsonData, overrides: DataOverrides): JsonData {
  const changed = structuredClone(data);
  for (const [path, value] of Object.entries(overrides)) put(changed, namesIn(path), value);
  return changed;
}

function namesIn(path: string): readonly string[] {
  const names = path.split('.');
  const isUsable = names.every((name) => name !== '' && !FORBIDDEN_NAMES.includes(name));
  if (isUsable && names.length <= PATH_LENGTH_MAX) return names;
  throw new Refused(
    'FIELD_INVALID',
    `overrides: ${JSON.stringify(path.slice(0, 100))} is not a path`,
  );
}

function put(container: JsonData, [name = '', ...rest]: readonly string[], value: unknown): void {
  checkPlace(container, name);
  if (rest.length === 0) {
    container[name] = value;
    return;
  }
  const inner = Object.hasOwn(container, name) ? container[name] : undefined;
  const next = isContainer(inner) ? inner : {};
  container[name] = next;
  put(next, rest, value);
}

/** A list grows by one item at a time. */
function checkPlace(container: JsonData, name: string): void {
  if (!Array.isArray(container)) return;
  const isPlace = /^\d{1,6}$/.test(name) && Number.parseInt(name, 10) <= container.length;
  if (!isPlace) throw new Refused('FIELD_INVALID', 'overrides: a list has no such index');
}

const isContainer = (value: unknown): value is JsonData =>
  typeof value === 'object' && value !== null;
