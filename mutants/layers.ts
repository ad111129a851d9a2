import type { Mutant } from './mutant.ts';

/** A layer of tests: what it is, and the command that tries a mutant; it must succeed without any. */
export type Layer = Readonly<{ says: string; command(mutant: Mutant): readonly string[] }>;

const jest = (...paths: readonly string[]): readonly string[] => [
  ...[process.execPath, '--experimental-vm-modules', '--no-warnings=ExperimentalWarning'],
  ...['node_modules/jest/bin/jest.js', '--bail', ...paths],
];

const RULES = ['domain', 'activities', 'store', 'config', 'bridge', 'report', 'cli'] as const;

export const LAYERS = {
  rules: {
    says: 'tests of rules, records and programs, one by one',
    command: () => jest(...RULES.map(testsOf)),
  },
  adversary: {
    says: 'attacks on a worker by somebody who reaches Temporal and has no key',
    command: () => jest(testsOf('adversary')),
  },
  sim: {
    says: '3,000 simulated worlds',
    command: () => [process.execPath, 'build/sim/main.js', '--seeds', '3000'],
  },
  scenarios: {
    says: 'scenarios on real processes that meet the rule',
    command: ({ scenarios }) => jest(...scenarios.map((name) => `test/scenarios/${name}.test.ts`)),
  },
  chaos: {
    says: 'two minutes of chaos',
    command: () => [
      ...[process.execPath, 'build/chaos/main.js'],
      ...['--minutes', '2', '--rows', '4000', '--seed', '1'],
    ],
  },
} as const satisfies Record<string, Layer>;

export type LayerName = keyof typeof LAYERS;

function testsOf(folder: string): string {
  return `test/${folder}/`;
}
