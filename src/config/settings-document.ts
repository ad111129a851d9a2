import { z } from 'zod';
import { SECTIONS } from './schema.ts';
import { type SettingDeclaration, SETTINGS, shapeOf } from './sources.ts';

/** The sandbox documents its settings itself. */
const DOCUMENTED_ELSEWHERE = 'sandbox';

type TableRow = readonly string[];

/** The tables of docs/settings.md: every setting under its section, and the tables that stand in lists. */
export const settingsDocument = (): string =>
  Object.keys(SECTIONS)
    .filter((section) => section !== DOCUMENTED_ELSEWHERE)
    .flatMap((section) => {
      const declared = SETTINGS.filter(({ name }) => name.startsWith(`${section}.`));
      return [sectionTable(section, declared), ...declared.flatMap(itemTable)];
    })
    .join('\n');

function sectionTable(section: string, declared: readonly SettingDeclaration[]): string {
  const rows = declared.map(({ name, variable, schema }) => [
    code(name),
    code(variable),
    ...cellsOf(schema),
  ]);
  return markdownTable(
    `## ${section}`,
    ['setting', 'variable', 'value', 'default', 'meaning'],
    rows,
  );
}

/** The table of the items of a setting that is a list of tables. */
function itemTable({ name, schema }: SettingDeclaration): string[] {
  const item = itemOf(schema);
  const shape = item && shapeOf(item);
  if (shape === undefined) return [];
  const rows = Object.entries(shape).map(([key, field]) => [code(key), ...cellsOf(field)]);
  const head = ['in each table', 'value', 'default', 'meaning'];
  return [markdownTable(`### [[${name}]]`, head, rows)];
}

const markdownTable = (title: string, head: TableRow, rows: readonly TableRow[]): string =>
  [title, '', ...[head, head.map(() => '---'), ...rows].map(lineOf), ''].join('\n');

const lineOf = (cells: TableRow): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const code = (given: string): string => `\`${given}\``;

const cellsOf = (schema: z.ZodType): TableRow => [
  ruleOf(schema),
  defaultOf(schema),
  schema.description ?? '',
];

/** The value that a setting must have, such as "a whole number from 1 to 1000". */
export function ruleOf(schema: z.core.$ZodType): string {
  const item = itemOf(schema);
  if (item !== undefined) return shapeOf(item) ? 'a list of tables' : `a list: ${ruleOf(item)}`;
  const rule = schema instanceof z.ZodType ? schema.meta()?.rule : undefined;
  const inner = innerOf(schema);
  return rule ?? (inner === undefined ? 'text' : ruleOf(inner));
}

/** The schema of the items of a list. */
function itemOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  // A list in a variable is split before it is checked.
  if (schema instanceof z.ZodPipe && schema.out instanceof z.ZodArray) return schema.out.element;
  const inner = innerOf(schema);
  return inner === undefined ? undefined : itemOf(inner);
}

function defaultOf(schema: z.core.$ZodType): string {
  const text = defaultTextOf(schema);
  if (text === undefined) return '';
  return text === EMPTY_LIST ? 'empty' : code(text);
}

const EMPTY_LIST = '[]';

/** The default of a setting as text; undefined: it has none. */
export function defaultTextOf(schema: z.core.$ZodType): string | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    const value = schema.def.defaultValue;
    return Array.isArray(value) && value.length === 0 ? EMPTY_LIST : String(value);
  }
  const inner = innerOf(schema);
  return inner === undefined ? undefined : defaultTextOf(inner);
}

/** The schema that another one adds a default or a change of the value to. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.in;
  const isAround =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional;
  return isAround ? schema.def.innerType : undefined;
}
