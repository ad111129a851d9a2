import { setTimeout as pause } from 'node:timers/promises';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits for something that another process brings about; jest's time limit ends the wait. */
export async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(20);
}
