import { join } from 'node:path';
import { type Obtain, placeProgram, run } from './place-program.ts';

const MODULE = 'github.com/temporalio/cli/cmd/temporal';

/** A first build fetches and compiles the whole server; a slow machine needs many minutes. */
const BUILD_TIMEOUT_MS = 1_800_000;

/** Lets Go fetch and build the program; needs Go on PATH. */
export const buildTemporalCli: Obtain = async (target, { env, version, say }) => {
  await run('go', ['version'], { env: { ...env } });
  say(`Building the Temporal CLI ${version} with Go, which takes some minutes`);
  await placeProgram(target, async (folder) => {
    await run('go', ['install', `${MODULE}@${version}`], {
      cwd: folder,
      env: { ...env, GOBIN: folder },
      timeout: BUILD_TIMEOUT_MS,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return join(folder, 'temporal');
  });
};

/** Go names every module that it downloads. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
