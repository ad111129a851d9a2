import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';
import { GOOD, withFiles } from './support/files.ts';

/** A world with a file, its plan, and a link to each. */
async function linkedWorld() {
  const cwd = withFiles(temporaryFolder(), { 'good.csv': GOOD });
  const made = fakeWorld({ cwd });
  await made.run('plan', 'good.csv', '--id', 'payroll', '--out', 'good.plan.json');
  symlinkSync(join(cwd, 'good.csv'), join(cwd, 'link.csv'));
  symlinkSync(join(cwd, 'good.plan.json'), join(cwd, 'link.plan.json'));
  return made;
}

describe('a symbolic link', () => {
  it.each([
    ['submit link.csv --yes --detach', 'FILE_IS_LINK'],
    ['plan link.csv --no-out', 'FILE_IS_LINK'],
    ['submit --plan link.plan.json --yes --detach', 'PLAN_FILE_UNREADABLE'],
    ['submit link.csv --plan good.plan.json --yes --detach', 'FILE_IS_LINK'],
  ])('is refused by %s, and read with --follow-links', async (line, expected) => {
    const made = await linkedWorld();
    const refused = await made.json(...line.split(' '));
    expect([refused.value['code'], made.engine.started]).toEqual([expected, []]);
    expect([0, 8]).toContain((await made.run(...line.split(' '), '--follow-links')).code);
  });

  it.each(['submit folder/good.csv --yes --detach', 'plan folder/good.csv --no-out'])(
    'among the folders of a file is followed by %s',
    async (line) => {
      const cwd = withFiles(temporaryFolder(), { 'real/deep/good.csv': GOOD });
      symlinkSync(join(cwd, 'real/deep'), join(cwd, 'folder'));
      const { code, err } = await fakeWorld({ cwd }).run(...line.split(' '));
      expect([[0, 8].includes(code), err]).toEqual([true, expect.not.stringContaining('FILE_')]);
    },
  );

  it('among the folders of a plan is followed', async () => {
    const made = await linkedWorld();
    symlinkSync(made.world.cwd, join(made.world.cwd, 'folder'));
    const { code } = await made.run(
      'submit',
      '--plan',
      'folder/good.plan.json',
      '--yes',
      '--detach',
    );
    expect([code, made.engine.started.length]).toEqual([8, 1]);
  });

  it('is refused with the name of standard input, since a shell makes links for <(COMMAND)', async () => {
    const { value } = await (await linkedWorld()).json('plan', 'link.csv', '--no-out');
    expect(value['fix']).toContain('COMMAND | bursar submit -');
  });
});
