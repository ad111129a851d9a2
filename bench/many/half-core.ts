import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of each period the processes of a group have this much processor time; microseconds. */
const PERIOD_US = 100_000;
const QUOTA_US = PERIOD_US / 2;

const ROOT = '/sys/fs/cgroup';
const GROUP = `bursar-bench-${process.pid}`;

/**
 * Runs `use` while a process has half a core, by a control group, as Kubernetes limits a container. Needs Linux, and root.
 * Throws where no group can be made.
 */
export async function withHalfCore<Result>(
  pid: number,
  use: () => Promise<Result>,
): Promise<Result> {
  const isUnified = existsSync(join(ROOT, 'cgroup.controllers'));
  const above = isUnified ? ROOT : join(ROOT, 'cpu');
  const group = join(above, GROUP);
  mkdirSync(group);
  try {
    if (isUnified) writeFileSync(join(group, 'cpu.max'), `${QUOTA_US} ${PERIOD_US}`);
    else writeFileSync(join(group, 'cpu.cfs_quota_us'), String(QUOTA_US));
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    return await use();
  } finally {
    writeFileSync(join(above, 'cgroup.procs'), String(pid));
    rmdirSync(group);
  }
}
