import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { type Check, type Result, worstOf } from '../../doctor/check.ts';

/** The results of the doctor, for people: a line for each check, and its fix. */
export function doctorText(checks: readonly Check[], { colours }: Context): string {
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
  ok: 'All is well.',
  warn: 'It works; a person should read the warnings.',
  fail: 'Something that is needed does not work.',
};
