/**
 * Two layers: `npm test` runs the fast one, `npm run test:all` both. A file is in the fast layer unless it is named here.
 * CONTRIBUTING.md gives the reasons.
 */
const SLOW = [
  'test/scenarios/*.test.ts',
  'test/workflows/*.test.ts',
  'test/docs/run-book.test.ts',
  'test/files/bucket.test.ts',
  'test/http-api/passkey-browser.test.ts',
  'test/sim/laws.test.ts',
  'test/adversary/activities.property.test.ts',
  'test/ingest/large-file.test.ts',
  'test/web/browser/*.test.ts',
  'packages/sandbox/test/console/*.test.ts',
  'packages/sandbox/test/{examples,bundle}.test.ts',
  'packages/conformance/test/{suite,can-fail,wrong-services,slow-suite,probes}.test.ts',
  'packages/merchant-api/test/installed.test.ts',
];

/** The scenarios that are in the fast layer all the same. */
const MAIN_SCENARIOS = ['test/scenarios/{pay-a-file,resend,approvals,schedules,kill}.test.ts'];

const ALL = ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'];

// Of two globs that match a file, jest follows the later one.
const these = (globs) => globs.map((glob) => `<rootDir>/${glob}`);
const notThese = (globs) => globs.map((glob) => `!**/${glob}`);

const FAST_LAYER = [...these(ALL), ...notThese(SLOW), ...these(MAIN_SCENARIOS)];
const SLOW_LAYER = [...these(SLOW), ...notThese(MAIN_SCENARIOS)];

const COMMON = {
  dependencyExtractor: '<rootDir>/test/support/jest/dependencies.mjs',
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^@bursar/sandbox/admin$': '<rootDir>/packages/sandbox/src/admin/index.ts',
    '^@bursar/merchant-api/spec$': '<rootDir>/packages/merchant-api/src/spec/index.ts',
    '^@bursar/([a-z-]+)$': '<rootDir>/packages/$1/src/index.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/packages/[a-z-]+/build/'],
};

export default {
  projects: [
    { ...COMMON, displayName: 'fast', testMatch: FAST_LAYER },
    { ...COMMON, displayName: 'slow', testMatch: SLOW_LAYER },
  ],
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  globalSetup: '<rootDir>/test/support/temporal/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/temporal/global-teardown.mjs',
  reporters: ['default', '<rootDir>/test/support/jest/slowest.mjs'],
  maxWorkers: 3,
  // Tests of one file that run side by side have a worker and a sandbox each, which mostly wait.
  maxConcurrency: 3,
  // Test files leave memory behind in their worker, and the more there is the slower it gets.
  workerIdleMemoryLimit: '700MB',
  // A worker that has ended is seconds in leaving a busy machine. One that still stays has a leak, and jest says so.
  workerGracefulExitTimeout: 30_000,
  testTimeout: 180_000,
};
