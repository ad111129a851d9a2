/** What is there without an import; `browser` is the page, with the DOM. */
export const AMBIENT_KINDS = ['ES only', 'node', 'browser'] as const;

/** One row of the import rule: what the code of one room may use. */
export type Room = Readonly<{
  from: string;
  /** Other rooms of `src`. */
  src: readonly string[];
  /** Packages; `types` allows `import type` from any package and nothing else. */
  packages: readonly string[] | 'types';
  ambient: (typeof AMBIENT_KINDS)[number];
}>;

/**
 * The import rule. ARCHITECTURE.md shows the same table to people, tsconfig files make the compiler obey its second
 * and fourth column, .oxlintrc.json makes the linter obey the third; tests compare all four.
 */
export const IMPORT_TABLE: readonly Room[] = [
  { from: 'spec', src: [], packages: [], ambient: 'ES only' },
  {
    from: 'domain',
    src: ['spec'],
    packages: ['@noble/ed25519', '@noble/hashes', 'croner', 'temporal-polyfill'],
    ambient: 'ES only',
  },
  { from: 'contract', src: ['spec', 'domain'], packages: 'types', ambient: 'ES only' },
  {
    from: 'merchant-api',
    src: ['spec'],
    packages: ['lossless-json', 'undici', 'zod'],
    ambient: 'node',
  },
  { from: 'store', src: ['spec', 'domain'], packages: ['kysely', 'libsql'], ambient: 'node' },
  { from: 'ingest', src: ['spec', 'domain', 'store'], packages: ['papaparse'], ambient: 'node' },
  { from: 'report', src: ['spec', 'domain', 'store'], packages: [], ambient: 'node' },
  {
    from: 'activities',
    src: ['spec', 'domain', 'contract', 'merchant-api', 'store', 'ingest', 'report'],
    packages: ['@temporalio/activity', '@temporalio/common'],
    ambient: 'node',
  },
  {
    from: 'workflows',
    src: ['spec', 'domain', 'contract'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
    ambient: 'ES only',
  },
  {
    from: 'codec',
    src: ['domain', 'config'],
    packages: ['@temporalio/common', '@temporalio/envconfig', '@temporalio/proto'],
    ambient: 'node',
  },
  {
    from: 'codec-server',
    src: ['domain', 'codec', 'config'],
    packages: ['@temporalio/common', 'fastify', 'pino', 'zod'],
    ambient: 'node',
  },
  {
    from: 'bridge',
    src: ['spec', 'domain', 'contract', 'store', 'codec', 'config'],
    packages: ['@temporalio/client', '@temporalio/common', 'fastify', 'pino'],
    ambient: 'node',
  },
  {
    from: 'cli',
    src: [
      'spec',
      'domain',
      'contract',
      'merchant-api',
      'store',
      'ingest',
      'report',
      'codec',
      'config',
    ],
    packages: [
      '@temporalio/client',
      '@temporalio/common',
      'commander',
      'libsql',
      'picocolors',
      'yaml',
      'zod',
    ],
    ambient: 'node',
  },
  {
    from: 'sandbox',
    src: ['spec'],
    packages: ['fastify', 'libsql', 'lossless-json', 'pino', 'smol-toml', 'zod'],
    ambient: 'node',
  },
  { from: 'console', src: ['spec'], packages: ['preact'], ambient: 'browser' },
  { from: 'config', src: ['spec', 'domain'], packages: ['smol-toml', 'zod'], ambient: 'node' },
  {
    from: 'main',
    src: [
      'spec',
      'domain',
      'contract',
      'merchant-api',
      'store',
      'ingest',
      'report',
      'activities',
      'codec',
      'codec-server',
      'bridge',
      'cli',
      'config',
    ],
    packages: [
      '@temporalio/client',
      '@temporalio/common',
      '@temporalio/worker',
      'picocolors',
      'pino',
    ],
    ambient: 'node',
  },
];

/** The folder of a room that is one. */
const folderOf = (from: string): string =>
  from === 'console' ? 'src/sandbox/console' : `src/${from}`;

/** The TypeScript project of a room, from the root of the repository. `main` is worker, starter and the main files of servers. */
export function projectOf(from: string): string {
  if (from === 'main') return 'src/tsconfig.json';
  return from === 'config' ? 'src/tsconfig.config.json' : `${folderOf(from)}/tsconfig.json`;
}

const MAIN_FILES = [
  'src/worker.ts',
  'src/starter.ts',
  'src/serve.ts',
  'src/connect.ts',
  'src/worker-activities.ts',
  'src/worker-limits.ts',
  'src/bridge/main.ts',
  'src/codec-server/main.ts',
];

/** The files of a room, as the linter's configuration names them. */
export function filesOf(from: string): readonly string[] {
  if (from === 'main') return MAIN_FILES;
  return from === 'config' ? ['src/config.ts', 'src/config/**'] : [`${folderOf(from)}/**`];
}
