import type { Command } from 'commander';
import { describe, expect, it } from '@jest/globals';
import { EXAMPLES, wordsOf } from '../../src/cli/program/examples.ts';
import { loadSubcommands } from '../../src/cli/program/later-commands.ts';
import { createProgram } from '../../src/cli/program/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const world = () => fakeWorld({ cwd: temporaryFolder() });

/** A program that only reads its command line. `ran`: the flags of each command that would have run. */
function readingProgram() {
  const ran: unknown[] = [];
  const program = createProgram(world().world, async (_load, flags) => void ran.push(flags));
  return { program, ran };
}

/** Every command that can run, by its words. */
async function commandsOf(command: Command): Promise<string[]> {
  await loadSubcommands(command);
  const children = command.createHelp().visibleCommands(command);
  if (children.length === 0) return [wordsOf(command)];
  return (await Promise.all(children.map(commandsOf))).flat();
}

/** The words of a line, as a shell reads them. What follows `>` is no argument. */
const wordsIn = (line: string): string[] =>
  [...line.replace(/ > .*$/, '').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );

const commands = await commandsOf(readingProgram().program);

describe('the examples of the help', () => {
  it.each(commands)('are there for "%s", and each can be read', async (words) => {
    const examples = EXAMPLES[words] ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const line of examples) {
      const { program, ran } = readingProgram();
      await program.parseAsync(wordsIn(line), { from: 'user' });
      expect([line, words === 'help' ? 1 : ran.length]).toEqual([line, 1]);
    }
  });

  it('are those of commands that are there', () => {
    expect(Object.keys(EXAMPLES).filter((words) => !commands.includes(words))).toEqual([]);
  });

  it('end the help of a command', async () => {
    const { out } = await world().run('plan', '--help');
    expect(out).toMatch(/\nExamples:\n {2}bursar plan payroll\.csv\n/);
    expect((await world().run('help', 'sandbox', 'top-up')).out).toContain(
      'bursar sandbox top-up 1000',
    );
    expect((await world().run('--help')).out).not.toContain('Examples:');
  });
});

describe('the help of a command', () => {
  it.each(commands)('describes it, and begins with a capital letter: %s', async (words) => {
    const { out } = await world().run('help', ...words.split(' '));
    const [, description = ''] = out.split('\n\n');
    expect(description).toMatch(/^[A-Z][^]* /);
  });

  it('describes it as a list of commands does, with a capital and a full stop', async () => {
    const { out } = await world().run('find', '--help');
    expect(out).toContain('\nFind a payment by reference, address, payee name, id, key or hash.\n');
    expect((await world().run('--help')).out).toContain(' find a payment by reference, address');
  });

  it('has no options of the whole program, and those of its group', async () => {
    const { out } = await world().run('sandbox', 'top-up', '--help');
    expect(out).toContain('--url <url>');
    expect(out).not.toContain('--account-name');
    expect((await world().run('--help')).out).toContain('--account-name');
  });
});

describe('a command line with a part missing', () => {
  it.each([
    [['plan'], 'FLAG_INVALID: Which file?', 'bursar plan [options] <file>'],
    [['submit'], 'FLAG_INVALID: Which file?', 'bursar submit [options] [file]'],
    [['keys', 'show'], 'FLAG_INVALID: Which file?', 'bursar keys show [options] <file>'],
    [['cancel', 'x'], "required option '--reason <text>'", 'bursar cancel [options] <batch>'],
  ])('%j names it and shows how the command is typed', async (args, problem, usage) => {
    const { code, err } = await world().run(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
    expect(err).toContain(`  Usage: ${usage}\n`);
  });
});
