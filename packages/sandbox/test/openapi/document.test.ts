import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { REFUSALS } from '../../src/core/refusals.ts';
import {
  ASSUMED_ENDPOINTS,
  DEFAULT_ENDPOINTS,
  OPERATIONS,
  EVENT_TYPES,
} from '@bursar/merchant-api/spec';
import { startSandbox } from '../support/start.ts';
import {
  DOCUMENT,
  type DocumentJson,
  documentedCodes,
  operationOf,
  type Schema,
} from './support/document.ts';

const FILE = new URL('../../../../docs/openapi.json', import.meta.url);

const ids = [
  ...Object.values(DOCUMENT.paths).map(({ post }) => post.operationId),
  ...Object.values(DOCUMENT.webhooks).map(({ post }) => post.operationId),
];

async function served(settings: Record<string, string> = {}): Promise<DocumentJson> {
  const { client } = await startSandbox({ settings });
  return JSON.parse((await client.get('/sandbox/openapi.json')).text) as DocumentJson;
}

describe('the document', () => {
  it.each(['MassPayout', 'AccountBalances'])(
    'requires no field of %s: the specification marks none',
    (name) => {
      const schema = DOCUMENT.components.schemas[name];
      expect(schema?.properties).toBeDefined();
      expect(schema).not.toHaveProperty('required');
    },
  );

  it('requires the fields of a payout that the specification marks, and has each of them', () => {
    const { required, properties = {} } = DOCUMENT.components.schemas['Payout'] ?? {};
    const marked = ['id', 'account', 'depositAddress', 'amount', 'currency', 'fee'];
    const others = ['feePercentage', 'feeCurrency', 'state', 'createdDate'];
    expect(required).toEqual([...marked, ...others]);
    expect(properties).toHaveProperty('idempotencyKey');
  });

  it('is valid OpenAPI 3.1 to a validator that others wrote', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(DOCUMENT))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('is not valid to that validator when a part is missing', async () => {
    const { paths, ...rest } = structuredClone(DOCUMENT);
    const operations = Object.values(paths).map(({ post: { responses, ...post } }) => ({
      post: { ...post, responses: { oops: responses } },
    }));
    const { valid } = await new Validator().validate({ ...rest, paths: { '/a': operations[0] } });
    expect(valid).toBe(false);
  });

  it('carries the version label of the specification', async () => {
    expect(await served()).toMatchObject({ info: { version: 'dev' } });
  });

  it('is docs/openapi.json; `npm run openapi` writes it', () => {
    const text = readFileSync(FILE, 'utf8');
    // As text, so that the order counts too.
    expect(JSON.stringify(JSON.parse(text), null, 2)).toBe(JSON.stringify(DOCUMENT, null, 2));
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('is served with an address that is right wherever the sandbox listens', async () => {
    expect(await served()).toEqual({ ...DOCUMENT, servers: [{ url: '/' }] });
  });

  it('has the paths of the settings, and leaves out operations that are not served', async () => {
    const { paths } = await served({ ENDPOINT_LOOKUP: '/elsewhere', ENDPOINT_REPORT: '' });
    const expected = { ...DEFAULT_ENDPOINTS, LOOKUP: '/elsewhere', REPORT: '' };
    const places = Object.values(expected).filter((path) => path !== '');
    expect(Object.keys(paths).toSorted()).toEqual(places.toSorted());
    expect(paths['/elsewhere']?.post.operationId).toBe('lookup');
  });

  it('has every operation and every event of the specification', () => {
    expect(Object.keys(DOCUMENT.paths)).toEqual(
      OPERATIONS.map((operation) => DEFAULT_ENDPOINTS[operation]),
    );
    expect(Object.keys(DOCUMENT.webhooks)).toEqual(EVENT_TYPES);
  });

  it('gives every operation and event an id of its own', () => {
    expect(new Set(ids).size).toBe(OPERATIONS.length + EVENT_TYPES.length);
    expect(ids).toContain('massCreate');
    expect(ids).toContain('onPayoutChangeStatus');
  });

  it.each(OPERATIONS)('has the section of %s, and whether its path is specified', (operation) => {
    const { description } = operationOf(operation);
    expect(description).toMatch(/^Spec: "/);
    expect(description.includes('ASSUMED: method and path.')).toBe(operation in ASSUMED_ENDPOINTS);
  });

  it('has every refusal of the service', () => {
    // Refusals of the admin API, and of a header that only the sandbox has.
    const others = [
      'PAGE_FORBIDDEN',
      'STATE_CONFLICT',
      'MODES_INVALID',
      'CLOCK_NOT_VIRTUAL',
      'CASE_INCOMPLETE',
      'PATH_UNKNOWN',
    ];
    const statuses = Object.values(REFUSALS).map(({ status }) => status);
    const documented = OPERATIONS.flatMap((operation) =>
      statuses.flatMap((status) => documentedCodes(operation, status)),
    );
    const codes = Object.keys(REFUSALS).filter((code) => !others.includes(code));
    expect([...new Set(documented)].toSorted()).toEqual(codes.toSorted());
  });

  it('describes every value', () => {
    const silent: string[] = [];
    const visit = (schema: Schema, path: string): void => {
      if (Object.keys(schema).every((name) => name === 'description')) silent.push(path);
      for (const [name, field] of Object.entries(schema['properties'] ?? {})) {
        visit(field as Schema, `${path}.${name}`);
      }
      if (schema['items'] !== undefined) visit(schema['items'] as Schema, `${path}.*`);
    };
    for (const [name, schema] of Object.entries(DOCUMENT.components.schemas)) visit(schema, name);
    expect(silent).toEqual([]);
  });
});
