import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import type { ClockReading } from '../../domain/sending/send-record.ts';

/** Names the boot of a Linux host: a new one after each start, the same in all of its containers. */
const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';
/** A container can have a clock of its own, moved against that of the host. */
const TIME_NAMESPACE_LINK = '/proc/self/ns/time';

const ID_LENGTH = 16;
const NANOSECONDS_PER_MS = 1_000_000n;

/**
 * Opens the clock of this machine that never jumps: no person can set it, and NTP does not step it. On Linux all
 * processes of one boot read the same one, so a restarted worker goes on with it. Elsewhere each process has its own.
 */
export function openSteadyClock(read: (path: string) => string = readFact): () => ClockReading {
  const clock = clockIdOf(read);
  return () => ({ clock, ms: Number(process.hrtime.bigint() / NANOSECONDS_PER_MS) });
}

/** The id of the clock: a hash, since the boot id of a machine is meant to stay on it. */
function clockIdOf(read: (path: string) => string): string {
  try {
    const boot = read(BOOT_ID_FILE).trim();
    if (boot === '') return randomUUID();
    const facts = `bursar clock ${boot} ${timeNamespace(read)}`;
    return createHash('sha256').update(facts).digest('hex').slice(0, ID_LENGTH);
  } catch {
    return randomUUID();
  }
}

/** A kernel before 5.6 has no such namespaces, and one clock for all. */
function timeNamespace(read: (path: string) => string): string {
  try {
    return read(TIME_NAMESPACE_LINK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'of the host';
    throw error;
  }
}

const readFact = (path: string): string =>
  path === TIME_NAMESPACE_LINK ? readlinkSync(path) : readFileSync(path, 'utf8');
