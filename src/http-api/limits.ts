import { isIPv6, SocketAddress } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BursarError } from '../domain/errors/bursar-error.ts';

/** Requests of one caller that are open at once: streams of events, uploads, and all others. Each may hold a file or a connection. A payroll backend may submit hundreds of batches at once. */
const OPEN_REQUESTS_MAX = 500;

/** Refuses a request of a caller that has {@link OPEN_REQUESTS_MAX} others. `callerOf`: undefined: the request was refused before. */
export function limitOpenRequests(
  server: FastifyInstance,
  callerOf: (request: FastifyRequest) => string | undefined,
): void {
  const open = new Map<string, number>();
  const end = (caller: string): void => {
    const left = (open.get(caller) ?? 1) - 1;
    if (left === 0) open.delete(caller);
    else open.set(caller, left);
  };
  server.addHook('onRequest', async (request, { raw }) => {
    const caller = callerOf(request);
    if (caller === undefined) return;
    const count = open.get(caller) ?? 0;
    if (count >= OPEN_REQUESTS_MAX) {
      throw new BursarError('REQUESTS_AT_ONCE', { requestsMax: String(OPEN_REQUESTS_MAX) });
    }
    open.set(caller, count + 1);
    // It also comes when the caller goes away.
    raw.once('close', () => end(caller));
  });
}

/** The part of an address that names a house: all of IPv4, and the first 64 bits of IPv6. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const [, ipv4] = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(ip) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [plain = ''] = ip.split('%');
  const { address } = new SocketAddress({ address: plain, family: 'ipv6' });
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
