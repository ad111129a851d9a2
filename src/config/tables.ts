import { isObject } from '../domain/json/is-object.ts';
import type { Toml } from './sources.ts';

/** Tables of `bursar.toml` by their names, such as those of accounts and of profiles. */
export type NamedTables = Readonly<Record<string, Toml>>;

/** The settings that were chosen of a file, and everything that is wrong with the choice. */
export type ChosenSettings = Readonly<{ toml: Toml; problems: readonly string[] }>;

export const isTable = (value: unknown): value is Toml => isObject(value) && !Array.isArray(value);

export const isNamedTables = (value: unknown): value is NamedTables =>
  isTable(value) && Object.values(value).every(isTable);

const NAME = /^[a-z][a-z0-9-]{0,30}$/;

/** A sentence for each table whose name is refused. `group`: accounts or profiles. */
export const badNames = (group: string, tables: NamedTables): string[] =>
  Object.keys(tables)
    .filter((name) => !NAME.test(name))
    .map(
      (name) => `${group}.${name} (bursar.toml) must have a name of small letters, digits and "-"`,
    );

/** Tables are joined key by key. A list or a value replaces the other one. */
export function merged(shared: unknown, own: unknown): unknown {
  if (!isTable(shared) || !isTable(own)) return own;
  const both = new Map(Object.entries(shared));
  for (const [key, value] of Object.entries(own)) {
    both.set(key, both.has(key) ? merged(both.get(key), value) : value);
  }
  return Object.fromEntries(both);
}

/** The values of a table and of the tables in it, by their names with dots. */
export const leavesOf = (table: Toml, prefix = ''): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(table).flatMap(([key, value]): [string, unknown][] => {
      const name = `${prefix}${key}`;
      return isTable(value) ? [...leavesOf(value, `${name}.`)] : [[name, value]];
    }),
  );
