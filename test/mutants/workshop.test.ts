import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { openWorkshop } from '../../mutants/workshop.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('a copy has packages of its own, and those of others from the project', () => {
  const folder = realpathSync(temporaryFolder());
  openWorkshop(ROOT, folder);
  const modules = join(folder, 'node_modules');
  const own = realpathSync(join(modules, '@bursar', 'merchant-api'));
  expect(own).toBe(join(folder, 'packages', 'merchant-api'));
  expect(realpathSync(join(modules, 'zod'))).toBe(realpathSync(join(ROOT, 'node_modules', 'zod')));
});
