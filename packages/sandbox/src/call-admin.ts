import { request } from 'node:http';
import { ADMIN_ANSWERS, type AdminAnswer, type AdminEndpoint } from './admin/index.ts';

/** The admin API refused a request. */
export class AdminRefused extends Error {
  /** The HTTP status of the answer. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
    this.name = 'AdminRefused';
  }
}

/**
 * Calls the admin API of a sandbox. GET and DELETE send the input as query, other methods as JSON.
 * Rejects with AdminRefused, whose message has the answer. It uses no `fetch`, which tests often replace.
 */
export async function callAdmin<Endpoint extends AdminEndpoint>(
  url: string,
  endpoint: Endpoint,
  input: object = {},
): Promise<AdminAnswer<Endpoint>> {
  const [method = '', path = ''] = endpoint.split(' ');
  const hasBody = method === 'POST' || method === 'PUT';
  const query = new URLSearchParams(hasBody ? {} : textsOf(input)).toString();
  const { status, text } = await send(
    `${url}/sandbox${path}${query === '' ? '' : `?${query}`}`,
    method,
    hasBody ? JSON.stringify(input) : '',
  );
  if (status !== 200)
    throw new AdminRefused(`${endpoint} was refused with ${status}: ${text}`, status);
  return ADMIN_ANSWERS[endpoint].parse(JSON.parse(text)) as AdminAnswer<Endpoint>;
}

const textsOf = (input: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );

type Reply = Readonly<{ status: number; text: string }>;

/** A connection of its own: a kept one would hold up the end of the process. */
const send = (url: string, method: string, body: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
