import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';

/** Programs that do nothing but take processor time; two for each core, so that all others get a third at most. */
const LOOPS_PER_CORE = 2;

/** Runs `use` on a machine that is busy with other programs. */
export async function whileBusy<Result>(use: () => Promise<Result>): Promise<Result> {
  const loops = Array.from({ length: cpus().length * LOOPS_PER_CORE }, () =>
    spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return await use();
  } finally {
    await Promise.all(loops.map(stop));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
