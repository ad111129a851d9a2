import { basename, join } from 'node:path';
import { type Obtain, placeProgram, run } from './place-program.ts';

/** A program that Go can fetch and build. */
export type GoProgram = Readonly<{
  /** Its name for people. */
  name: string;
  module: string;
}>;

/** A first build fetches and compiles the whole server; a slow machine needs many minutes. */
const BUILD_TIMEOUT_MS = 1_800_000;

/** Lets Go fetch and build a program; needs Go on PATH. */
export const buildWithGo =
  ({ name, module }: GoProgram): Obtain =>
  async (target, { env, version, say }) => {
    await run('go', ['version'], { env: { ...env } });
    say(`Building ${name} ${version} with Go, which takes some minutes`);
    await placeProgram(target, async (folder) => {
      await run('go', ['install', `${module}@${version}`], {
        cwd: folder,
        env: { ...env, GOBIN: folder },
        timeout: BUILD_TIMEOUT_MS,
        maxBuffer: OUTPUT_BYTES_MAX,
      });
      return join(folder, basename(module));
    });
  };

export const buildTemporalCli = buildWithGo({
  name: 'the Temporal CLI',
  module: 'github.com/temporalio/cli/cmd/temporal',
});

/** Go names every module that it downloads. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
