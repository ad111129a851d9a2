import {
  DEFAULT_ENDPOINTS,
  ENDPOINT_METHODS,
  type Endpoints,
  type MethodAndPath,
  type Operation,
  OPERATIONS,
  readEndpoint,
} from './spec/endpoints.ts';
import { TIMESTAMP_WINDOW_MS } from './spec/limits.ts';
import type { ShapeChoices, Shapes } from './spec/shapes.ts';
import { checkShapes } from './check-shapes.ts';
import { compact } from './compact.ts';
import type { RequestHook } from './hooks/request-hook.ts';
import {
  type ClientTls,
  type ProxySettings,
  readClientTls,
  readProxyUrl,
  type TlsSettings,
} from './transport/route.ts';
import { isRetries, RETRIES_DEFAULT, RETRIES_MAX } from './waiting/retry-limits.ts';
import { SYSTEM_TIMER, type WaitTimer } from './waiting/wait-timer.ts';

/** Options of `createMerchantClient`. Spec: "Authentication". */
export type MerchantClientOptions = {
  /**
   * `{base_url}`: http or https, with or without a trailing slash or a path prefix; no query, no
   * credentials.
   */
  readonly baseUrl: string;
  /** Public API key, sent in the header `Key`. */
  readonly key: string;
  /** Secret key, or a function that returns it for each request. The client only signs with it. */
  readonly secret: string | (() => string);
  /**
   * Account of account-scoped operations, unless a call names another: `0x` and 40 hexadecimal
   * digits, or a UUID.
   */
  readonly account?: string;
  /**
   * Endpoints that differ from the defaults: `/path`, or `PUT /path` (POST, PUT, PATCH or DELETE). '' means that the
   * service has no such operation.
   */
  readonly endpoints?: Partial<Endpoints>;
  /**
   * How the service wants operations called, where the specification leaves it open. A choice that is left out has its
   * default (`DEFAULT_SHAPES`). See docs/shapes.md.
   */
  readonly shapes?: ShapeChoices;
  /**
   * Deadline of one call in milliseconds, from the wait for a connection to the end of the body.
   * Default 30000 (`REQUEST_TIMEOUT_MS_DEFAULT`).
   */
  readonly requestTimeoutMs?: number;
  /**
   * Age of a timestamp from which the service may refuse it, in milliseconds. Default 180000
   * (`TIMESTAMP_WINDOW_MS`). Subtract how far the two clocks may differ.
   */
  readonly timestampWindowMs?: number;
  /** Largest answer that the client reads, in bytes. Default 8 MiB (`RESPONSE_BYTES_MAX_DEFAULT`). */
  readonly responseBytesMax?: number;
  /**
   * Largest number of connections to the service. A further call waits for a free one. Default 32
   * (`CONNECTIONS_MAX_DEFAULT`).
   */
  readonly connectionsMax?: number;
  /** Certificates of the connections. Default: the client trusts those that Node.js trusts. */
  readonly tls?: ClientTls;
  /**
   * HTTP proxy, through which the client opens a tunnel (`CONNECT`) for each connection, such as
   * 'http://user:password@proxy.example:3128'. Default: none; the client reads no proxy from the environment.
   */
  readonly proxyUrl?: string;
  /** Local clock, Unix time in milliseconds. Default `Date.now`. */
  readonly nowMs?: () => number;
  /**
   * Number of times that the client repeats a read after a failure that may pass: 0 to 10 (`RETRIES_MAX`). Default 0
   * (`RETRIES_DEFAULT`). The client never repeats an operation that may create, change or delete an object.
   */
  readonly retries?: number;
  /** Called before each HTTP request; may return an observer of that request, with its `traceparent`. */
  readonly onRequest?: RequestHook;
  /** Clock, pauses and chance of repeated reads and of waits. Default: those of Node.js. */
  readonly timer?: WaitTimer;
};

/** Default deadline of one call, in milliseconds. */
export const REQUEST_TIMEOUT_MS_DEFAULT = 30_000;

/** Default number of connections to the service. */
export const CONNECTIONS_MAX_DEFAULT = 32;

/**
 * Default size of the largest answer that the client reads, in bytes.
 * The spec publishes no maximum. 1,000 withdrawal errors of 4 kB each fit twice. The limit bounds
 * the memory that a hostile answer can take.
 */
export const RESPONSE_BYTES_MAX_DEFAULT = 8 * 1024 * 1024;

