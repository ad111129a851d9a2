import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdit, type Edit, type Mutant } from './mutant.ts';
import { runCommand } from './run-command.ts';
import type { Ending } from './witness.ts';

/** What a copy needs to be built and tested. */
const PARTS = [
  ...['src', 'test', 'sim', 'chaos', 'mutants', 'bench', 'packages', 'scripts', 'build'],
  ...['docs', 'examples', 'deploy', '.ci', 'package.json', 'package-lock.json', 'jest.config.js'],
  ...['tsconfig.json', 'tsconfig.base.json', 'temporal-dev.yml', 'README.md', 'ARCHITECTURE.md'],
  ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'biome.json', '.oxlintrc.json'],
];

/** How long one command may take, in milliseconds. */
const RUN_MS_MAX = 900_000;

export type Workshop = ReturnType<typeof openWorkshop>;

/** A copy of the project in an empty folder, in which mutants are made and tried; the project itself is never touched. */
export function openWorkshop(root: string, folder: string) {
  for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true });
  linkModules(join(root, 'node_modules'), join(folder, 'node_modules'));
  allowUnused(folder);

  const run = (command: readonly string[]): Promise<Ending> =>
    runCommand(command, { cwd: folder, msMax: RUN_MS_MAX });

  const change = (edits: readonly Edit[]): (() => void) => {
    const before = new Map<string, string>();
    for (const edit of edits) {
      const path = join(folder, edit.file);
      const text = readFileSync(path, 'utf8');
      if (!before.has(path)) before.set(path, text);
      writeFileSync(path, applyEdit(text, edit));
    }
    return () => {
      for (const [path, text] of before) writeFileSync(path, text);
    };
  };

  return {
    run,
    /** Builds the project as it is. Throws when it cannot be built. */
    async build(): Promise<void> {
      const { isGood, talk } = await run([process.execPath, 'scripts/setup.mjs']);
      if (!isGood) throw new Error(`it cannot be built:\n${talk}`);
    },
    /** Makes a mutant, lets `use` try it, and undoes it whatever happens. */
    async withMutant<Result>({ edits }: Mutant, use: () => Promise<Result>): Promise<Result> {
      const undo = change(edits);
      try {
        return await use();
      } finally {
        undo();
      }
    },
  };
}

/** Packages of the project itself, whose links lead to `packages` of the same folder. */
const OWN_SCOPE = '@bursar';

/** Links every package of others. Those of the project are the ones of the copy: a mutant may be in them. */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name !== OWN_SCOPE) symlinkSync(join(from, name), join(to, name));
  }
  cpSync(join(from, OWN_SCOPE), join(to, OWN_SCOPE), { recursive: true, verbatimSymlinks: true });
}

/** Whoever leaves a rule out leaves names behind that nobody uses. */
function allowUnused(folder: string): void {
  const path = join(folder, 'tsconfig.base.json');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/"(noUnusedLocals|noUnusedParameters)": true/g, '"$1": false'));
}
