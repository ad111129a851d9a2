import type { Command } from 'commander';

export const ACCOUNT = ['--account <account>', 'only this account'] as const;

/** The account of an act, which is needed where the sandbox has several. */
export const ONE_ACCOUNT = ['--account <account>', 'where there are several: which one'] as const;

/** What a command with subcommands does when none of them is named. Another word is an unknown subcommand. */
export const defaultCommand = (group: Command, name: string): Command =>
  group
    .command(name, { isDefault: true })
    .allowExcessArguments()
    .hook('preAction', (_, { args: [word] }) => {
      if (word === undefined) return;
      const known = group.commands.map((command) => command.name()).join(', ');
      group.error(`error: "${group.name()}" has no command "${word}"; known are ${known}`);
    });

/** A list that may be long. */
export const tail = (command: Command): Command =>
  command.option('--tail <number>', 'the latest so many (50 by default), or all');

/** Gathers the values of a flag that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];