/** Longest delay of a Node.js timer. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/** Checked options, with every default filled in. */
export type ClientSettings = {
  readonly origin: string;
  readonly pathPrefix: string;
  readonly key: string;
  readonly readSecret: () => string;
  readonly account: string | undefined;
  /** Undefined: the service has no such operation. */
  readonly endpoints: Readonly<Record<Operation, MethodAndPath | undefined>>;
  readonly shapes: Shapes;
  readonly requestTimeoutMs: number;
  readonly timestampWindowMs: number;
  readonly responseBytesMax: number;
  readonly connectionsMax: number;
  readonly tls: TlsSettings;
  readonly proxy: ProxySettings | undefined;
  readonly nowMs: () => number;
  readonly retries: number;
  readonly onRequest: RequestHook | undefined;
  readonly timer: WaitTimer;
};

/** Throws `TypeError`, naming the option and never its value. */
export function checkOptions(options: MerchantClientOptions): ClientSettings {
  return Object.freeze({
    ...checkBaseUrl(options.baseUrl),
    key: checkKey(options.key),
    readSecret: checkSecret(options.secret),
    account: options.account,
    endpoints: checkEndpoints({ ...DEFAULT_ENDPOINTS, ...compact(options.endpoints ?? {}) }),
    shapes: checkShapes(options.shapes),
    requestTimeoutMs: checkCount('requestTimeoutMs', options, REQUEST_TIMEOUT_MS_DEFAULT),
    timestampWindowMs: checkCount('timestampWindowMs', options, TIMESTAMP_WINDOW_MS),
    responseBytesMax: checkCount('responseBytesMax', options, RESPONSE_BYTES_MAX_DEFAULT),
    connectionsMax: checkCount('connectionsMax', options, CONNECTIONS_MAX_DEFAULT),
    tls: checkTls(options.tls ?? {}),
    proxy: options.proxyUrl === undefined ? undefined : checkProxyUrl(options.proxyUrl),
    nowMs: options.nowMs ?? (() => Date.now()),
    retries: checkRetries(options.retries ?? RETRIES_DEFAULT),
    onRequest: options.onRequest,
    timer: options.timer ?? SYSTEM_TIMER,
  });
}

function checkBaseUrl(baseUrl: string): { origin: string; pathPrefix: string } {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp)
    throw optionError('baseUrl', 'must be an http or https address');
  if (`${url.search}${url.hash}${url.username}${url.password}` !== '') {
    throw optionError('baseUrl', 'must have no query, fragment or credentials');
  }
  return { origin: url.origin, pathPrefix: url.pathname.replace(/(?<!\/)\/+$/, '') };
}

/** A header value: visible ASCII. */
function checkKey(key: string): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key))
    throw optionError('key', 'must be visible ASCII characters');
  return key;
}

function checkSecret(secret: string | (() => string)): () => string {
  if (typeof secret === 'function') return secret;
  if (typeof secret !== 'string' || secret === '') throw optionError('secret', 'must not be empty');
  return () => secret;
}

function checkEndpoints(endpoints: Endpoints): ClientSettings['endpoints'] {
  const read = OPERATIONS.map((operation) => {
    const text: unknown = endpoints[operation];
    if (text === '') return [operation, undefined];
    const endpoint = typeof text === 'string' ? readEndpoint(text) : undefined;
    if (endpoint !== undefined) return [operation, endpoint];
    throw optionError(
      `endpoints.${operation}`,
      `must be empty or a path that starts with a slash, perhaps after ${ENDPOINT_METHODS.join(', ')} and a space`,
    );
  });
  return Object.fromEntries(read) as ClientSettings['endpoints'];
}

type CountName = 'requestTimeoutMs' | 'timestampWindowMs' | 'responseBytesMax' | 'connectionsMax';

function checkCount(name: CountName, options: MerchantClientOptions, fallback: number): number {
  const count = options[name] ?? fallback;
  if (isMilliseconds(count)) return count;
  throw optionError(name, `must be a whole number from 1 to ${TIMEOUT_MS_MAX}`);
}

function checkTls(tls: ClientTls): TlsSettings {
  const settings = readClientTls(tls);
  if (settings !== undefined) return settings;
  throw optionError('tls', 'must have no other members than ca, cert and key');
}

function checkProxyUrl(proxyUrl: string): ProxySettings {
  const settings = readProxyUrl(proxyUrl);
  if (settings !== undefined) return settings;
  throw optionError('proxyUrl', 'must be an http or https address without a path');
}

function checkRetries(retries: number): number {
  if (isRetries(retries)) return retries;
  throw optionError('retries', `must be a whole number from 0 to ${RETRIES_MAX}`);
}

/** Whether a number is a delay that a timer of Node.js takes, in whole milliseconds. */
export const isMilliseconds = (count: unknown): count is number =>
  Number.isSafeInteger(count) && Number(count) >= 1 && Number(count) <= TIMEOUT_MS_MAX;

const optionError = (name: string, problem: string): TypeError =>
  new TypeError(`MerchantClientOptions: ${name} ${problem}.`);
