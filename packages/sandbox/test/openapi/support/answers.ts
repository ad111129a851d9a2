import type { Operation } from '@bursar/merchant-api/spec';
import type { Client, ErrorBody, Reply } from '../../support/client.ts';
import { type Check, checkClosed } from './check.ts';
import { documentedCodes, responseOf } from './document.ts';
import { sentFields } from './fields.ts';

/** Returns the differences between an answer and the document. */
export function complaintsOf(
  operation: Operation,
  { status, headers, text }: Reply,
  check: Check = checkClosed,
): readonly string[] {
  const response = responseOf(operation, status);
  if (response === undefined) return [`the status ${status} is not documented`];
  const type = headers.get('content-type');
  if (type?.split(';')[0] !== 'application/json') return [`the content type is ${type}`];
  const value: unknown = JSON.parse(text);
  const complaints = check(response.content['application/json'].schema, value);
  if (status === 200) return complaints;
  const { errorCode } = value as ErrorBody;
  const isKnown = documentedCodes(operation, status).includes(errorCode);
  return isKnown ? complaints : [...complaints, `${errorCode} is not documented for ${status}`];
}

export type Observed = Readonly<{
  client: Client;
  /** The differences of all answers. */
  complaints: readonly string[];
  /** Every documented field that was sent. */
  sent: ReadonlySet<string>;
}>;

/** A client that checks every answer of an operation. */
export function observed(client: Client): Observed {
  const complaints: string[] = [];
  const sent = new Set<string>();
  const call: Client['call'] = async (operation, fields, headers) => {
    const reply = await client.call(operation, fields, headers);
    for (const complaint of complaintsOf(operation, reply)) {
      complaints.push(`${operation}: ${complaint} in ${reply.text}`);
    }
    const schema = responseOf(operation, reply.status)?.content['application/json'].schema;
    if (schema !== undefined) sentFields(schema, JSON.parse(reply.text), (path) => sent.add(path));
    return reply;
  };
  return { client: { ...client, call }, complaints, sent };
}
