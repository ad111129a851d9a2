import { createIdCollector, type IdCollector } from './id-collector.ts';

/** How deep the values of a body are looked into. What lies deeper is still found by its shape. */
const DEPTH_MAX = 64;
/** JSON that stands in a string of JSON is read too, this many levels down ... */
const NESTED_JSON_MAX = 2;
/** ... and this often in one body: a string that only looks like JSON costs as much as an exception. */
const NESTED_JSON_READS_MAX = 100;
/** Fields of a form that are read. */
const FORM_FIELDS_MAX = 1_000;
/** A body says something about few objects; one that holds more ids than this is left to polling. */
export const IDS_MAX = 1_000;

/**
 * Finds what may name a payout or a chunk in the body of a webhook: at most `IDS_MAX` strings, those nearest to the
 * top of the body first. Never throws, and takes time in proportion to the body.
 *
 * ASSUMED: the spec does not show the body of a webhook, so any format and any field name is read. Nothing is
 * believed: what is found is only compared with ids in the store.
 */
export function extractIds(body: Buffer): string[] {
  // Drops a byte order mark, and replaces what is no UTF-8.
  const text = new TextDecoder().decode(body);
  const ids = createIdCollector(IDS_MAX);
  const json = parseJson(text);
  collectFromValue(json === undefined ? readAsForm(text) : json, ids);
  // What the value does not show: names that stand twice, what lies too deep, bodies cut short, other formats.
  ids.addShapesIn(text);
  return ids.list();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, which is as good as anything else here.
    return undefined;
  }
}

/** Reads any text as form fields; what is no form becomes one odd name, which does no harm. */
function readAsForm(text: string): unknown {
  const fields: unknown[] = [];
  for (const [name, value] of new URLSearchParams(text)) {
    fields.push({ [name]: value });
    if (fields.length >= FORM_FIELDS_MAX) break;
  }
  return fields;
}

type Node = Readonly<{
  /** The field that holds the value, or the list that holds it. */
  name: string;
  value: unknown;
  depth: number;
  nestedJson: number;
}>;

/** Goes through a value level by level, and never recursively: no body can exhaust the stack. */
function collectFromValue(value: unknown, ids: IdCollector): void {
  const nodes: Node[] = [{ name: '', value, depth: 0, nestedJson: 0 }];
  let readsLeft = NESTED_JSON_READS_MAX;
  // The list grows while it is gone through.
  for (const node of nodes) {
    if (ids.isFull()) return;
    if (typeof node.value === 'string' || typeof node.value === 'number') {
      ids.addField(node.name, String(node.value));
    }
    if (node.depth >= DEPTH_MAX) continue;
    if (!holdsJson(node)) {
      for (const child of childrenOf(node)) nodes.push(child);
    } else if (readsLeft > 0) {
      readsLeft -= 1;
      nodes.push(readNested(node));
    }
  }
}

type JsonText = Node & Readonly<{ value: string }>;

const holdsJson = (node: Node): node is JsonText =>
  typeof node.value === 'string' &&
  node.nestedJson < NESTED_JSON_MAX &&
  /^\s*["[{]/.test(node.value);

const readNested = ({ name, value, depth, nestedJson }: JsonText): Node => ({
  name,
  value: parseJson(value),
  depth: depth + 1,
  nestedJson: nestedJson + 1,
});

function childrenOf({ name, value, depth, nestedJson }: Node): Node[] {
  const child = (childName: string, childValue: unknown): Node => ({
    name: childName,
    value: childValue,
    depth: depth + 1,
    nestedJson,
  });
  if (Array.isArray(value)) return value.map((item) => child(name, item));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([field, item]) => child(field, item));
}
