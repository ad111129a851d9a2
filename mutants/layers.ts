import { dirname } from 'node:path';
import type { Mutant } from './mutant.ts';

/** A command and its arguments. */
type Command = readonly string[];

export type Layer = Readonly<{
  says: string;
  /** The commands that try a mutant, in this order, until one notices it. Each succeeds without a mutant. */
  commands(mutant: Mutant): readonly Command[];
}>;

const jest = (...paths: readonly string[]): Command => [
  ...[process.execPath, '--experimental-vm-modules', '--no-warnings=ExperimentalWarning'],
  ...['node_modules/jest/bin/jest.js', '--bail', ...paths],
];

const RULES = ['domain', 'activities', 'store', 'config', 'bridge', 'report', 'cli'] as const;

export const LAYERS = {
  rules: {
    says: 'tests of rules, records and programs, one by one',
    commands: (mutant) => [...nearest(mutant), jest(...RULES.map(testsOf))],
  },
  adversary: {
    says: 'attacks on a worker by somebody who reaches Temporal and has no key',
    commands: () => [jest(testsOf('adversary'))],
  },
  sim: {
    says: '3,000 simulated worlds',
    commands: () => [[process.execPath, 'build/sim/main.js', '--seeds', '3000']],
  },
  scenarios: {
    says: 'scenarios on real processes that meet the rule',
    commands: ({ scenarios }) => [
      jest(...scenarios.map((name) => `test/scenarios/${name}.test.ts`)),
    ],
  },
  chaos: {
    says: 'two minutes of chaos',
    commands: () => [
      [process.execPath, 'build/chaos/main.js', '--minutes', '2', '--rows', '4000', '--seed', '1'],
    ],
  },
} as const satisfies Record<string, Layer>;

export type LayerName = keyof typeof LAYERS;

function testsOf(folder: string): string {
  return `test/${folder}/`;
}

/**
 * The tests in the folders of the edited files. They notice most mutants within seconds; all tests of the layer take minutes.
 * Example: for an edit of src/store/sending/attempts.ts these are the tests in test/store/sending.
 */
function nearest({ edits }: Mutant): readonly Command[] {
  const folders = new Set(edits.map(({ file }) => dirname(file).replace(/^src\//, 'test/')));
  return folders.size === 0
    ? []
    : [jest('--passWithNoTests', ...[...folders].map((one) => `${one}/`))];
}
