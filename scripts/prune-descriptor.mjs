/**
 * Leaves out of the descriptor of Temporal's API the messages and calls that no bundled file names. The client builds an
 * object for each field of the descriptor at start, also for those of calls that it never makes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const DESCRIPTOR = require.resolve('@temporalio/proto/protos/json-module.js');
/** The copy of protobufjs that reads the descriptor. */
const { Enum, Method, Root, Service, Type } = createRequire(DESCRIPTOR)('protobufjs/light');

/** It lists every message of the API, and looks none of them up. */
const VISITOR = 'payload-visitor.generated.js';

/** Packages of the SDK that use the descriptor. */
const SDK = ['client', 'common', 'envconfig', 'proto'].map((name) =>
  join(dirname(require.resolve(`@temporalio/${name}/package.json`)), 'lib'),
);

export const wholeDescriptor = () => require(DESCRIPTOR);

/** The texts of the SDK and of the compiled files in these folders. */
export const readSources = (folders) =>
  [...SDK, ...folders].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((file) => file.endsWith('.js') && !file.endsWith(VISITOR))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );

/** The esbuild plugin that bundles the short descriptor. It throws when a name in the sources is missing there. */
export function prunedDescriptor(sources) {
  return {
    name: 'pruned-descriptor',
    setup(build) {
      build.onLoad(
        { filter: /[\\/]@temporalio[\\/]proto[\\/]protos[\\/]json-module\.js$/ },
        () => ({
          contents: moduleOf(prune(wholeDescriptor(), sources)),
          resolveDir: dirname(DESCRIPTOR),
        }),
      );
    },
  };
}

/** JSON.parse of a text is faster than the same literal in JavaScript. */
const moduleOf = (nested) => `
  const { Root, roots } = require('protobufjs/light');
  roots.__temporal ||= new Root();
  module.exports = roots.__temporal.addJSON(JSON.parse(${JSON.stringify(JSON.stringify(nested))}));`;

/**
 * The part of a descriptor that the sources name, with every message that it refers to, as `Root.addJSON` takes it.
 * @throws when a name in the sources is in the whole descriptor and not in this part
 */
export function prune(root, sources) {
  root.resolveAll();
  const words = new Set(sources.flatMap((source) => source.match(/[A-Za-z_]\w*/g) ?? []));
  const kept = new Set();
  for (const object of objectsOf(root)) if (isNamed(object, words)) keep(object, kept, words);
  const nested = nestedOf(root, kept) ?? {};
  const pruned = Root.fromJSON({ nested: structuredClone(nested) }).resolveAll();
  checkNames(root, pruned, sources);
  return nested;
}

/** Every message, enumeration and service, also those inside of messages. */
function* objectsOf(namespace) {
  for (const object of namespace.nestedArray ?? []) {
    if (isLeaf(object)) yield object;
    yield* objectsOf(object);
  }
}

const isLeaf = (object) =>
  object instanceof Type || object instanceof Enum || object instanceof Service;

/** Whether the sources have every part of its full name: code that uses a message spells its package too. */
const isNamed = ({ fullName }, words) =>
  fullName
    .slice(1)
    .split('.')
    .every((part) => words.has(part));

/** Keeps an object and all that it refers to. */
function keep(object, kept, words) {
  if (object === null || kept.has(object)) return;
  kept.add(object);
  for (const inner of object.nestedArray ?? []) keep(inner, kept, words);
  // A message that is inside of another one is found in that one.
  if (object.parent instanceof Type) keep(object.parent, kept, words);
  for (const { resolvedType } of object.fieldsArray ?? []) keep(resolvedType, kept, words);
  for (const method of object.methodsArray ?? []) {
    if (!words.has(callOf(method))) continue;
    kept.add(method);
    keep(method.resolvedRequestType, kept, words);
    keep(method.resolvedResponseType, kept, words);
  }
}

/** `StartWorkflowExecution` is called as `startWorkflowExecution`. */
const callOf = ({ name }) => `${name[0].toLowerCase()}${name.slice(1)}`;

/** The JSON of what is kept of a namespace; undefined: nothing. */
function nestedOf(namespace, kept) {
  const entries = (namespace.nestedArray ?? []).flatMap((object) => {
    const json = isLeaf(object) ? leafOf(object, kept) : packageOf(object, kept);
    return json === undefined ? [] : [[object.name, json]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function packageOf(object, kept) {
  const nested = nestedOf(object, kept);
  return nested && { nested };
}

function leafOf(object, kept) {
  if (!kept.has(object)) return undefined;
  const json = object.toJSON();
  if (!(object instanceof Service)) return json;
  const methods = object.methodsArray.filter((method) => kept.has(method));
  return { ...json, methods: Object.fromEntries(methods.map((one) => [one.name, one.toJSON()])) };
}

/**
 * Reads names in another way than {@link prune}: whole paths, and calls of a service.
 * @throws when one of them is in the whole descriptor and not in the pruned one
 */
export function checkNames(root, pruned, sources) {
  const text = sources.join('\n');
  const paths = text.match(/\b(?:temporal\.api|google|grpc|coresdk)(?:\.\w+)+/g) ?? [];
  const missing = new Set(
    paths.flatMap(prefixesOf).filter((path) => isIn(root, path) && !isIn(pruned, path)),
  );
  const calls = [...text.matchAll(/\b(?:workflow|operator|health|test)Service\.(\w+)/g)];
  const [all, left] = [root, pruned].map((one) => new Set(methodsOf(one)));
  for (const [, call] of calls) if (all.has(call) && !left.has(call)) missing.add(call);
  if (missing.size > 0) throw new Error(`not in the pruned descriptor: ${[...missing].join(', ')}`);
}

/** `a.b`, `a.b.C` and `a.b.C.decode` of `a.b.C.decode`: code reads fields of what it names. */
const prefixesOf = (path) => {
  const parts = path.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('.'));
};

const isIn = (root, path) => isLeaf(root.lookup(path) ?? {});

const methodsOf = (root) =>
  [...objectsOf(root)].flatMap(({ methodsArray = [] }) =>
    methodsArray.filter((one) => one instanceof Method).map(callOf),
  );
