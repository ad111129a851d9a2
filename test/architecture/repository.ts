import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const FOLDERS = [
  'src',
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`),
];

/** Every TypeScript file of the engine and of the packages. */
export const sourceFiles = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );
