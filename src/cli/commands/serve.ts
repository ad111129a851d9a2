import { EXIT } from '../../domain/errors/exit-codes.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { readTokens } from '../../app/tokens/tokens.ts';
import type { Context } from '../context.ts';

/** `bursar serve`: the operations over HTTP, until Ctrl-C. */
export async function serve(_flags: object, context: Context): Promise<number> {
  const settings = await loadSettings(context);
  const tokens = readTokens(settings.serve.tokenFile);
  const api = await context.open.httpApi(context, settings);
  try {
    context.say(`The API listens at ${api.url}; it is described by ${api.url}/v1/openapi.json`);
    if (tokens.length === 0) {
      context.say('No program has a token yet. Make one with: bursar token create NAME');
    }
    await aborted(context.interrupted);
    context.say('Stopping ...');
    return EXIT.done;
  } finally {
    await api.close();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
