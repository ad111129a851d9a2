/**
 * Keeps one program of the local stack: `node keeper.js GRACE_MS PROGRAM [ARGUMENT...]`. The stack holds the other end
 * of this process's message channel. When the channel closes (the stack stops, or it was killed), the program gets
 * SIGTERM and, after the grace period, SIGKILL. The keeper sends the program's process id at its start, and how it
 * ended; it ends with it.
 */
import { spawn } from 'node:child_process';

/** A message of a keeper to the stack. */
export type KeeperMessage = Readonly<{ pid: number }> | Readonly<{ ended: string }>;

const [graceText = '', program = '', ...programArguments] = process.argv.slice(2);
const graceMs = Number(graceText);

const child = spawn(program, programArguments, { stdio: ['ignore', 'inherit', 'inherit'] });

child.on('spawn', () => {
  if (child.pid !== undefined) tell({ pid: child.pid });
});
child.on('error', (error) => leave(`could not be started: ${error.message}`));
child.on('exit', (code, signal) =>
  leave(signal === null ? `exit code ${code}` : `signal ${signal}`),
);

process.on('disconnect', stopChild);
// The stack may have ended before this line was reached.
if (!process.connected) stopChild();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopChild);

function stopChild(): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
}

function leave(ended: string): void {
  tell({ ended });
  if (process.connected) process.disconnect();
}

function tell(message: KeeperMessage): void {
  if (process.connected) process.send?.(message);
}
