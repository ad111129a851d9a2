import { readFile } from 'node:fs/promises';

const KIB_PER_MIB = 1_024;

/** The most memory that a running process ever held, in MiB; undefined where the system does not tell (only Linux does). */
export async function peakMemoryMib(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = peakKibOf(status);
  return kib === undefined ? undefined : kib / KIB_PER_MIB;
}

/** The memory that a running process holds now (`VmRSS`), in MiB; undefined on other systems than Linux. */
export async function memoryMib(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kib === undefined ? undefined : Number(kib) / KIB_PER_MIB;
}

/** The same in KiB, of the status that Linux tells of a process. */
export function peakKibOf(status: string): number | undefined {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return kib === undefined ? undefined : Number(kib);
}
