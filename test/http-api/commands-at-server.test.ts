import { describe, expect, it } from '@jest/globals';
import { EXAMPLES } from '../../src/cli/program/examples.ts';
import { GOOD, withFiles } from '../cli/support/files.ts';
import { read } from '../architecture/repository.ts';
import { machineAt, worldOf } from './support/machine-at.ts';

const PAGE = read('docs/http-api.md');

const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const WORKING = namesIn(/^These commands work at a server: .*$/m.exec(PAGE)?.[0] ?? '');

/** The commands of the table that a server makes do this. */
const commandsThat = (what: string): string[] =>
  [...PAGE.matchAll(/^\| (`.*?) \| (\S.*?) \| .* \|$/gm)].flatMap(([, names = '', does]) =>
    does === what ? namesIn(names) : [],
  );

const REFUSED = commandsThat('refused');
const LOCAL = commandsThat('runs here');

/** Whether a list names this command or its group. */
const isIn = (names: readonly string[], words: string): boolean =>
  names.includes(words) || names.includes(words.split(' ')[0] ?? '');

const wordsIn = (line: string): string[] =>
  (line.split(/ [>|] /)[0]?.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));

/** Flags by which a command that works at a server is refused there. */
const BY_FLAGS: readonly (readonly [string, readonly string[]])[] = [
  ['report --out', ['report', 'payroll', '--out', 'books']],
  ['reconcile --out', ['reconcile', 'payroll', '--out', 'books.json']],
  ['verify --report', ['verify', 'payroll', '--report', 'books']],
];

describe('the page about HTTP', () => {
  it('says of every command what it does with --server', () => {
    const lists = [WORKING, REFUSED, LOCAL];
    const counts = Object.keys(EXAMPLES).map((words) => [
      words,
      lists.filter((names) => isIn(names, words)).length,
    ]);
    expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
  });

  it.each([
    ...BY_FLAGS,
    ...Object.entries(EXAMPLES)
      .filter(([words]) => isIn(REFUSED, words))
      .flatMap(([words, examples]) => examples.map((line) => [words, wordsIn(line)] as const)),
  ])('names %s as refused: %j', async (words, args) => {
    expect(isIn(REFUSED, words)).toBe(true);
    const there = await machineAt(worldOf());
    Object.assign(there.world.env, { BURSAR_BRIDGE_PUBLIC_URL: 'https://hooks.example' });
    withFiles(there.world.cwd, { 'payroll.csv': GOOD, 'suppliers.csv': 'address,name\n' });
    expect(await there.run(...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining('SERVER_CANNOT'),
    });
  });
});
