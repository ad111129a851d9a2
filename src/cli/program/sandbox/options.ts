import type { Command } from 'commander';

export const ACCOUNT = ['--account <account>', 'only this account'] as const;

/** The account of an act, which is needed where the sandbox has several. */
export const ONE_ACCOUNT = ['--account <account>', 'where there are several: which one'] as const;

/** A list that may be long. */
export const tail = (command: Command): Command =>
  command.option('--tail <number>', 'the latest so many (50 by default), or all');

/** Gathers the values of a flag that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];
