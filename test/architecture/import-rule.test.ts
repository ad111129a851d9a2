import { describe, expect, it } from '@jest/globals';
import { dirname, join, normalize } from 'node:path';
import { filesOf, IMPORT_TABLE, projectOf, type Room } from './import-table.ts';
import { parseImportTable, renderImportTable } from './markdown-table.ts';
import { read } from './repository.ts';

type Project = {
  references?: { path: string }[];
  compilerOptions?: { types?: string[]; lib?: string[] };
};
type Override = { files: string[]; rules: Record<string, unknown> };

const rooms = IMPORT_TABLE.map((room) => [room.from, room] as const);
const projectFile = (path: string): string =>
  path.endsWith('.json') ? path : `${path}/tsconfig.json`;
const overrides: Override[] = JSON.parse(read('.oxlintrc.json')).overrides;

/** The rooms that a project file refers to. */
function referencesOf(file: string): string[] {
  const { references = [] }: Project = JSON.parse(read(file));
  const files = references.map(({ path }) => projectFile(normalize(join(dirname(file), path))));
  return files.map((one) => IMPORT_TABLE.find(({ from }) => projectOf(from) === one)?.from ?? one);
}

/** What `no-restricted-imports` must be told for a room: nothing but what is listed after a `!`. */
function allowListOf({ packages, ambient }: Room): string[] {
  const own = packages === 'types' ? [] : packages;
  return [
    '*',
    '!./**',
    '!../**',
    ...(ambient === 'node' ? ['!node:*', '!node:*/*'] : []),
    ...own.flatMap((name) => [`!${name}`, `!${name}/**`]),
  ];
}

describe('the import table', () => {
  it('reads the same in ARCHITECTURE.md', () => {
    expect(parseImportTable(read('ARCHITECTURE.md'))).toEqual(IMPORT_TABLE);
  });

  it('survives being written and read', () => {
    const markdown = `# Title\n\n${renderImportTable(IMPORT_TABLE)}\n\nMore text.\n`;
    expect(parseImportTable(markdown)).toEqual(IMPORT_TABLE);
    const changed = markdown.replace('| domain | spec |', '| domain | spec, store |');
    expect(parseImportTable(changed)).not.toEqual(IMPORT_TABLE);
  });
});

describe('the compiler', () => {
  it.each(rooms)('lets %s import from the rooms of the table and no other', (from, { src }) => {
    expect(referencesOf(projectOf(from)).sort()).toEqual([...src].sort());
  });

  it.each(rooms)('gives %s the ambient types of the table', (from, { ambient }) => {
    const { compilerOptions }: Project = JSON.parse(read(projectOf(from)));
    const base: Project = JSON.parse(read('tsconfig.base.json'));
    const types = compilerOptions?.types ?? base.compilerOptions?.types;
    expect(types).toEqual(ambient === 'node' ? ['node'] : []);
    const lib = compilerOptions?.lib ?? base.compilerOptions?.lib ?? [];
    expect(lib.includes('dom')).toBe(ambient === 'browser');
  });

  it('builds every room', () => {
    expect(referencesOf('tsconfig.json')).toEqual(
      expect.arrayContaining(rooms.map(([from]) => from)),
    );
  });
});

describe('the linter', () => {
  it.each(rooms)('lets %s import the packages of the table and no other', (from, room) => {
    const rules = overrides.filter(
      ({ files, rules: { 'no-restricted-imports': rule } }) =>
        rule !== undefined && files.some((file) => filesOf(from).includes(file)),
    );
    expect(rules).toEqual([
      {
        files: filesOf(from),
        rules: {
          'no-restricted-imports': [
            'error',
            {
              patterns: [
                {
                  group: allowListOf(room),
                  ...(room.packages === 'types' && { allowTypeImports: true }),
                  message: expect.stringContaining('ARCHITECTURE.md'),
                },
              ],
            },
          ],
        },
      },
    ]);
  });
});
