import type { Json, JsonObject, Sample } from './samples.ts';

/** A body that differs from a valid one in one place, so that it must be refused. */
export type Mutation = Readonly<{ name: string; text: string }>;

/** Stands for a number that JavaScript cannot write. */
const RAW = 'raw number ';

const HUGE_NUMBERS = [`${RAW}${'9'.repeat(60)}`, `${RAW}1e400`, `${RAW}1E-60`];
const HOSTILE_TEXTS = ['\u0000', 'a\u0000b', '\ud800', 'x\udfff', 'a'.repeat(5_000)];
const WRONG_TYPES: readonly Json[] = [null, true, 5, 'text', [], {}, [[]], { a: 1 }];

/** Every single change of a sample after which it must be refused. */
export function mutationsOf({ body, optional, signed = [] }: Sample): Mutation[] {
  const mutations: Mutation[] = [];
  const add = (name: string, changed: Json): void =>
    void mutations.push({ name, text: write(changed) });
  visit(body, '', (path, value, change) => {
    const isMentioned = (paths: readonly string[]): boolean => isIn(path, paths);
    if (path !== '' && !isMentioned(optional)) add(`${path} removed`, change(undefined));
    for (const wrong of WRONG_TYPES) {
      if (isOtherType(value, wrong)) add(`${path} as ${JSON.stringify(wrong)}`, change(wrong));
    }
    if (typeof value === 'number') {
      for (const huge of HUGE_NUMBERS) add(`${path} as ${huge}`, change(huge));
      if (!isMentioned(signed)) add(`${path} negative`, change(-1));
    }
    if (typeof value === 'string') {
      for (const text of HOSTILE_TEXTS) {
        add(`${path} as ${JSON.stringify(text.slice(0, 9))}`, change(text));
      }
    }
    if (isObject(value)) {
      for (const name of ['unknown', '__proto__', 'constructor', '\u202eid', '']) {
        add(`${path} with the field ${JSON.stringify(name)}`, change(withField(value, name)));
      }
    }
  });
  return mutations;
}

type Visit = (path: string, value: Json, change: (to: Json | undefined) => Json) => void;

/** Calls `each` for every value with a function that gives the body in which it is another one. */
function visit(body: Json, start: string, each: Visit): void {
  const walk = (value: Json, path: string, change: (to: Json | undefined) => Json): void => {
    each(path, value, change);
    if (Array.isArray(value)) {
      const items = value as readonly Json[];
      for (const [at, item] of items.entries()) {
        const changeItem = (to: Json | undefined) =>
          change(
            items.flatMap((other, place) =>
              place === at ? (to === undefined ? [] : [to]) : [other],
            ),
          );
        walk(item, `${path}.*`, changeItem);
      }
    } else if (isObject(value)) {
      for (const [name, field] of Object.entries(value)) {
        const changeField = (to: Json | undefined) =>
          change(to === undefined ? withoutField(value, name) : { ...value, [name]: to });
        walk(field, path === '' ? name : `${path}.${name}`, changeField);
      }
    }
  };
  walk(body, start, (to) => to ?? {});
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutField = (value: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));

/** Made from entries, so that `__proto__` becomes a field. */
const withField = (value: JsonObject, name: string): JsonObject =>
  Object.fromEntries([...Object.entries(value), [name, 1]]);

const kindOf = (value: Json): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;

const isOtherType = (value: Json, wrong: Json): boolean => kindOf(value) !== kindOf(wrong);

/** A path that ends in a point stands for everything below it. */
const isIn = (path: string, paths: readonly string[]): boolean =>
  paths.some((each) => (each.endsWith('.') ? path.startsWith(each) : path === each));

const write = (value: Json): string =>
  JSON.stringify(value).replaceAll(new RegExp(`"${RAW}([^"]*)"`, 'g'), '$1');
