import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from '../../src/store/engine/sqlite/sqlite.ts';
import { ROOT, read } from '../architecture/repository.ts';

/** Tables that SQLite and the migrations keep for themselves. */
const OWN_TABLES = /^(?:sqlite_|kysely_)/;

/** Writers that are neither a folder of activities nor a command. */
const OTHER_WRITERS = [
  'the bridge',
  'a migration',
  'nothing',
  'every caller of the service',
  'every change of a batch or a chunk',
];

type Column = Readonly<{ table: string; column: string; type: string }>;
type Described = Column & Readonly<{ unit: string; meaning: string; writers: string }>;

/** Every table and column of a database with all migrations. */
async function columnsOfStore(): Promise<readonly Column[]> {
  const db = await openSqlite('sqlite::memory:');
  try {
    const { rows } = await sql<Column & { isNullable: 0 | 1 }>`
      select m.name as "table", p.name as "column", lower(p.type) as type,
        (p."notnull" = 0 and p.pk = 0) as "isNullable"
      from sqlite_master m, pragma_table_info(m.name) p where m.type = 'table'`.execute(db);
    return rows
      .filter(({ table }) => !OWN_TABLES.test(table))
      .map(({ table, column, type, isNullable }) => ({
        table,
        column,
        type: isNullable === 1 ? `${type}, null` : type,
      }));
  } finally {
    await db.destroy();
  }
}

/** What the page says of each column. */
const described = read('docs/data-dictionary.md')
  .split(/^### /m)
  .slice(1)
  .flatMap((section): Described[] => {
    const [table = '', ...lines] = section.split('\n');
    return lines
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.replace(/^\| | \|$/g, '').split(' | '))
      .map(([column = '', type = '', unit = '', meaning = '', writers = '']) => {
        const name = column.replaceAll('`', '');
        return { table, column: name, type, unit, meaning, writers };
      });
  });

const asLines = (columns: readonly Column[]): string[] =>
  columns.map(({ table, column, type }) => `${table}.${column}: ${type}`).toSorted();

it('the data dictionary has every table and column of a migrated store, with its type, and no other', async () => {
  const columns = await columnsOfStore();
  expect(columns.length).toBeGreaterThan(200);
  expect(asLines(described)).toEqual(asLines(columns));
});

it('the data dictionary has the unit, the meaning and the writer of each column', () => {
  const poor = described.filter(
    ({ unit, meaning, writers }) => unit === '' || !meaning.endsWith('.') || writers === '',
  );
  expect(poor).toEqual([]);
});

it('the data dictionary gives instants, amounts and flags the unit that their names promise', () => {
  const wrong = described.filter(
    ({ column, unit }) =>
      (/_(?:at|since|until)_ms$/.test(column) && !unit.startsWith('ms since 1970')) ||
      (/^(?:fee|total|amount)$/.test(column) && unit !== 'decimal text') ||
      (column.endsWith('_json') && unit !== 'JSON') ||
      (column.endsWith('sha256') && unit !== 'SHA-256, hex'),
  );
  expect(wrong).toEqual([]);
});

it('the data dictionary names writers that there are', () => {
  const folders = readdirSync(join(ROOT, 'src/activities'));
  const writers = new Set(described.flatMap((one) => one.writers.split(', ')));
  const lost = [...writers].filter(
    (writer) =>
      !(/^`[a-z]+`$/.test(writer) || folders.includes(writer) || OTHER_WRITERS.includes(writer)),
  );
  expect(lost).toEqual([]);
});
