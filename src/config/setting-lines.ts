/** A line that begins a table, or an item of a list of tables. */
const TABLE = /^\[{1,2}([^[\]]+)\]{1,2}(?:\s*#.*)?$/;

/**
 * Returns the line on which a settings file gives a setting, from 1, such as that of `base_url` below `[api]` for `api.base_url`.
 * Returns undefined where it is given in a form that this function does not read.
 */
export function lineOfSetting(text: string, name: string): number | undefined {
  let table = '';
  for (const [index, line] of text.split('\n').entries()) {
    const head = TABLE.exec(line.trim())?.[1];
    if (head !== undefined) table = plainName(head);
    const given = head === undefined ? givenName(line, table) : table;
    if (given === name || (head === undefined && name.startsWith(`${given}.`))) return index + 1;
  }
  return undefined;
}

/** The whole name of the key that a line sets; undefined: it sets none. */
function givenName(line: string, table: string): string | undefined {
  const [key = '', ...value] = line.split('=');
  if (value.length === 0 || key.trim().startsWith('#')) return undefined;
  return table === '' ? plainName(key) : `${table}.${plainName(key)}`;
}

/** `"api" . base_url` is the same as `api.base_url`. */
const plainName = (name: string): string =>
  name
    .split('.')
    .map((part) => part.trim().replaceAll(/["']/g, ''))
    .join('.');
