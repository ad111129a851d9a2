import {
  ENDPOINT_METHODS,
  type Endpoints,
  type Operation,
  readEndpoint,
} from '../spec/endpoints.ts';
import { memberOf } from './ask-reads.ts';

/**
 * Finds the operations in an OpenAPI document by the fields of their requests and answers, whatever their paths and
 * names are. An operation that fits nothing in the document, or two places in it, is left out. Spec: "Versioning" 2
 * names such a document; its form is ASSUMED: OpenAPI 3.
 *
 * @param document the parsed JSON of the document
 * @example
 * const described = endpointsOfOpenApi(JSON.parse(text));
 * const report = await probeService({ baseUrl, key, secret, account, described });
 */
export function endpointsOfOpenApi(document: unknown): Partial<Endpoints> {
  const places = new Map<Operation, string[]>();
  for (const described of describedIn(document)) {
    const operation = operationOf(described);
    if (operation === undefined) continue;
    places.set(operation, [...(places.get(operation) ?? []), described.endpoint]);
  }
  const single = [...places].filter(([, endpoints]) => endpoints.length === 1);
  return Object.fromEntries(single.map(([operation, [endpoint]]) => [operation, endpoint]));
}

/** A request of the document, by its fields. */
type Described = Readonly<{
  endpoint: string;
  /** Names of the fields beside `timestamp` and in `payload`. */
  asked: ReadonlySet<string>;
  /** Names of the fields of a good answer. */
  answered: ReadonlySet<string>;
  /** Path, id and summary, in small letters. */
  words: string;
}>;

function describedIn(document: unknown): Described[] {
  const paths = entriesOf(memberOf(document, 'paths'));
  const prefix = prefixOf(document);
  return paths.flatMap(([path, methods]) =>
    ENDPOINT_METHODS.flatMap((method) => {
      const described = memberOf(methods, method.toLowerCase());
      const endpoint = method === 'POST' ? `${prefix}${path}` : `${method} ${prefix}${path}`;
      if (described === undefined || readEndpoint(endpoint) === undefined || path.includes('{')) {
        return [];
      }
      const texts = ['operationId', 'summary'].map((name) => memberOf(described, name));
      const body = memberOf(resolve(document, memberOf(described, 'requestBody')), 'content');
      const envelope = fieldsOf(document, schemaIn(body));
      const asked = [...envelope].flatMap(([name, schema]) =>
        name === 'payload' ? [...fieldsOf(document, schema).keys()] : [name],
      );
      const answered = [...fieldsOf(document, answerSchema(document, described)).keys()];
      const words = [path, ...texts].join(' ').toLowerCase();
      return [{ endpoint, asked: new Set(asked), answered: new Set(answered), words }];
    }),
  );
}

/** The path of the first server, which paths of the document follow. */
function prefixOf(document: unknown): string {
  const servers = memberOf(document, 'servers');
  const url = memberOf(Array.isArray(servers) ? (servers as unknown[])[0] : undefined, 'url');
  if (typeof url !== 'string' || !URL.canParse(url, 'http://service')) return '';
  return new URL(url, 'http://service').pathname.replace(/\/$/, '');
}

type Rule = readonly [Operation, (described: Described) => boolean];

const has = (names: ReadonlySet<string>, ...wanted: readonly string[]): boolean =>
  wanted.every((name) => names.has(name));

const isWebhookRequest = ({ asked }: Described): boolean =>
  asked.has('url') &&
  (asked.has('notificationEventTypes') || asked.has('notificationServiceTypes'));

const isChange = ({ endpoint, words }: Described): boolean =>
  /change|update|edit|modify/.test(words) || /^(?:PUT|PATCH) /.test(endpoint);

const isReference = ({ asked }: Described): boolean =>
  has(asked, 'id') || has(asked, 'idempotencyKey');

/** The first rule that fits names the operation. Spec: "Resources and their fields". */
const RULES: readonly Rule[] = [
  ['MASS_CREATE', ({ asked }) => has(asked, 'massAddresses')],
  ['WEBHOOK_CHANGE', (described) => isWebhookRequest(described) && isChange(described)],
  ['WEBHOOK_CREATE', isWebhookRequest],
  ['WEBHOOK_LIST', ({ answered }) => has(answered, 'subscriptions')],
  [
    'WEBHOOK_DELETE',
    ({ endpoint, words }) =>
      /webhook|subscription|channel/.test(words) &&
      (/delete|remove/.test(words) || endpoint.startsWith('DELETE ')),
  ],
  ['TRANSACTION_LIST', ({ asked }) => has(asked, 'pageNumber', 'opcodes')],
  ['WALLET_LIST', ({ asked }) => has(asked, 'pageNumber', 'nameOrAddress')],
  ['REPORT', ({ asked }) => has(asked, 'blockchainList')],
  ['WALLET_RENAME', ({ asked }) => has(asked, 'address', 'name')],
  ['WALLET_CREATE', ({ asked }) => has(asked, 'blockchain', 'name')],
  ['LOOKUP_ADDRESS', ({ asked }) => has(asked, 'address')],
  ['FEE_CALCULATION', ({ asked, answered }) => has(asked, 'items') && has(answered, 'items')],
  ['OPCODES', ({ answered }) => has(answered, 'opCodes')],
  ['USER', ({ answered }) => has(answered, 'availableAccounts')],
  ['ACCOUNT', ({ answered }) => has(answered, 'balances', 'ownerId')],
  // A lookup also answers with a payout, which has an address, or with any object.
  [
    'MASS_GET',
    ({ answered }) => has(answered, 'totalWithdrawalAmount') && !has(answered, 'depositAddress'),
  ],
  ['LOOKUP', isReference],
];

const operationOf = (described: Described): Operation | undefined =>
  RULES.find(([, fits]) => fits(described))?.[0];

/** The deepest chain of references and alternatives that is followed. */
const DEPTH_MAX = 12;

/** The fields of a schema and of its parts, with their schemas. A list has those of its items. */
function fieldsOf(document: unknown, given: unknown, depth = 0): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  if (depth > DEPTH_MAX) return fields;
  const schema = resolve(document, given);
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((name) => {
    const list = memberOf(schema, name);
    return Array.isArray(list) ? (list as unknown[]) : [];
  });
  const data = memberOf(memberOf(schema, 'properties'), 'data');
  for (const part of [...parts, memberOf(schema, 'items'), data]) {
    for (const [name, field] of fieldsOf(document, part, depth + 1)) fields.set(name, field);
  }
  for (const [name, field] of entriesOf(memberOf(schema, 'properties'))) fields.set(name, field);
  return fields;
}

/** The schema of the first good answer that has one. */
function answerSchema(document: unknown, described: unknown): unknown {
  return entriesOf(memberOf(described, 'responses'))
    .filter(([status]) => /^2|^default$/.test(status))
    .map(([, answer]) => schemaIn(memberOf(resolve(document, answer), 'content')))
    .find((schema) => schema !== undefined);
}

/** The schema of a content of any type. */
const schemaIn = (content: unknown): unknown =>
  entriesOf(content)
    .map(([, media]) => memberOf(media, 'schema'))
    .find((schema) => schema !== undefined);

/** The part that a reference inside the document names; anything else as it is. */
function resolve(document: unknown, given: unknown, depth = 0): unknown {
  const reference = memberOf(given, '$ref');
  if (typeof reference !== 'string' || !reference.startsWith('#/') || depth > DEPTH_MAX)
    return given;
  const names = reference.slice(2).split('/').map(unescapePointer);
  return resolve(document, names.reduce(memberOf, document), depth + 1);
}

const unescapePointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
