import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { SANDBOX_OPERATIONS } from '../../src/cli/commands/sandbox/table.ts';
import { DIFFERENCE_CODES, DIFFERENCE_TEXTS } from '../../src/domain/reconcile/difference-texts.ts';
import { EXIT, EXIT_MEANINGS, type ExitName } from '../../src/domain/errors/exit-codes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The commands in a cell such as `faults list`, `add`: the first one names the group of all. */
function namesIn(cell: string): string[] {
  const names = [...cell.matchAll(/`([a-z -]+)`/g)].map(([, name = '']) => name);
  const [group = '', first] = names[0]?.split(' ') ?? [];
  return first === undefined
    ? names
    : names.map((name, at) => (at === 0 ? name : `${group} ${name}`));
}

const page = readFileSync(root('docs/commands.md'), 'utf8');

describe('the description of the command line', () => {
  it.each(Object.keys(EXIT) as ExitName[])('names the exit code "%s" correctly', (name) => {
    expect(page).toContain(`| ${EXIT[name]} | ${EXIT_MEANINGS[name]} |`);
  });

  it('names every command of "bursar sandbox", each once', () => {
    const [, section = ''] = /^## The sandbox\n([\s\S]*?)^## /m.exec(page) ?? [];
    const rows = [...section.matchAll(/^\| ((?:`[a-z -]+`(?:, )?)+) \|/gm)].map(([, cell]) => cell);
    const named = rows.flatMap((cell = '') => namesIn(cell));
    const commands = SANDBOX_OPERATIONS.flatMap(({ operations }) => operations);
    for (const { name } of commands) {
      expect(named.filter((one) => one === name)).toEqual([name]);
    }
  });

  it.each(DIFFERENCE_CODES)('names the difference "%s" correctly', (code) => {
    const { what, mustLook } = DIFFERENCE_TEXTS[code];
    const note = mustLook ? '' : ' (for your information)';
    expect(page).toContain(`| \`${code}\`${note} | ${what} |`);
  });

  it('names every schema that is printed', () => {
    const sources = readdirSync(root('src/cli'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(root(`src/cli/${file}`), 'utf8'));
    const schemas = new Set(sources.join('\n').match(/bursar\.[a-z-]+\/v\d/g));
    expect(schemas.size).toBeGreaterThan(10);
    for (const schema of schemas) expect(page).toContain(`\`${schema}\``);
  });
});

describe('the example files', () => {
  const plan = (file: string) =>
    fakeWorld({ cwd: temporaryFolder() }).json('plan', root(`examples/${file}`));

  it.each(readdirSync(root('examples')).filter((name) => name.endsWith('.csv')))(
    '%s can be paid without any finding but that its recipients are new',
    async (file) => {
      const { code, value } = await plan(file);
      expect([code, value['findings']]).toMatchObject([0, [{ code: 'FIRST_TIME_PAYEE' }]]);
    },
  );

  it.each(readdirSync(root('examples/bad')))('bad/%s is refused', async (file) => {
    const { code, value } = await plan(`bad/${file}`);
    expect(code).toBe(13);
    expect(value['problems']).toMatchObject([{ code: 'FILE_ROWS_REFUSED' }]);
  });
});
