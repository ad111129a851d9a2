import type { Command } from 'commander';
import type { Command as CliCommand } from '../context.ts';

/** Runs a command whose code is loaded only now, so that help needs none of it. */
export type RunCommand = <Flags>(
  load: () => Promise<CliCommand<Flags>>,
  flags: Flags,
) => Promise<void>;

/**
 * Adds commands to a program. Each command defines how its arguments become flags, and imports its code when it runs.
 */
export type AddCommands = (program: Command, run: RunCommand) => void;

/** The action of a command: `<batch>` and `--dry-run` become the flags `batch` and `dryRun`. */
export const actionOf =
  <Flags>(run: RunCommand, load: () => Promise<CliCommand<Flags>>) =>
  (...given: unknown[]): Promise<void> =>
    run(load, flagsOf(given.at(-1) as Command) as Flags);

/** An argument that was left out is no flag. */
function flagsOf(command: Command): object {
  const given = command.registeredArguments.map(
    (argument, index) => [argument.name(), command.processedArgs[index]] as const,
  );
  const named = given.filter(([, value]) => value !== undefined);
  return { ...command.opts(), ...Object.fromEntries(named) };
}

/** Gathers the values of a flag that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];
