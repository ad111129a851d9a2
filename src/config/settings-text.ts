import { isObject } from '../domain/json/is-object.ts';
import type { Toml } from './sources.ts';

/** A setting, and how its line changes. `before`: null where the file does not set it. */
export type ChangedSetting = Readonly<{ setting: string; before: string | null; after: string }>;

/** Texts by the names of settings, such as `api.shapes.page_base`, and what stands before each name in the file. */
type Values = Readonly<{ values: ReadonlyMap<string, string>; prefix: string }>;

/** Returns the text of a settings file with some settings set to texts. Every other line stays as it is. */
export function withSettings(
  text: string,
  { values, prefix }: Values,
): Readonly<{ text: string; changed: readonly ChangedSetting[] }> {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const changed: ChangedSetting[] = [];
  for (const [setting, value] of values) {
    const name = `${prefix}${setting}`;
    const before = setInLines(lines, { ...split(name), value: JSON.stringify(value) });
    if (before !== JSON.stringify(value)) {
      changed.push({ setting: name, before, after: JSON.stringify(value) });
    }
  }
  return { text: changed.length === 0 ? text : `${lines.join('\n')}\n`, changed };
}

/** The tables of a settings file with the same change. Changes a copy. */
export function withValues(toml: Toml, { values, prefix }: Values): Toml {
  const changed = structuredClone(toml);
  for (const [setting, value] of values) {
    const { table, key } = split(`${prefix}${setting}`);
    let place: Toml | undefined = changed;
    for (const part of table.split('.')) {
      const child: unknown = (place[part] ??= {});
      if (!isObject(child)) return toml;
      place = child;
    }
    place[key] = value;
  }
  return changed;
}

function split(name: string): Readonly<{ table: string; key: string }> {
  const at = name.lastIndexOf('.');
  return { table: name.slice(0, at), key: name.slice(at + 1) };
}

type Line = Readonly<{ table: string; key: string; value: string }>;

/** Changes or adds the line of one key. Returns the value that stood there, or null. */
function setInLines(lines: string[], { table, key, value }: Line): string | null {
  const head = lines.findIndex((line) => tableOf(line) === table);
  if (head < 0) {
    if (lines.length > 0) lines.push('');
    lines.push(`[${table}]`, `${key} = ${value}`);
    return null;
  }
  const next = lines.findIndex((line, index) => index > head && /^\s*\[/.test(line));
  const end = next < 0 ? lines.length : next;
  for (let index = head + 1; index < end; index += 1) {
    const found = valueIn(lines[index] ?? '', key);
    if (found === undefined) continue;
    lines[index] = `${found.start}${value}${found.rest}`;
    return found.value;
  }
  // A comment before the next table is about that table.
  let last = end - 1;
  while (last > head && /^\s*(?:#.*)?$/.test(lines[last] ?? '')) last -= 1;
  lines.splice(last + 1, 0, `${key} = ${value}`);
  return null;
}

/** The name of the table that a line begins. */
const tableOf = (line: string): string | undefined =>
  /^\s*\[([\w.\- ]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.replaceAll(' ', '');

type Found = Readonly<{ start: string; value: string; rest: string }>;

/** The value of a key whose value is a text on one line. */
function valueIn(line: string, key: string): Found | undefined {
  const [, start = '', name, value, rest = ''] =
    /^(\s*([\w-]+)\s*=\s*)("[^"\\]*"|'[^']*')(.*)$/.exec(line) ?? [];
  return name === key && value !== undefined ? { start, value, rest } : undefined;
}
