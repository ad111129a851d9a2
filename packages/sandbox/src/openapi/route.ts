import type { Endpoints } from '@bursar/merchant-api/spec';
import { adminRoute, Nothing } from '../http/admin/route.ts';
import { openApiDocument } from './document.ts';

/** GET /sandbox/openapi.json: the OpenAPI document of what is served here. */
export const openApiRoute = (endpoints: Endpoints) =>
  adminRoute({
    endpoint: 'GET /openapi.json',
    input: Nothing,
    // Whoever asks has the address already.
    answer: () => openApiDocument({ endpoints, serverUrl: '/' }),
  });
