import type { Argument, Command, Option } from 'commander';
import { loadSubcommands } from '../program/later-commands.ts';
import { wordsOf } from '../program/examples.ts';

/** A word that can follow, with its help. */
export type CompletionWord = Readonly<{ word: string; help: string }>;

/** An option with the values that it takes; empty: any. */
export type ChoiceOption = Readonly<{ flags: readonly string[]; choices: readonly string[] }>;

/** The words that can follow a command. `path`: its own words after `bursar`; empty for the program. */
export type CompletionNode = Readonly<{
  path: string;
  commands: readonly CompletionWord[];
  options: readonly CompletionWord[];
  /** The options that have a fixed list of values. */
  choices: readonly ChoiceOption[];
}>;

/** Every command of a program with the words that can follow it. Loads the tables of all groups. */
export async function completionTree(program: Command): Promise<CompletionNode[]> {
  const nodes: CompletionNode[] = [];
  const visit = async (command: Command): Promise<void> => {
    await loadSubcommands(command);
    nodes.push(nodeOf(command));
    for (const child of command.createHelp().visibleCommands(command)) await visit(child);
  };
  await visit(program);
  return nodes;
}

function nodeOf(command: Command): CompletionNode {
  const options = optionsOf(command);
  return {
    path: wordsOf(command),
    commands: [
      ...command
        .createHelp()
        .visibleCommands(command)
        .map((child) => ({ word: child.name(), help: child.summary() || child.description() })),
      ...command.registeredArguments.flatMap(choicesOf),
    ],
    options: [
      ...options.flatMap((option) =>
        flagsOf(option).map((word) => ({ word, help: option.description })),
      ),
      { word: '--help', help: 'display help for command' },
    ],
    choices: options.flatMap(({ argChoices, ...option }) =>
      argChoices === undefined ? [] : [{ flags: flagsOf(option), choices: argChoices }],
    ),
  };
}

const choicesOf = ({ argChoices = [] }: Argument): CompletionWord[] =>
  argChoices.map((word) => ({ word, help: '' }));

/** The options of a command, and those of the groups around it. */
function optionsOf(command: Command): Option[] {
  const options: Option[] = [];
  for (let one: Command | null = command; one !== null; one = one.parent) {
    options.push(...one.options.filter(({ hidden }) => !hidden));
  }
  return options;
}

/** `-o` and `--output`. */
const flagsOf = ({ short, long }: Readonly<{ short?: string; long?: string | null }>): string[] =>
  [short, long].filter((flag): flag is string => typeof flag === 'string');
