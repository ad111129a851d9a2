import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { EXIT, EXIT_MEANINGS, type ExitName } from '../../src/domain/errors/exit-codes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const readme = readFileSync(root('src/cli/README.md'), 'utf8');

describe('the description of the command line', () => {
  it.each(Object.keys(EXIT) as ExitName[])('names the exit code "%s" as it is', (name) => {
    expect(readme).toContain(`| ${EXIT[name]} | ${EXIT_MEANINGS[name]} |`);
  });

  it('names every schema that is printed', () => {
    const sources = readdirSync(root('src/cli'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(root(`src/cli/${file}`), 'utf8'));
    const schemas = new Set(sources.join('\n').match(/bursar\.[a-z-]+\/v\d/g));
    expect(schemas.size).toBeGreaterThan(10);
    for (const schema of schemas) expect(readme).toContain(`\`${schema}\``);
  });
});

describe('the example files', () => {
  const plan = (file: string) =>
    fakeWorld({ cwd: temporaryFolder() }).json('plan', root(`examples/${file}`));

  it.each(readdirSync(root('examples')).filter((name) => name.endsWith('.csv')))(
    '%s can be paid without any finding',
    async (file) => {
      const { code, value } = await plan(file);
      expect([code, value['findings']]).toEqual([0, []]);
    },
  );

  it.each(readdirSync(root('examples/bad')))('bad/%s is refused', async (file) => {
    const { code, value } = await plan(`bad/${file}`);
    expect(code).toBe(13);
    expect(value['problems']).toMatchObject([{ code: 'FILE_ROWS_REFUSED' }]);
  });
});
