import { describe, expect, it } from '@jest/globals';
import { endpointsOfOpenApi } from '@bursar/merchant-api';
import { DEFAULT_ENDPOINTS, type Endpoints, OPERATIONS } from '@bursar/merchant-api/spec';
import { openApiDocument } from '../../../sandbox/src/openapi/document.ts';

/** Every operation at a path that shows nothing, also the three that the specification shows. */
const MOVED = Object.fromEntries(
  OPERATIONS.map((operation, index) => [operation, `/api/v1/part${index}`]),
) as Endpoints;

const documentOf = (endpoints: Endpoints, serverUrl = '/'): unknown =>
  JSON.parse(JSON.stringify(openApiDocument({ endpoints, serverUrl })));

describe('endpointsOfOpenApi', () => {
  it('finds every operation at its default path', () => {
    expect(endpointsOfOpenApi(documentOf(DEFAULT_ENDPOINTS))).toEqual(DEFAULT_ENDPOINTS);
  });

  it('finds every operation by its fields where each is moved elsewhere', () => {
    expect(endpointsOfOpenApi(documentOf(MOVED))).toEqual(MOVED);
  });

  it('keeps another method, and the path of the server', () => {
    const endpoints = { ...MOVED, USER: 'PUT /me', LOOKUP: '' };
    const found = endpointsOfOpenApi(documentOf(endpoints, 'https://service.example/pay/'));
    expect(found.USER).toBe('PUT /pay/me');
    expect(found.ACCOUNT).toBe(`/pay${MOVED.ACCOUNT}`);
    expect(found.LOOKUP).toBeUndefined();
  });

  it('leaves out an operation that two places fit', () => {
    const document = documentOf(MOVED) as { paths: Record<string, unknown> };
    document.paths['/twice'] = document.paths[MOVED.LOOKUP];
    const found = endpointsOfOpenApi(document);
    expect(found.LOOKUP).toBeUndefined();
    expect(found.MASS_GET).toBe(MOVED.MASS_GET);
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ['text'],
    [{ paths: null }],
    [{ paths: { '/a': { post: null } } }],
    [{ paths: { '/a/{id}': { post: { requestBody: { $ref: '#/paths' } } } } }],
    [
      {
        paths: { '/a': { post: { requestBody: { $ref: '#/r' } } } },
        r: { content: { x: { schema: { $ref: '#/s' } } } },
        s: { allOf: [{ $ref: '#/s' }] },
      },
    ],
  ])('finds nothing in %j', (document) => {
    expect(endpointsOfOpenApi(document)).toEqual({});
  });
});
