import type { BenchContext } from '../support/context.ts';
import { type Cpu, cpuOf, withChildCpu } from '../support/cpu.ts';
import { compiled, runNode } from '../support/run-module.ts';
import type { BenchStack } from '../support/stack.ts';

const BURSAR = compiled('../../programs/starter.js');

/** The JSON that a command printed, how long it took from its start to its end, and its processor seconds. */
export type Ran = Readonly<{ ms: number; cpu: Cpu; value: Readonly<Record<string, unknown>> }>;

export type Run = (args: readonly string[], codes?: readonly number[]) => Promise<Ran>;

/** Runs commands of `bursar` as a person types them. Throws for any exit code that is not expected. */
export const createRun =
  ({ signal }: BenchContext, { env, folder: cwd }: BenchStack): Run =>
  async (args, codes = [0]) => {
    const startMs = performance.now();
    const { result, cpuSeconds } = await withChildCpu(() =>
      runNode([BURSAR, ...args, '-o', 'json'], { env, cwd, signal }),
    );
    const ms = performance.now() - startMs;
    const { end, out, errors } = result;
    if (!codes.some((code) => code === end)) {
      throw new Error(`bursar ${args.join(' ')} ended with ${end}:\n${errors}${out}`);
    }
    return { ms, cpu: cpuOf('cli', cpuSeconds), value: JSON.parse(out) as Ran['value'] };
  };
