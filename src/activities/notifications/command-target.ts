import { spawn } from 'node:child_process';
import { killGroup } from './kill-group.ts';
import { type Delivered, failed, type Message, type Target, TRY_MS_MAX } from './target.ts';

export type CommandTargetOptions = Readonly<{
  name: string;
  events: readonly string[];
  /** A program and its arguments; no shell reads them. */
  command: readonly string[];
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>;
  tryMsMax?: number;
}>;

/**
 * A target that is a program of the operator: the payload comes on its standard input, id and event in its environment.
 * Exit code 0 means delivered. Its output is dropped: it could be anything, secrets included.
 */
export const createCommandTarget = (options: CommandTargetOptions): Target => ({
  name: options.name,
  events: options.events,
  deliver: (message) => run(message, options),
});

function run(
  { id, event, body }: Message,
  { command, env, tryMsMax = TRY_MS_MAX }: CommandTargetOptions,
): Promise<Delivered> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...env, BURSAR_NOTIFICATION_ID: id, BURSAR_NOTIFICATION_EVENT: event },
      stdio: ['pipe', 'ignore', 'ignore'],
      // A process group of its own, so that its child processes end with it.
      detached: true,
    });
    const timer = setTimeout(() => {
      killGroup(child);
      resolve(failed('it was still running when its time was over'));
    }, tryMsMax);
    const end = (outcome: Delivered): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      end(failed(`it cannot be started: ${error.code}`)),
    );
    child.on('exit', (code, signal) => end(outcomeOf(code, signal)));
    // A program that does not read its input has done so on purpose.
    child.stdin.on('error', () => undefined);
    child.stdin.end(body);
  });
}

const outcomeOf = (code: number | null, signal: NodeJS.Signals | null): Delivered => {
  if (code === 0) return { kind: 'delivered' };
  return failed(signal === null ? `exit code ${code}` : `signal ${signal}`);
};
