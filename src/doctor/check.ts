import { isBursarError } from '../domain/errors/bursar-error.ts';
import { maskedUrl } from '../domain/text/masked-url.ts';
import { EXIT, exitCodeOfError } from '../domain/errors/exit-codes.ts';

/** `fail`: Bursar cannot do what the settings want. `warn`: it can, but a person should read this. */
export type Result = 'ok' | 'warn' | 'fail';

/** The result of one check. `exitCode`: how the command ends when this is the first failed check. */
export type Check = Readonly<{
  name: string;
  result: Result;
  says: string;
  fix: string | null;
  exitCode: number;
}>;

export const ok = (name: string, says: string): Check => ({
  name,
  says: maskedUrl(says),
  result: 'ok',
  fix: null,
  exitCode: EXIT.done,
});

export const warn = (name: string, says: string, fix: string): Check => ({
  name,
  says: maskedUrl(says),
  result: 'warn',
  fix: maskedUrl(fix),
  exitCode: EXIT.done,
});

export const fail = (
  name: string,
  { says, fix, exitCode = EXIT.usage }: Readonly<{ says: string; fix: string; exitCode?: number }>,
): Check => ({
  name,
  result: 'fail',
  says: maskedUrl(says),
  fix: maskedUrl(fix),
  exitCode,
});

/** A check that ended with an error of the catalogue. Other errors are thrown. */
export function failedBy(name: string, error: unknown): Check {
  if (!isBursarError(error)) throw error;
  const { what, fix } = error.note;
  return fail(name, { says: what, fix, exitCode: exitCodeOfError(error.note) });
}

/** How long one check may take, in milliseconds. Calls of a check end sooner by themselves. */
const CHECK_MS_MAX = 30_000;

/** As {@link CHECK_MS_MAX}, of a check that holds others. */
export const GROUP_MS_MAX = 4 * CHECK_MS_MAX;

/**
 * Runs checks; an error of the catalogue becomes the result of the named check. A check that does not end within `deadlineMs`
 * has failed.
 */
export async function orFailed(
  name: string,
  run: () => Promise<Check[]>,
  deadlineMs: number = CHECK_MS_MAX,
): Promise<Check[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Check[]>((resolve) => {
    const says = `there was no result within ${deadlineMs / 1_000} s`;
    const fix = 'See whether it is overloaded, or stopped, and run doctor again.';
    const failed = fail(name, { says, fix, exitCode: EXIT.unreachable });
    timer = setTimeout(() => resolve([failed]), deadlineMs);
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    return [failedBy(name, error)];
  } finally {
    clearTimeout(timer);
  }
}

/** The worst result of some checks. */
export const worstOf = (checks: readonly Check[]): Result =>
  (['fail', 'warn'] as const).find((result) => checks.some((one) => one.result === result)) ?? 'ok';

/** The exit code of the first failed check. The more fundamental checks come first. */
export const exitCodeOf = (checks: readonly Check[]): number =>
  checks.find(({ result }) => result === 'fail')?.exitCode ?? EXIT.done;
