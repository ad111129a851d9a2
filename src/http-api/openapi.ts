import { z } from 'zod';
import { refusalInput, uploadedFile } from '../app/batches/submit.ts';
import { COLUMNS } from '../domain/rows/row.ts';
import { type AnyOperation, isListing } from '../app/operation.ts';
import { CORRECTABLE_PATH, FILE_TYPES, REASONS_PATH } from './file-routes.ts';
import { DEFAULT_RESPONSE, type OpenapiPart } from './openapi-parts.ts';
import { SESSION_PATHS } from './openapi-sessions.ts';

/** OpenAPI 3.1 of the operations, from their schemas. */
export const openapiDocument = (
  operations: readonly AnyOperation[],
  version: string,
): OpenapiPart => {
  const paths: Record<string, Record<string, OpenapiPart>> = {
    '/v1/files': { put: UPLOAD },
    [CORRECTABLE_PATH]: { post: TO_CORRECT },
    [REASONS_PATH]: { post: REASONS },
    '/v1/batches/{batchId}/report/{name}': { get: DOWNLOAD },
    ...SESSION_PATHS,
  };
  for (const operation of operations) {
    const { method, path } = placeOf(operation);
    paths[path] = { ...paths[path], [method]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bursar',
      version,
      description:
        'Pays many people from one file, exactly once, and proves it. A token alone approves nothing: approvals are signed by people.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-bursar_session' },
      },
      schemas: { Problem: problemSchema },
    },
  };
};

const DOWNLOAD = {
  operationId: 'openReportFile',
  summary:
    'A file of the newest report of an ended batch, such as report.csv, or its rows as a workbook, such as report.xlsx',
  description: 'Needs the role read.',
  parameters: ['batchId', 'name'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  responses: {
    200: {
      description: 'the file',
      content: Object.fromEntries(FILE_TYPES.map((type) => [type, {}])),
    },
    default: DEFAULT_RESPONSE,
  },
};

const UPLOAD = {
  operationId: 'uploadFile',
  summary:
    'Copy a file to where the workers read it; the result is the file of a plan and of a batch',
  description: 'Needs the role submit.',
  parameters: [{ name: 'name', in: 'query', required: true, schema: { type: 'string' } }],
  requestBody: {
    required: true,
    content: { 'text/csv': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: {
    200: {
      description: 'done',
      content: { 'application/json': { schema: z.toJSONSchema(uploadedFile) } },
    },
    default: DEFAULT_RESPONSE,
  },
};

const TO_CORRECT = {
  operationId: 'openCorrectable',
  summary:
    'The rows of an uploaded file as CSV, with the reasons of refused rows in a column error, to be corrected and uploaded',
  description: 'Needs the role submit.',
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: z.toJSONSchema(refusalInput, { io: 'input' }) },
    },
  },
  responses: {
    200: { description: 'the rows', content: { 'text/csv': {} } },
    default: DEFAULT_RESPONSE,
  },
};

const REASONS = {
  ...TO_CORRECT,
  operationId: 'openReasons',
  summary: 'The reasons for refusing rows of an uploaded file as CSV; empty: no row is refused',
  responses: {
    200: { description: 'the reasons', content: { 'text/csv': {} } },
    default: DEFAULT_RESPONSE,
  },
};

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'what', 'why', 'fix', 'facts'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', description: 'stable; programs branch on it' },
    what: { type: 'string' },
    why: { type: 'string' },
    fix: { type: 'string' },
    facts: {
      type: 'object',
      description:
        'the texts and numbers that stand in the sentences; empty where the engine made them',
      additionalProperties: { type: ['string', 'number'] },
    },
    asks: {
      type: 'object',
      description:
        'the names that a submitter chooses from, where the file alone does not show its meaning: choices.form takes the answer',
      properties: {
        columns: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              suggestion: { enum: COLUMNS },
              values: {
                type: 'array',
                items: { type: 'string' },
                description: 'the first values of the column, cut to 40 characters',
              },
            },
          },
        },
        sheets: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};

/** `/v1/batches/:batchId` is `/v1/batches/{batchId}` in OpenAPI. */
function placeOf({ http }: AnyOperation) {
  const [method = '', path = ''] = http.split(' ');
  return { method: method.toLowerCase(), path: path.replaceAll(/:(\w+)/g, '{$1}') };
}

function describe(operation: AnyOperation): OpenapiPart {
  const { name, summary, role, http, input } = operation;
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as OpenapiPart;
  const inPath = [...http.matchAll(/:(\w+)/g)].map(([, field = '']) => field);
  const isRead = http.startsWith('GET ');
  const fields = Object.entries(fieldsOf(schema));
  const required = (schema['required'] ?? []) as readonly string[];
  const parameters = fields
    .filter(([field]) => isRead || inPath.includes(field))
    .map(([field, type]) => ({
      name: field,
      in: inPath.includes(field) ? 'path' : 'query',
      required: inPath.includes(field) || required.includes(field),
      schema: type,
    }));
  return {
    operationId: name,
    summary,
    description: `Needs the role ${role}.`,
    parameters,
    ...(isRead ? {} : { requestBody: bodyOf(schema, inPath) }),
    responses: {
      200: { description: 'done', content: contentOf(operation) },
      default: DEFAULT_RESPONSE,
    },
  };
}

/** The members of a union have the same fields where they have a path. */
function fieldsOf({ properties, oneOf, anyOf }: OpenapiPart): Record<string, OpenapiPart> {
  const [member] = (oneOf ?? anyOf ?? []) as readonly OpenapiPart[];
  return (properties ?? member?.['properties'] ?? {}) as Record<string, OpenapiPart>;
}

/** The body has the fields that the path does not have. */
function bodyOf(schema: OpenapiPart, inPath: readonly string[]): OpenapiPart {
  const without = (one: OpenapiPart): OpenapiPart => {
    const { properties, required, $schema: _, oneOf, anyOf, ...rest } = one;
    const parts = (oneOf ?? anyOf) as readonly OpenapiPart[] | undefined;
    if (parts !== undefined) return { ...rest, oneOf: parts.map(without) };
    const fields = Object.entries((properties ?? {}) as OpenapiPart);
    return {
      ...rest,
      properties: Object.fromEntries(fields.filter(([field]) => !inPath.includes(field))),
      required: ((required ?? []) as string[]).filter((field) => !inPath.includes(field)),
    };
  };
  return { required: true, content: { 'application/json': { schema: without(schema) } } };
}

function contentOf(operation: AnyOperation): OpenapiPart {
  const outputOf = (schema: z.ZodType) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, {
      unrepresentable: 'any',
    }) as OpenapiPart;
    return rest;
  };
  if (!isListing(operation)) return { 'application/json': { schema: outputOf(operation.result) } };
  const { names, about, item } = operation;
  const { properties = {}, required = [] } = outputOf(about) as Readonly<{
    properties?: OpenapiPart;
    required?: readonly string[];
  }>;
  return {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          schema: { const: names.schema },
          ...properties,
          [names.array]: { type: 'array', items: outputOf(item) },
        },
        required: ['schema', ...required, names.array],
      },
    },
  };
}
