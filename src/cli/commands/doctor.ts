import { type Check, exitCodeOf, type Result, worstOf } from '../../doctor/check.ts';
import { runChecks } from '../../doctor/run-checks.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';
import { isSubscribedBySandbox } from '../sandbox/sandbox-subscription.ts';
import { printable } from '../terminal/printable.ts';

type DoctorFlags = Readonly<{ sendTest?: boolean }>;

/** `bursar doctor`: checks everything that a set-up needs, and prints each result with its fix. */
export async function doctor(flags: DoctorFlags, context: Context): Promise<number> {
  const checks = await runChecks(
    {
      sendTest: flags.sendTest ?? false,
      isSubscribedBySandbox: (settings) => isSubscribedBySandbox(settings, context),
    },
    context,
  );
  const shown = checks.map(({ name, result, says, fix }) => ({ name, result, says, fix }));
  const json = { schema: 'bursar.doctor/v1', result: worstOf(checks), checks: shown };
  printResult(context, { json, text: doctorText(checks, context) });
  return exitCodeOf(checks);
}

/** The results of the doctor, for people: a line for each check, and its fix. */
function doctorText(checks: readonly Check[], { colours }: Context): string {
  const signs: Readonly<Record<Result, string>> = {
    ok: colours.green('ok  '),
    warn: colours.yellow('warn'),
    fail: colours.red('FAIL'),
  };
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, result, says, fix }) => [
    `${signs[result]}  ${name.padEnd(width)}  ${printable(says)}`,
    ...(fix === null ? [] : [`${' '.repeat(width + 8)}${colours.bold('Fix:')} ${printable(fix)}`]),
  ]);
  return [...lines, '', SUMS[worstOf(checks)]].join('\n');
}

const SUMS: Readonly<Record<Result, string>> = {
  ok: 'Everything works.',
  warn: 'It works, with warnings.',
  fail: 'A required part does not work.',
};
