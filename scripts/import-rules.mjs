#!/usr/bin/env node
/**
 * Writes the files that follow from scripts/import-table.json: the `references` of each room's tsconfig.json, the import
 * rules of .oxlintrc.json, and the table in ARCHITECTURE.md. With --check it writes nothing, names each file that differs,
 * and exits with 1 if there is one. Run it in the root of the repository.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

const read = (path) => readFileSync(path, 'utf8');

const IMPORT_TABLE = JSON.parse(read('scripts/import-table.json'));

const PACKAGE_ROOMS = {
  spec: { folder: 'packages/merchant-api/src/spec', name: '@bursar/merchant-api/spec' },
  'merchant-api': { folder: 'packages/merchant-api', name: '@bursar/merchant-api' },
  admin: { folder: 'packages/sandbox/src/admin', name: '@bursar/sandbox/admin' },
  sandbox: { folder: 'packages/sandbox', name: '@bursar/sandbox' },
  console: { folder: 'packages/sandbox/src/console' },
  conformance: { folder: 'packages/conformance' },
};

/** Main files lie in the folders of other rooms and have a project of their own. */
const MAIN_FILES = [
  'src/worker.ts',
  'src/starter.ts',
  'src/launch.ts',
  'src/serve.ts',
  'src/openers.ts',
  'src/library.ts',
  'src/start-http-api.ts',
  'src/admin-port.ts',
  'src/tracing.ts',
  'src/connect.ts',
  'src/worker-limits.ts',
  'src/worker-store.ts',
  'src/worker-health.ts',
  'src/worker-version.ts',
  'src/sdk-runtime.ts',
  'src/bridge/main.ts',
  'src/codec-server/main.ts',
];

/** The TypeScript project of a room, from the root of the repository. */
function projectOf(from) {
  if (from === 'main') return 'src/tsconfig.json';
  if (from === 'config') return 'src/tsconfig.config.json';
  return `${PACKAGE_ROOMS[from]?.folder ?? `src/${from}`}/tsconfig.json`;
}

/** The files of a room, as the linter's configuration names them. */
function filesOf(from) {
  if (from === 'main') return MAIN_FILES;
  if (from === 'config') return ['src/config.ts', 'src/config/**'];
  const { folder = `src/${from}` } = PACKAGE_ROOMS[from] ?? {};
  return [isWholePackage(folder) ? `${folder}/src/**` : `${folder}/**`];
}

const isWholePackage = (folder) => /^packages\/[^/]+$/.test(folder);

/** The patterns of `no-restricted-imports` for a room: everything is refused but what follows a `!`. */
function allowListOf({ src, packages, ambient }) {
  const rooms = src.flatMap((room) => PACKAGE_ROOMS[room]?.name ?? []);
  const names = packages === 'types' ? rooms : [...rooms, ...packages];
  return [
    '*',
    '!./**',
    '!../**',
    ...(ambient === 'node' ? ['!node:*', '!node:*/*'] : []),
    ...names.flatMap((name) => [`!${name}`, `!${name}/**`]),
  ];
}

/** The override of the linter for a room. */
const lintRuleOf = (room) => ({
  files: filesOf(room.from),
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: allowListOf(room),
            ...(room.packages === 'types' && { allowTypeImports: true }),
            message: `Not in the import table of ${room.from}; see ARCHITECTURE.md.`,
          },
        ],
      },
    ],
  },
});

/** The rules of all rooms. A room inside another comes later, since the last rule for a file counts. */
const lintRules = () =>
  IMPORT_TABLE.map(lintRuleOf).sort((a, b) => depthOf(a.files) - depthOf(b.files));

const depthOf = ([file]) =>
  file.includes('/src/') && file.startsWith('packages/') ? file.split('/').length : 0;

const list = (items) => (items.length === 0 ? '-' : items.join(', '));

/** The table as ARCHITECTURE.md shows it. */
function renderImportTable(rooms = IMPORT_TABLE) {
  const rows = rooms.map(({ from, src, packages, ambient }) => {
    const cells = [from, list(src), packages === 'types' ? 'types only' : list(packages), ambient];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| from | may import from | packages | ambient types |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const TABLE_IN_MARKDOWN = /^\| from \| may import from[^\n]*\n(\|[^\n]*\n)+/m;

/** The references of a room's project, relative to its folder. */
function referencesOf({ from, src }) {
  const folder = dirname(projectOf(from));
  return src.map((room) => {
    const project = projectOf(room).replace(/\/tsconfig\.json$/, '');
    const path = relative(folder, project);
    return { path: path.startsWith('.') ? path : `./${path}` };
  });
}

const textOf = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Each file with its present content and the one that follows from the table. JSON is compared by value: formats differ. */
function filesToCheck() {
  const json = (file, change) => {
    const present = JSON.parse(read(file));
    return { file, present: textOf(present), wanted: textOf({ ...present, ...change(present) }) };
  };
  const architecture = read('ARCHITECTURE.md');
  return [
    ...IMPORT_TABLE.map((room) =>
      json(projectOf(room.from), () => ({ references: referencesOf(room) })),
    ),
    json('.oxlintrc.json', ({ overrides }) => ({
      overrides: [
        ...lintRules(),
        ...overrides.filter(({ rules }) => rules['no-restricted-imports'] === undefined),
      ],
    })),
    {
      file: 'ARCHITECTURE.md',
      present: architecture,
      wanted: architecture.replace(TABLE_IN_MARKDOWN, `${renderImportTable()}\n`),
    },
  ];
}

const different = filesToCheck().filter(({ present, wanted }) => wanted !== present);
if (process.argv.includes('--check')) {
  for (const { file } of different) {
    console.error(`${file} differs from scripts/import-table.json: run npm run import-rules`);
  }
  process.exitCode = different.length === 0 ? 0 : 1;
} else {
  for (const { file, wanted } of different) writeFileSync(file, wanted);
}
