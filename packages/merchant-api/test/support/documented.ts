import { readFileSync } from 'node:fs';
import { DEFAULT_ENDPOINTS, type Operation } from '@bursar/merchant-api/spec';
import { IDEMPOTENCY_KEY } from './fixtures.ts';

type Schema = Readonly<{
  $ref?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  type?: string;
  format?: string;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
}>;
type Content = Readonly<{ content: { 'application/json': { schema: Schema } } }>;
type Document = Readonly<{
  paths: Record<string, { post: { requestBody: Content; responses: { 200: Content } } }>;
  components: { schemas: Record<string, Schema> };
}>;

/** Made from the schemas of the sandbox, which share nothing with those of the client. */
const DOCUMENT = JSON.parse(
  readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

/** Answers of an operation with every documented field: one for each record that may come. */
export const documentedAnswers = (operation: Operation): unknown[] =>
  samplesOf(schemaOf(operationOf(operation).responses[200]));

/** Payloads of an operation with every documented field; none for an operation without. */
export function documentedPayloads(operation: Operation): unknown[] {
  const { payload } = resolved(schemaOf(operationOf(operation).requestBody)).properties ?? {};
  return payload === undefined ? [] : samplesOf(payload);
}

function operationOf(operation: Operation): Document['paths'][string]['post'] {
  const found = DOCUMENT.paths[DEFAULT_ENDPOINTS[operation]];
  if (found === undefined) throw new Error(`${operation} is not documented`);
  return found.post;
}

const schemaOf = ({ content }: Content): Schema => content['application/json'].schema;

function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = DOCUMENT.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`there is no ${schema.$ref}`);
  return resolved(found);
}

/** A schema that has properties of its own says by `anyOf` only which of them must be there. */
function samplesOf(from: Schema): unknown[] {
  const { anyOf, properties, ...schema } = resolved(from);
  if (anyOf !== undefined && properties === undefined) return anyOf.flatMap(samplesOf);
  return [sampleOf(properties === undefined ? schema : { ...schema, properties })];
}

const TEXTS: Readonly<Record<string, string>> = {
  uuid: IDEMPOTENCY_KEY,
  'date-time': '2026-11-20T10:00:00Z',
};
const SAMPLES: Readonly<Record<string, unknown>> = { number: 1.5, integer: 7, boolean: true };

function sampleOf(from: Schema): unknown {
  const schema = resolved(from);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.items !== undefined) return [sampleOf(schema.items)];
  if (schema.type === 'string') return TEXTS[schema.format ?? ''] ?? 'text';
  if (schema.type !== 'object') return SAMPLES[schema.type ?? ''];
  const fields = Object.entries(schema.properties ?? { key: { type: 'string' } });
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field)]));
}
