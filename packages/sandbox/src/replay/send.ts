import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { HEADER_KEY, HEADER_SIGN } from '@bursar/merchant-api/spec';

export type ReplayRequest = Readonly<{
  url: string;
  key: string;
  /** Null: the signature is wrong, as it was in the case. */
  secret: string | null;
  contentType: string | null;
  modes: string | null;
  body: Buffer;
}>;

/** Sends a request. Resolves with the body of its answer, or null when none came. */
export const sendReplay = (sent: ReplayRequest): Promise<string | null> =>
  new Promise((resolve) => {
    const outgoing = request(sent.url, {
      method: 'POST',
      headers: headersOf(sent),
      agent: false,
    });
    outgoing.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
      response.on('error', () => resolve(null));
    });
    // A fault of the case may close the connection.
    outgoing.on('error', () => resolve(null));
    outgoing.end(sent.body);
  });

const headersOf = ({ key, secret, contentType, modes, body }: ReplayRequest) => ({
  [HEADER_KEY]: key,
  [HEADER_SIGN]:
    secret === null ? 'wrong' : createHmac('sha512', secret).update(body).digest('hex'),
  ...(contentType === null ? {} : { 'Content-Type': contentType }),
  ...(modes === null ? {} : { 'Sandbox-Modes': modes }),
});
