import { CONTENT_TYPE_JSON } from '../../spec/limits.ts';
import { Refused } from '../core/refusals.ts';
import { readJson } from './exact-json.ts';

export type RawBody = Readonly<{ contentType: string | undefined; body: Buffer }>;

/** The JSON value of a body; refuses other content types and everything that is not JSON. */
export function readBody({ contentType, body }: RawBody): unknown {
  checkContentType(contentType);
  try {
    return readJson(body);
  } catch {
    // The parser's sentence would repeat parts of the body.
    throw new Refused('JSON_INVALID');
  }
}

export function checkContentType(contentType: string | undefined): void {
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== CONTENT_TYPE_JSON) throw new Refused('CONTENT_TYPE_INVALID');
}
