import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { address, csv, DUPLICATE, derivedId, GOOD, ONE_BAD, withFiles } from './support/files.ts';

const FILES = { 'good.csv': GOOD, 'one-bad.csv': ONE_BAD, 'duplicate.csv': DUPLICATE };
const PLAN = join('runs', derivedId('good', GOOD), 'plan.json');

const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), FILES), ...more });

const read = (made: ReturnType<typeof world>, path: string): string =>
  readFileSync(join(made.world.cwd, path), 'utf8');

const linesOf = (text: string): string[] => text.trimEnd().split('\n');

describe('a plan file', () => {
  it('is the output of -o json, but for the path of the file, the service and the commands', async () => {
    const made = world();
    const { value } = await made.json('plan', 'good.csv');
    const { command: _, planFile, apply: __, service: ___, file, ...view } = value;
    expect(planFile).toBe(PLAN);
    const path = join('..', '..', 'good.csv');
    expect(JSON.parse(read(made, PLAN))).toEqual({ ...view, file: { ...(file as object), path } });
  });

  it('is the same for the same file, and leaves no draft behind', async () => {
    const made = world();
    await made.run('plan', 'good.csv');
    const first = read(made, PLAN);
    await made.run('plan', 'good.csv');
    expect(read(made, PLAN)).toBe(first);
    expect(readdirSync(join(made.world.cwd, 'runs', derivedId('good', GOOD)))).toEqual([
      'plan.json',
    ]);
  });

  it('has a line for each chunk, currency and finding', async () => {
    const rows = Array.from({ length: 6 }, (_, i) => `${address(i)},1,USDT_TRC20`);
    const made = world({ env: { BURSAR_BATCH_CHUNK_ROWS: '2' } });
    withFiles(made.world.cwd, { 'six.csv': csv(...rows) });
    await made.run('plan', 'six.csv', '--out', 'plan.json');
    const lines = linesOf(read(made, 'plan.json'));
    expect(lines.filter((line) => line.startsWith('    {"chunk":'))).toEqual([
      expect.stringMatching(/"chunk":0,.*"rows":2,"total":"2","firstRow":2,"lastRow":3.*,$/),
      expect.stringMatching(/"chunk":1,.*"firstRow":4,"lastRow":5.*,$/),
      expect.stringMatching(/"chunk":2,.*"firstRow":6,"lastRow":7.*"}$/),
    ]);
    expect(lines).toContain('    {"currency":"USDT_TRC20","rows":6,"total":"6"}');
  });

  it('differs from another one only where the plans do', async () => {
    const made = world();
    await made.run('plan', 'good.csv', '--out', 'a.json');
    await made.run('plan', 'good.csv', '--funds', 'wait:1h', '--out', 'b.json');
    const [a, b] = [linesOf(read(made, 'a.json')), linesOf(read(made, 'b.json'))];
    const changed = b.filter((line) => !a.includes(line)).map((line) => line.trim());
    expect(changed).toEqual([
      '"fundsWaitMs": 3600000,',
      expect.stringMatching(/^"digest": "sha256:/),
      expect.stringMatching(/^"choices": "[0-9a-f]{64}",$/),
    ]);
    expect(a).toHaveLength(b.length);
  });

  it('prints the command that pays exactly this plan, from any folder', async () => {
    const made = world();
    const { out } = await made.run('plan', 'good.csv');
    expect(out).toContain(`The plan is written to ${PLAN}`);
    expect(out).toContain(`bursar submit --plan ${PLAN} --confirm 60.5:USDT_TRC20`);
    const other = await made.run('plan', 'good.csv', '--out', 'a plan.json');
    expect(other.out).toContain("bursar submit --plan 'a plan.json' --confirm 60.5:USDT_TRC20");
  });

  it('made from standard input is submitted with standard input', async () => {
    const made = world({ input: GOOD });
    const { value } = await made.json('plan', '-', '--out', 'plan.json');
    expect(value['apply']).toBe('bursar submit --plan plan.json - --confirm 60.5:USDT_TRC20');
    expect(JSON.parse(read(made, 'plan.json'))).toMatchObject({ file: { path: null } });
  });

  it('has the findings, and the reasons that stop the batch', async () => {
    const made = world();
    const { code, value } = await made.json('plan', 'duplicate.csv', '--out', 'plan.json');
    expect([code, value['planFile']]).toEqual([13, 'plan.json']);
    const plan = JSON.parse(read(made, 'plan.json')) as Record<string, unknown>;
    expect(plan['problems']).toMatchObject([{ code: 'FINDINGS_NOT_ACCEPTED' }]);
    expect(plan['findings']).toContainEqual(
      expect.objectContaining({
        code: 'DUPLICATE_ROW',
        severity: 'confirm',
        accepted: false,
        count: 1,
        examples: [{ row: 3, detail: `10.00 USDT (TRC20) to ${address(1)}; same as row 2` }],
      }),
    );
  });

  it.each([
    ['--no-out', ['good.csv', '--no-out']],
    ['a file of which rows are refused', ['one-bad.csv']],
  ])('is not written with %s', async (_what, args) => {
    const made = world();
    const { value } = await made.json('plan', ...args);
    expect([value['planFile'], value['apply']]).toEqual([null, null]);
    expect(readdirSync(made.world.cwd, { recursive: true }).join(' ')).not.toContain('plan.json');
  });

  it('is not written without an account', async () => {
    const made = world({ env: { BURSAR_API_ACCOUNT: '' } });
    expect((await made.json('plan', 'good.csv')).value['planFile']).toBeNull();
  });

  it('does not replace the plan by which a batch was paid', async () => {
    const made = world();
    await made.run('plan', 'good.csv');
    const paid = read(made, PLAN);
    withFiles(made.world.cwd, { [join(PLAN, '..', 'report.json')]: '{}' });
    const { value } = await made.json(
      'plan',
      'good.csv',
      '--id',
      derivedId('good', GOOD),
      '--canary',
      '1',
    );
    expect(value['planFile']).toBe(PLAN.replace('plan.json', 'plan.again.json'));
    expect(read(made, PLAN)).toBe(paid);
  });
});

describe('bursar plan --out', () => {
  const other = (make: (path: string) => void) => make;

  it.each<[string, ReturnType<typeof other>]>([
    ['the file itself', () => undefined],
    ['a report', other((path) => writeFileSync(path, '{\n  "schema": "bursar.report/v1"\n}'))],
    ['an empty file', other((path) => writeFileSync(path, ''))],
    ['a folder', other((path) => mkdirSync(path))],
    ['a link', other((path) => symlinkSync('good.csv', path))],
    ['a link to nowhere', other((path) => symlinkSync('nowhere', path))],
  ])('does not replace %s', async (what, make) => {
    const made = world();
    const name = what === 'the file itself' ? 'good.csv' : 'out';
    make(join(made.world.cwd, name));
    const { code, value } = await made.json('plan', 'good.csv', '--out', name);
    expect([code, value['code'], value['what']]).toEqual([
      2,
      'FLAG_INVALID',
      '--out: something of that name is there, and it is no plan.',
    ]);
    expect(read(made, 'good.csv')).toBe(GOOD);
  });

  it('replaces a plan', async () => {
    const made = world();
    await made.run('plan', 'good.csv', '--out', 'plan.json');
    expect((await made.run('plan', 'duplicate.csv', '--out', 'plan.json')).code).toBe(13);
    expect(read(made, 'plan.json')).toContain('duplicate.csv');
  });

  it('makes the folder', async () => {
    const made = world();
    expect(await made.run('plan', 'good.csv', '--out', 'a/b/plan.json')).toMatchObject({ code: 0 });
    expect(JSON.parse(read(made, 'a/b/plan.json'))).toMatchObject({
      file: { path: join('..', '..', 'good.csv') },
    });
  });

  it('reports a path that cannot be written, and that - is no file', async () => {
    const made = world();
    const blocked = await made.json('plan', 'good.csv', '--out', 'good.csv/plan.json');
    expect(blocked.value['what']).toBe('--out: nothing can be written there (ENOTDIR).');
    const dash = await made.json('plan', 'good.csv', '--out', '-');
    expect([dash.code, dash.value['code']]).toEqual([2, 'FLAG_INVALID']);
    expect(existsSync(join(made.world.cwd, '-'))).toBe(false);
  });
});
