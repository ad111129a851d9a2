import type { Command } from 'commander';

/** How the command that a command line names is typed, such as `bursar plan [options] <file>`. */
export function usageOf(program: Command): string {
  const command = namedIn(program);
  return command.createHelp().commandUsage(command);
}

/** The command that the words of a command line lead to. */
function namedIn(group: Command): Command {
  const [name] = group.args;
  const next = group.commands.find((command) => command.name() === name);
  return next === undefined ? group : namedIn(next);
}
