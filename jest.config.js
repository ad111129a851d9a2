export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/packages/*/test/**/*.test.ts'],
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
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  globalSetup: '<rootDir>/test/support/temporal/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/temporal/global-teardown.mjs',
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/packages/[a-z-]+/build/'],
  maxWorkers: 3,
  // Test files leave memory behind in their worker, and the more there is the slower it gets.
  workerIdleMemoryLimit: '700MB',
  testTimeout: 180_000,
};
