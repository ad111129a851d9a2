import {
  CONTENT_TYPE_JSON,
  DEFAULT_ENDPOINTS,
  type Endpoints,
  HEADER_KEY,
  HEADER_SIGN,
  KNOWN_ENDPOINTS,
  type Operation,
  OPERATIONS,
  readEndpoint,
} from '@bursar/merchant-api/spec';
import { componentSchemas, refTo } from './components.ts';
import { camelCase } from './names.ts';
import { OPERATION_ENTRIES, TAGS } from './operations.ts';
import { refusalResponses, sharedResponses } from './refusals.ts';
import { WEBHOOK_PARAMETERS, webhooks } from './webhooks.ts';
import * as accounts from './examples/accounts.ts';
import type { Example } from './examples/facts.ts';
import * as payouts from './examples/payouts.ts';
import * as wallets from './examples/wallets.ts';
import * as webhookExamples from './examples/webhooks.ts';
import { adminRoute, Nothing } from '../http/admin/route.ts';

const INFO = {
  title: 'Merchant Payments Public API',
  // Spec: "Versioning" 2.
  version: 'dev',
  summary: 'The API that the sandbox of Bursar serves.',
  description:
    'Every request is a signed JSON body with a timestamp. The specification leaves ' +
    'much open. ASSUMED marks the choices of the sandbox in its default modes. Answers may get new ' +
    'fields at any time, and clients must ignore unknown ones. Unknown fields of requests are ' +
    'refused. Numbers are exact decimals. Integers have neither fraction nor exponent.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

/** Spec: "Authentication". */
const SECURITY_SCHEMES = {
  Key: {
    type: 'apiKey',
    in: 'header',
    name: HEADER_KEY,
    description: 'The public key of an API user.',
  },
  Sign: {
    type: 'apiKey',
    in: 'header',
    name: HEADER_SIGN,
    description:
      'HMAC-SHA512 of the exact bytes of the request body with the secret key, in lowercase ' +
      'hexadecimal.',
  },
};

export type DocumentOptions = Readonly<{
  /** The methods and paths of the operations. One with an empty text is left out. */
  endpoints: Endpoints;
  serverUrl: string;
}>;

/**
 * Returns the OpenAPI 3.1 document of the service. The same options always give the same document.
 */
export const openApiDocument = ({ endpoints, serverUrl }: DocumentOptions) => ({
  openapi: '3.1.0',
  info: INFO,
  servers: [{ url: serverUrl }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  security: [{ Key: [], Sign: [] }],
  paths: pathsOf(endpoints),
  webhooks: webhooks(),
  components: {
    securitySchemes: SECURITY_SCHEMES,
    parameters: WEBHOOK_PARAMETERS,
    responses: sharedResponses(),
    schemas: componentSchemas(),
  },
});

/** The operations by path, and then by method. */
function pathsOf(endpoints: Endpoints) {
  const paths = new Map<string, Record<string, object>>();
  for (const operation of OPERATIONS) {
    const endpoint = readEndpoint(endpoints[operation]);
    if (endpoint === undefined) continue;
    const { method, path } = endpoint;
    const described = { [method.toLowerCase()]: operationObject(operation) };
    paths.set(path, { ...paths.get(path), ...described });
  }
  return Object.fromEntries(paths);
}

/** The document in docs/openapi.json: that of a sandbox with default settings. */
export const defaultDocument = () =>
  openApiDocument({ endpoints: DEFAULT_ENDPOINTS, serverUrl: 'http://127.0.0.1:8788' });

function operationObject(operation: Operation) {
  const { tag, summary, body, answer, refusals } = OPERATION_ENTRIES[operation];
  const examples = Object.entries(EXAMPLES[operation]);
  const examplesOf = (side: 'request' | 'answer') =>
    Object.fromEntries(
      examples.map(([name, example]) => [name, { summary: example.summary, value: example[side] }]),
    );
  return {
    operationId: camelCase(operation),
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    requestBody: {
      required: true,
      content: {
        [CONTENT_TYPE_JSON]: { schema: refTo(body), examples: examplesOf('request') },
      },
    },
    responses: {
      '200': {
        description: 'Done.',
        content: { [CONTENT_TYPE_JSON]: { schema: refTo(answer), examples: examplesOf('answer') } },
      },
      ...refusalResponses(refusals),
    },
  };
}

function descriptionOf(operation: Operation): string {
  const { section, notes } = OPERATION_ENTRIES[operation];
  return [
    `Spec: "${section}".`,
    ...(operation in KNOWN_ENDPOINTS ? [] : ['ASSUMED: method and path.']),
    ...(notes === undefined ? [] : [notes]),
  ].join(' ');
}

/** Examples by name. A new sandbox that gets these requests in this order returns these answers. */
export const EXAMPLES: Readonly<Record<Operation, Readonly<Record<string, Example>>>> = {
  ACCOUNT: accounts.ACCOUNT_EXAMPLES,
  USER: accounts.USER_EXAMPLES,
  FEE_CALCULATION: accounts.FEE_CALCULATION_EXAMPLES,
  MASS_CREATE: payouts.MASS_CREATE_EXAMPLES,
  MASS_GET: payouts.MASS_GET_EXAMPLES,
  LOOKUP: payouts.LOOKUP_EXAMPLES,
  WALLET_LIST: wallets.WALLET_LIST_EXAMPLES,
  WALLET_CREATE: wallets.WALLET_CREATE_EXAMPLES,
  WALLET_RENAME: wallets.WALLET_RENAME_EXAMPLES,
  LOOKUP_ADDRESS: wallets.LOOKUP_ADDRESS_EXAMPLES,
  TRANSACTION_LIST: wallets.TRANSACTION_LIST_EXAMPLES,
  OPCODES: wallets.OPCODES_EXAMPLES,
  REPORT: wallets.REPORT_EXAMPLES,
  WEBHOOK_CREATE: webhookExamples.WEBHOOK_CREATE_EXAMPLES,
  WEBHOOK_LIST: webhookExamples.WEBHOOK_LIST_EXAMPLES,
  WEBHOOK_CHANGE: webhookExamples.WEBHOOK_CHANGE_EXAMPLES,
  WEBHOOK_DELETE: webhookExamples.WEBHOOK_DELETE_EXAMPLES,
};

/** GET /sandbox/openapi.json: the OpenAPI document of the served operations. */
export const openApiRoute = (endpoints: Endpoints) =>
  adminRoute({
    endpoint: 'GET /openapi.json',
    input: Nothing,
    // The client has the address of the server already.
    answer: () => openApiDocument({ endpoints, serverUrl: '/' }),
  });
