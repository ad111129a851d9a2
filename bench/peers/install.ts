import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/local-stack/package-root.ts';
import type { BenchContext } from '../support/context.ts';

/** The packages of the peers, with a lockfile of their own: Bursar depends on none of them. */
export const peersFolder = (): string => join(packageRoot(), 'bench/peers');

/** Installs the packages of the peers, unless those of the lockfile are there. */
export async function installPeers({ signal, say }: BenchContext): Promise<void> {
  const folder = peersFolder();
  const lockfile = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules', '.installed-lockfile');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lockfile))) return;
  say('peers: installing their packages (npm ci)');
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', options, {
    cwd: folder,
    signal,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(npm, 'close')) as [number | null];
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`npm ci in bench/peers ended with ${code}`);
  copyFileSync(lockfile, installed);
}
