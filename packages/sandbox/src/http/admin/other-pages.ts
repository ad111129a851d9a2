import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refused } from '../../core/refusals.ts';

/**
 * Endings of names that no one can register. A name with another ending may point at this computer
 * from a hostile page (DNS rebinding).
 */
const LOCAL_ENDINGS: readonly string[] = ['localhost', 'local', 'internal', 'test'];

/**
 * Protects the admin API, which is unsigned, from other web pages in a browser on this computer.
 * Throws Refused when a browser marks the request as one of another page, and when the Host is not
 * a local name. Programs send none of these headers but Host.
 */
export function refuseOtherPages(
  { method, headers }: FastifyRequest,
  _reply: unknown,
  done: () => void,
): void {
  const { host, origin } = headers;
  if (host !== undefined && !isLocal(host)) {
    throw forbidden('The Host must be an IP address or a local name, such as localhost.');
  }
  if (origin !== undefined && hostOf(origin) !== host)
    throw forbidden(`The request comes from a page of ${origin}.`);
  // A link of another page may open a page here. The other page cannot read it.
  const isOpened = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' && !isOpened)
    throw forbidden('The request comes from a page of another site.');
  done();
}

const forbidden = (detail: string): Refused => new Refused('PAGE_FORBIDDEN', detail.slice(0, 300));

function isLocal(host: string): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  const labels = name.toLowerCase().split('.');
  return isIP(name) > 0 || labels.length === 1 || LOCAL_ENDINGS.includes(labels.at(-1) ?? '');
}

const hostOf = (origin: string): string | null =>
  URL.canParse(origin) ? new URL(origin).host : null;
