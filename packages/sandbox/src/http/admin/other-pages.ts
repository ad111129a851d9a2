import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refused } from '../../core/refusals.ts';

/**
 * Endings of names that nobody can register. A name with a dot and another ending may be the address
 * of a hostile page, pointed at this computer (DNS rebinding).
 */
const LOCAL_ENDINGS: readonly string[] = ['localhost', 'local', 'internal', 'test'];

/**
 * The admin API is unsigned, so that any page in a browser on this computer could use it. Throws
 * Refused when a browser says that another page asks, or when the sandbox was called by a name that
 * is not local. Programs send none of these headers but Host.
 */
export function refuseOtherPages(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  _reply: unknown,
  done: () => void,
): void {
  const { host, origin } = headers;
  if (host !== undefined && !isLocal(host)) {
    throw forbidden(
      'It is reached by a name of this computer, such as localhost, or by an address.',
    );
  }
  if (origin !== undefined && hostOf(origin) !== host)
    throw forbidden(`This page is of ${origin}.`);
  // A link from elsewhere may open a page; what it opens cannot be read from there.
  const isOpened = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' && !isOpened) throw forbidden('This page is of another site.');
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
