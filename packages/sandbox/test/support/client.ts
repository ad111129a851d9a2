import { createHmac } from 'node:crypto';
import { DEFAULT_ENDPOINTS, type Operation } from '@bursar/merchant-api/spec';

/** The development key of the sandbox. It is a second copy on purpose. */
export const KEY = 'sandbox-key';
export const SECRET = 'sandbox-secret';
export const ACCOUNT = '0x5a4db0c500000000000000000000000000000001';

export type Reply = Readonly<{ status: number; headers: Headers; text: string }>;

export const sign = (body: string | Uint8Array, secret = SECRET): string =>
  createHmac('sha512', secret).update(body).digest('hex');

/** Sends a body as it is, with headers that fit it unless others are given. */
export async function post(
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Key: KEY, Sign: sign(body), 'Content-Type': 'application/json', ...headers },
    body,
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The fields of an envelope, each as JSON text. Undefined leaves a field out. */
export type Fields = Readonly<Record<string, string | undefined>>;

export const json = (fields: Fields): string =>
  `{${Object.entries(fields)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`;

export type Client = Readonly<{
  /** Calls an operation with a valid envelope, in which `fields` replace or add fields. */
  call(operation: Operation, fields?: Fields, headers?: Record<string, string>): Promise<Reply>;
  get(path: string): Promise<Reply>;
  admin(method: string, path: string, body?: unknown): Promise<Reply>;
}>;

/** By default two operations carry no account. */
const accountOf = (operation: Operation): Fields =>
  operation === 'USER' || operation === 'FEE_CALCULATION'
    ? {}
    : { account: JSON.stringify(ACCOUNT) };

export function createClient(url: string, nowMs: () => number): Client {
  return {
    call: (operation, fields = {}, headers = {}) =>
      post(
        url + DEFAULT_ENDPOINTS[operation],
        json({ timestamp: String(nowMs()), ...accountOf(operation), ...fields }),
        headers,
      ),
    get: (path) => request(url + path, { method: 'GET' }),
    admin: (method, path, body) =>
      request(url + path, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      }),
  };
}

async function request(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export type ErrorBody = { traceId: string; errorCode: string; message: string };

export const errorCodeOf = ({ text }: Reply): string => (JSON.parse(text) as ErrorBody).errorCode;
