import { isBursarError } from '../domain/errors/bursar-error.ts';
import { counted } from '../domain/text/counted.ts';
import { maskedUrl } from '../domain/text/masked-url.ts';

/** One thing that a program needs for its work. */
export type ReadinessCheck = Readonly<{
  name: string;
  /** What a person does when the check fails with an error that has no advice of its own. */
  fix: string;
  /** Whether the program does its work without it. Such a check is shown, and readiness does not need it. */
  isOptional?: boolean;
  /** Throws when the thing is missing. */
  run(): Promise<void>;
}>;

/** What a failed check found: as the sentences of an error. */
type Failure = Readonly<{ what: string; why: string; fix: string }>;

export type CheckResult = 'ok' | Failure;

export type Readiness = Readonly<{
  status: 'ready' | 'not ready';
  checks: Readonly<Record<string, CheckResult>>;
}>;

/** How long one check may take, in milliseconds. Probes commonly give up after some seconds more. */
export const CHECK_MS_MAX = 3_000;

/** How long a result serves further probes, in milliseconds: many probes cost as little as one. */
const RESULT_MS = 1_000;

type Options = Readonly<{ nowMs(): number; deadlineMs?: number }>;

/**
 * Runs checks side by side, each with a deadline. A check that hangs is not begun again until it ends, so that probes of a
 * hanging store do not pile up.
 */
export function createReadiness(
  checks: () => readonly ReadinessCheck[],
  { nowMs, deadlineMs = CHECK_MS_MAX }: Options,
) {
  const running = new Map<string, Promise<CheckResult>>();
  let last: Readonly<{ atMs: number; result: Promise<Readiness> }> | undefined;

  function begin(check: ReadinessCheck): Promise<CheckResult> {
    const begun = running.get(check.name);
    if (begun !== undefined) return begun;
    const result = resultOf(check).finally(() => running.delete(check.name));
    running.set(check.name, result);
    return result;
  }

  async function runAll(): Promise<Readiness> {
    const all = await Promise.all(
      checks().map(async (check) => ({
        check,
        result: await inTime(begin(check), { check, deadlineMs }),
      })),
    );
    const isReady = all.every(({ check, result }) => result === 'ok' || check.isOptional === true);
    return {
      status: isReady ? 'ready' : 'not ready',
      checks: Object.fromEntries(all.map(({ check, result }) => [check.name, result])),
    };
  }

  return async (): Promise<Readiness> => {
    const atMs = nowMs();
    if (last === undefined || atMs < last.atMs || atMs - last.atMs >= RESULT_MS) {
      last = { atMs, result: runAll() };
    }
    return last.result;
  };
}

async function resultOf({ name, fix, run }: ReadinessCheck): Promise<CheckResult> {
  try {
    await run();
    return 'ok';
  } catch (error) {
    if (isBursarError(error)) {
      const { what, why, fix: advice } = error.note;
      return { what, why, fix: advice };
    }
    const why = error instanceof Error ? error.message : String(error);
    return { what: `The check "${name}" failed.`, why: maskedUrl(why), fix };
  }
}

type Limit = Readonly<{ check: ReadinessCheck; deadlineMs: number }>;

async function inTime(
  result: Promise<CheckResult>,
  { check, deadlineMs }: Limit,
): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckResult>((resolve) => {
    const why = `There was no answer within ${counted(deadlineMs, 'millisecond')}.`;
    const what = `The check "${check.name}" did not end in time.`;
    timer = setTimeout(() => resolve({ what, why, fix: check.fix }), deadlineMs);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
