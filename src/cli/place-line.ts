import { showPlace } from '../app/account/place.ts';
import { isBursarError } from '../domain/errors/bursar-error.ts';
import { placeWords } from '../domain/service/place.ts';
import type { Context } from './context.ts';
import { perform } from './perform.ts';
import { printable } from './terminal/printable.ts';

/** Shows a person which service and account the command uses, before its result. Programs get nothing. */
export async function sayPlace(context: Context): Promise<void> {
  if (context.format === 'text') context.say(await placeLine(context));
}

/** One line: LIVE or SANDBOX, the service, and the account. @throws SETTINGS_INVALID, and the errors of a server */
export async function placeLine(context: Context): Promise<string> {
  const { server, colours } = context;
  try {
    const { environment, where } = placeWords(await perform(showPlace, {}, context));
    const text = printable(where);
    if (environment === null) return colours.bold(text);
    const paint = environment === 'LIVE' ? colours.red : colours.green;
    return `${colours.bold(paint(environment))}  ${text}`;
  } catch (error) {
    if (server === undefined || !isBursarError(error) || error.code !== 'PATH_UNKNOWN') throw error;
    return `The server ${printable(server.url)} is older than this command: it does not show which service it uses.`;
  }
}
