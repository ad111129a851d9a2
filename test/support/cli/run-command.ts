import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a command printed, and how it ended. */
export type CommandEnd = Readonly<{ code: number; out: string; err: string }>;

export type CommandToRun = Readonly<{
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
}>;

/** Runs a command of ours to its end, in a process that has loaded the command line already. */
export async function runCommand({ args, env, cwd }: CommandToRun): Promise<CommandEnd> {
  const path = process.env['BURSAR_TEST_CLI_SOCKET'];
  if (path === undefined) throw new Error('jest.config.js must name the global set-up');
  const socket = connect({ path, allowHalfOpen: true });
  socket.end(JSON.stringify({ args, env: { ...personEnv(), ...env }, cwd }));
  return JSON.parse(await text(socket)) as CommandEnd;
}

/** What every process of a person has. */
const personEnv = () => ({ PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' });
