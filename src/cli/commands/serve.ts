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
    if (settings.api.baseUrl === undefined) context.say(NO_SERVICE);
    context.say(webText(api.webUrl));
    context.say(`The API listens at ${api.url}; ${api.url}/v1/openapi.json describes it.`);
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

const NO_SERVICE =
  'NO SERVICE IS SET (api.base_url), so nothing can be planned or paid. With "bursar up": stop this, then eval "$(bursar env)" in the same folder.';

const webText = (webUrl: string | null): string =>
  webUrl === null
    ? 'No person can sign in to the web app: set serve.origin to its address.'
    : `The web app for people: ${webUrl}`;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
