import type { Endpoints } from '@bursar/merchant-api/spec';
import { adminRoute, Nothing } from '../http/admin/route.ts';
import { openApiDocument } from './document.ts';

/** GET /sandbox/openapi.json: the OpenAPI document of the served operations. */
export const openApiRoute = (endpoints: Endpoints) =>
  adminRoute({
    endpoint: 'GET /openapi.json',
    input: Nothing,
    // The client has the address of the server already.
    answer: () => openApiDocument({ endpoints, serverUrl: '/' }),
  });
