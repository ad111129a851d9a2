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
