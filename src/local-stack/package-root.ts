import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds `temporal-dev.yml`: the repository, or the installed package. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'temporal-dev.yml'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('temporal-dev.yml is missing from the package');
    folder = parent;
  }
  return folder;
}
