import { Refused } from '../core/refusals.ts';
import { readJson } from './exact-json.ts';

export type RawBody = Readonly<{
  contentType: string | undefined;
  contentEncoding: string | undefined;
  body: Buffer;
}>;

/**
 * Returns the JSON value of a body. Throws Refused for other content types and for text that is not
 * JSON.
 */
export function readBody({ contentType, contentEncoding, body }: RawBody): unknown {
  checkContentType(contentType);
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity') {
    throw new Refused('CONTENT_TYPE_INVALID', 'A body is not compressed.');
  }
  try {
    return readJson(body);
  } catch {
    // The parser's message would repeat parts of the body.
    throw new Refused('JSON_INVALID');
  }
}

/** JSON is UTF-8. With another charset the bytes would mean other characters. */
const JSON_IN_UTF8 = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?(;\s*)?$/i;

export function checkContentType(contentType: string | undefined): void {
  if (contentType === undefined || !JSON_IN_UTF8.test(contentType)) {
    throw new Refused('CONTENT_TYPE_INVALID');
  }
}
