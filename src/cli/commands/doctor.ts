import { exitCodeOf, worstOf } from '../../doctor/check.ts';
import { runChecks } from '../../doctor/run-checks.ts';
import type { Context } from '../context.ts';
import { doctorText } from '../print/doctor-text.ts';
import { printResult } from '../print/output.ts';
import { isSubscribedBySandbox } from '../sandbox/sandbox-subscription.ts';

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
