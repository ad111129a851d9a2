import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { postJson } from './post.ts';
import { signedHeaders } from './sign.ts';
import { failed, type Target, TRY_MS_MAX } from './target.ts';

export type UrlTargetOptions = Readonly<{
  name: string;
  events: readonly string[];
  url: string;
  /** Reads the signing keys; called at each try, so that a new secret needs no restart. */
  readKeys(): readonly Uint8Array[];
  nowMs(): number;
  tryMsMax?: number;
}>;

/**
 * A target that gets signed webhooks, in the form of Standard Webhooks. Any status from 200 to 299 means delivered;
 * redirects are not followed, and only the status of the answer is read.
 */
export const createUrlTarget = (options: UrlTargetOptions): Target => ({
  name: options.name,
  events: options.events,
  async deliver(message) {
    const keys = tryToRead(options);
    if (typeof keys === 'string') return failed(keys);
    const { url, nowMs, tryMsMax = TRY_MS_MAX } = options;
    const headers = signedHeaders(message, { keys, nowMs: nowMs() });
    return postJson({ url, body: message.body, headers, tryMsMax });
  },
});

/** The keys, or why there are none: a secret that is missing now may be there at the next try. */
function tryToRead({ readKeys }: UrlTargetOptions): readonly Uint8Array[] | string {
  try {
    return readKeys();
  } catch (error) {
    if (isBursarError(error)) return error.note.what;
    throw error;
  }
}
