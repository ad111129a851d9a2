import { DEFAULT_ENDPOINTS } from '../../src/spec/endpoints.ts';
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
