import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import type { ProxiedRequest } from './fault-proxy.ts';

type Test = (request: ProxiedRequest) => boolean;

/** Creates under a key. */
export const isCreateOf =
  (key = ''): Test =>
  ({ path, body }) =>
    path === DEFAULT_ENDPOINTS.MASS_CREATE && body.includes(key);

const LOOKUPS: readonly string[] = [DEFAULT_ENDPOINTS.MASS_GET, DEFAULT_ENDPOINTS.LOOKUP];

/** Looks by a key. */
export const isLookupOf =
  (key = ''): Test =>
  ({ path, body }) =>
    LOOKUPS.includes(path) && body.includes(key);

/** Tells of requests, each shown once, whether it is the nth of those that hit. */
export function nthHit(
  n: number,
  hits: (request: ProxiedRequest) => boolean,
): (request: ProxiedRequest) => boolean {
  let count = 0;
  return (request) => {
    if (!hits(request)) return false;
    count += 1;
    return count === n;
  };
}
