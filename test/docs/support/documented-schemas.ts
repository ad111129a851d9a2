import { read } from '../../architecture/repository.ts';

type Schema = Readonly<{
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
}>;
type Document = Readonly<{ components: { schemas: Readonly<Record<string, Schema>> } }>;

/** The data of webhooks, which the specification does not show. */
const isEvent = (name: string): boolean => name.endsWith('Event');

/** Every schema of requests and answers that has fields, with their paths: `balances[].amount`. */
export function documentedSchemas(): readonly (readonly [string, readonly string[]])[] {
  const { components } = JSON.parse(read('docs/openapi.json')) as Document;
  return Object.entries(components.schemas)
    .filter(([name]) => !isEvent(name))
    .map(([name, schema]) => [name, [...new Set(fieldsOf(schema, ''))]] as const)
    .filter(([, fields]) => fields.length > 0);
}

/** A named schema within another one has fields of its own, and is not looked into here. */
function fieldsOf(schema: Schema, at: string): string[] {
  const { anyOf = [], items, properties = {} } = schema;
  return [
    ...anyOf.flatMap((branch) => fieldsOf(branch, at)),
    ...(items === undefined ? [] : fieldsOf(items, `${at}[]`)),
    ...Object.entries(properties).flatMap(([name, field]) => {
      const path = at === '' ? name : `${at}.${name}`;
      return [path, ...fieldsOf(field, path)];
    }),
  ];
}
