import { CATALOGUE, type ErrorCode } from '../../domain/errors/catalogue.ts';
import {
  EXIT,
  EXIT_MEANINGS,
  exitCodeOfCategory,
  type ExitName,
} from '../../domain/errors/exit-codes.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';
import { factLines } from '../terminal/table.ts';

/** `bursar help exit-codes`: what each number means. */
export async function helpExitCodes(_flags: object, context: Context): Promise<number> {
  const names = Object.keys(EXIT) as ExitName[];
  const exitCodes = names.map((name) => ({ code: EXIT[name], name, meaning: EXIT_MEANINGS[name] }));
  printResult(context, {
    json: { schema: 'bursar.exit-codes/v1', exitCodes },
    text: factLines(exitCodes.map(({ code, meaning }) => [String(code), meaning])).join('\n'),
  });
  return EXIT.done;
}

/** `bursar help errors`: every error with its exit code, its reason and its fix. */
export async function helpErrors(_flags: object, context: Context): Promise<number> {
  const codes = Object.keys(CATALOGUE).sort() as ErrorCode[];
  const errors = codes.map((code) => {
    const { category, why, fix } = CATALOGUE[code];
    return { code, exitCode: exitCodeOfCategory(category), why: textOf(why), fix: textOf(fix) };
  });
  const text = errors
    .map(({ code, exitCode, why, fix }) =>
      [`${code} (exit ${exitCode})`, ...lines('Why', why), ...lines('Fix', fix)].join('\n'),
    )
    .join('\n');
  printResult(context, { json: { schema: 'bursar.errors/v1', errors }, text });
  return EXIT.done;
}

/** A sentence that is made from the facts of a case is shown only with such facts. */
const textOf = (sentence: unknown): string | null =>
  typeof sentence === 'string' ? sentence : null;

const lines = (title: string, sentence: string | null): string[] =>
  sentence === null ? [] : [`  ${title}: ${sentence}`];
