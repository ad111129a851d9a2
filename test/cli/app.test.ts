import { describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../../src/domain/errors/catalogue.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { GOOD, withFiles } from './support/files.ts';

type ColourCase = {
  what: string;
  env: Record<string, string>;
  args: string[];
  isTty: boolean;
  coloured: boolean;
};

const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), { 'good.csv': GOOD }), ...more });

describe('the command line', () => {
  it.each([[], ['--help'], ['help'], ['-h']])('shows its help for %j', async (...args) => {
    const { code, out, err } = await world().run(...args);
    expect([code, err]).toEqual([0, '']);
    for (const command of ['plan', 'submit', 'status', 'resolve', 'demo']) {
      expect(out).toContain(`  ${command} `);
    }
    expect(out).not.toContain('run-temporal');
  });

  it('shows its version', async () => {
    expect(await world().run('--version')).toEqual({ code: 0, out: '9.9.9\n', err: '' });
  });

  it.each<{ args: string[]; hint: string }>`
    args                        | hint
    ${['submt', 'x.csv']}       | ${'Did you mean submit?'}
    ${['plan', 'x', '--onlin']} | ${'Did you mean --online?'}
    ${['-o', 'yaml', 'list']}   | ${'Allowed choices are text, json, jsonl.'}
    ${['api', 'balence']}       | ${'Did you mean balance?'}
    ${['help', 'nothing']}      | ${'there is no topic "nothing"'}
    ${['help', 'submt']}        | ${'Did you mean submit?'}
    ${['submt', '--help']}      | ${'Did you mean submit?'}
    ${['api', 'balence', '-h']} | ${'Did you mean balance?'}
    ${['list', 'extra']}        | ${'too many arguments'}
  `('refuses $args with a hint, exit 2', async ({ args, hint }) => {
    const { code, out, err } = await world().run(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('FLAG_INVALID');
    expect(err).toContain(hint);
    expect(err).toContain('Fix:');
  });

  it('refuses --json together with another format', async () => {
    const { code, out } = await world().run('--json', '-o', 'text', 'list');
    expect([code, out]).toEqual([2, expect.stringContaining('cannot be used with')]);
  });

  it('takes the same flags before and after the command', async () => {
    const made = world();
    const after = await made.run('plan', 'good.csv', '-o', 'json');
    expect(await made.run('-o', 'json', 'plan', 'good.csv')).toEqual(after);
    expect(await made.run('--json', 'plan', 'good.csv')).toEqual(after);
  });

  it('prints exactly one line of JSON with -o jsonl', async () => {
    const { out } = await world().run('plan', 'good.csv', '-o', 'jsonl');
    expect(out.trimEnd().split('\n')).toHaveLength(1);
  });

  it('prints all wrong settings at once, exit 2', async () => {
    const env = { BURSAR_POLL_MIN_MS: 'soon', BURSAR_BATCH_CHUNK_ROWS: '0' };
    const { code, value } = await world({ env }).json('list');
    expect([code, value['code']]).toEqual([2, 'SETTINGS_INVALID']);
    expect(value['what']).toMatch(/BATCH_CHUNK_ROWS.*POLL_MIN_MS|POLL_MIN_MS.*BATCH_CHUNK_ROWS/s);
  });

  it('prints warnings about settings on standard error', async () => {
    const { err } = await world({ env: { BURSAR_POLL_MINIMUM: '1' } }).run('plan', 'good.csv');
    expect(err).toContain('Warning: BURSAR_POLL_MINIMUM is not a setting');
  });

  it('calls a mistake of its own INTERNAL, exit 1, and shows the place only with --debug', async () => {
    const open = { store: () => Promise.reject(new TypeError('x is not a function')) };
    const { code, err } = await world({ open }).run('list');
    expect(code).toBe(1);
    expect(err).toContain('INTERNAL');
    expect(err).not.toContain('app.test.ts');
    expect((await world({ open }).run('list', '--debug')).err).toContain('app.test.ts');
  });

  it('ends with 130 when it is interrupted in the middle', async () => {
    const interrupted = AbortSignal.abort();
    const { code, err } = await world({ interrupted }).run('plan', 'good.csv');
    expect([code, err]).toEqual([130, expect.stringMatching(/^Interrupted\.$/m)]);
  });

  it.each<ColourCase>`
    what                   | env                  | args              | isTty    | coloured
    ${'a terminal'}        | ${{}}                | ${[]}             | ${true}  | ${true}
    ${'a pipe'}            | ${{}}                | ${[]}             | ${false} | ${false}
    ${'NO_COLOR'}          | ${{ NO_COLOR: '1' }} | ${[]}             | ${true}  | ${false}
    ${'an empty NO_COLOR'} | ${{ NO_COLOR: '' }}  | ${[]}             | ${true}  | ${true}
    ${'a dumb terminal'}   | ${{ TERM: 'dumb' }}  | ${[]}             | ${true}  | ${false}
    ${'--no-color'}        | ${{}}                | ${['--no-color']} | ${true}  | ${false}
  `('writes to $what in colour: $coloured', async ({ env, args, isTty, coloured }) => {
    const { err } = await world({ env, isTty }).run('status', 'a/b', ...args);
    expect(err.includes('\u001B[')).toBe(coloured);
  });
});

describe('bursar help', () => {
  it('shows the help of a command, and of one within another', async () => {
    expect((await world().run('help', 'submit')).out).toContain('--expect-total');
    expect((await world().run('help', 'api', 'lookup')).out).toContain('--key');
  });

  it('lists every exit code', async () => {
    const { value } = await world().json('help', 'exit-codes');
    expect(value['schema']).toBe('bursar.exit-codes/v1');
    expect(value['exitCodes']).toContainEqual({
      code: 10,
      name: 'partial',
      meaning: 'the batch ended PARTIAL: some rows were paid, others were not or are unknown',
    });
  });

  it('lists every error with its exit code', async () => {
    const { value } = await world().json('help', 'errors');
    const errors = value['errors'] as { code: string; exitCode: number }[];
    expect(errors.map(({ code }) => code).sort()).toEqual(Object.keys(CATALOGUE).sort());
    expect((await world().run('help', 'errors')).out).toContain('CLOCK_SKEW (exit 4)');
  });
});
