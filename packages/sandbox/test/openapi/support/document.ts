import { defaultDocument } from '../../../src/openapi/document.ts';
import { DEFAULT_ENDPOINTS, type Operation } from '@bursar/merchant-api/spec';

export type Schema = Readonly<{ [name: string]: unknown }>;

type Content = Readonly<{ 'application/json': { schema: Schema; examples: Examples } }>;
type Examples = Readonly<Record<string, { summary: string; value: object }>>;
type Response = Readonly<{ $ref?: string; content: Content }>;
type Hook = Readonly<{
  operationId: string;
  requestBody: { content: { 'application/json': { schema: Schema; example: object } } };
}>;
export type OperationJson = Readonly<{
  operationId: string;
  description: string;
  requestBody: { content: Content };
  responses: Readonly<Record<string, Response>>;
}>;

/** The parts of the document that the tests read. */
export type DocumentJson = Readonly<{
  servers: readonly [{ url: string }];
  paths: Readonly<Record<string, { post: OperationJson }>>;
  webhooks: Readonly<Record<string, { post: Hook }>>;
  components: Readonly<{
    schemas: Readonly<Record<string, Schema>>;
    responses: Readonly<Record<string, Response>>;
  }>;
}>;

/** The document after a round through JSON. */
export const DOCUMENT = JSON.parse(JSON.stringify(defaultDocument())) as DocumentJson;

export function operationOf(operation: Operation): OperationJson {
  const found = DOCUMENT.paths[DEFAULT_ENDPOINTS[operation]];
  if (found === undefined) throw new Error(`${operation} is not documented.`);
  return found.post;
}

/** The response of a status, inline or referenced. Undefined when it is not documented. */
export function responseOf(operation: Operation, status: number): Response | undefined {
  const response = operationOf(operation).responses[status];
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : DOCUMENT.components.responses[name];
}

/** The codes with which an operation may be refused, by status. */
export const documentedCodes = (operation: Operation, status: number): readonly string[] =>
  Object.keys(responseOf(operation, status)?.content['application/json'].examples ?? {});
