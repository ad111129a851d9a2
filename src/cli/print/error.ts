import type { ErrorIdentity, ErrorNote } from '../../domain/errors/bursar-error.ts';
import type { Context } from '../context.ts';
import { withReadableInstants } from '../../operations/text/instants.ts';
import { printable } from '../terminal/printable.ts';
import { printResult } from './output.ts';

/** The JSON form of an error. */
export const errorJson = ({ code, what, why, fix }: ErrorNote) => ({
  schema: 'bursar.error/v1',
  code,
  what,
  why,
  fix,
});

/**
 * Prints an error: for people on standard error; with `-o json` as the one object on standard output, so that a program
 * always reads either the result or the error there.
 */
export function printError(context: Context, note: ErrorNote): void {
  if (context.format === 'text') context.say(errorText(note, context));
  else printResult(context, { json: errorJson(note), text: '' });
}

/** An error as people read it: code, what, why and fix. */
export function errorText(note: ErrorNote, context: Context): string {
  const { what, why, fix } = note;
  const { colours, clock } = context;
  const shown = (text: string): string => withReadableInstants(printable(text), clock);
  return [
    `${codeText(note, context)}: ${shown(what)}`,
    `  Why: ${shown(why)}`,
    `  ${colours.bold('Fix:')} ${printable(fix)}`,
  ].join('\n');
}

/** The code of an error, which begins its text. */
export const codeText = ({ code }: ErrorIdentity, { colours }: Context): string =>
  colours.red(colours.bold(code));
