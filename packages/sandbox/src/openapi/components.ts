import { z } from 'zod';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import * as accounts from '../http/schemas/accounts.ts';
import { ErrorBody } from '../http/schemas/errors.ts';
import { EVENT_BODIES } from '../http/schemas/events.ts';
import { FeeCalculation, FeeResults } from '../http/schemas/fees.ts';
import * as lists from '../http/schemas/lists.ts';
import * as payouts from '../http/schemas/payouts.ts';
import { Subscription, Subscriptions } from '../http/schemas/subscriptions.ts';
import * as wallets from '../http/schemas/wallets.ts';
import { eventName, requestName, schemaRef } from './names.ts';
import { OPERATION_ENTRIES } from './operations.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const NAMED: Readonly<Record<string, z.ZodType>> = {
  ErrorBody,
  ...accounts,
  ...payouts,
  FeeCalculation,
  FeeResults,
  ...wallets,
  Subscription,
  Subscriptions,
  ...lists,
};

/** Every schema with a name of its own in the document. */
function namedSchemas(): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  for (const [name, schema] of Object.entries(NAMED)) names.set(schema, name);
  for (const operation of OPERATIONS) {
    names.set(OPERATION_ENTRIES[operation].body, requestName(operation));
  }
  for (const [group, body] of EVENT_BODIES) names.set(body, eventName(group));
  return names;
}

const NAMES = namedSchemas();

/** Returns a reference to a named schema. Throws for one without a name. */
export function refTo(schema: z.ZodType): JsonSchema {
  const name = NAMES.get(schema);
  if (name === undefined) throw new Error('The schema has no name.');
  return schemaRef(name);
}

/** Returns the JSON Schemas of all requests, answers and webhooks, by their names. */
export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of NAMES) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    // The metadata of an exact number has its schema.
    unrepresentable: 'any',
    uri: (id) => schemaRef(id).$ref,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'default') jsonSchema.default = def.defaultValue;
      // The format is enough. The pattern is long and made for another regular expression engine.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  const named = Object.entries(schemas).map(
    ([name, schema]) => [name, withoutIds(schema)] as const,
  );
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The path of a schema in the document is its id. */
const withoutIds = (schema: z.core.JSONSchema.BaseSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(([name]) => name !== '$id' && name !== '$schema'),
  );
