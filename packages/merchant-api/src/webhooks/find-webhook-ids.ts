import { createIdCollector, type IdCollector } from './id-collector.ts';

/** Deepest level of a body whose fields are read. Below it, ids are found only by their shape. */
const DEPTH_MAX = 64;
/** Levels of JSON inside strings of JSON that are parsed. */
const NESTED_JSON_MAX = 2;
/** Strings parsed as JSON in one body. A string that is not JSON costs an exception. */
const NESTED_JSON_READS_MAX = 100;
/** Fields of a form that are read. */
const FORM_FIELDS_MAX = 1_000;
/** Largest number of ids from one webhook. A real webhook names few objects. */
export const WEBHOOK_IDS_MAX = 1_000;

/** Options of `findWebhookIds`. */
export type WebhookIdOptions = {
  /**
   * Ids of your own, such as external references, in any text of the body. Anybody can send a webhook, so the time of the
   * expression must be proportional to the length of the text.
   */
  readonly ownShape?: RegExp;
};

/**
 * Returns the strings in a webhook body that may be ids: UUIDs, values of fields whose name ends like that of an id, and texts
 * of `ownShape`. It returns at most 1,000 (`WEBHOOK_IDS_MAX`), those nearest to the top of the body first. It never throws, and
 * its time is proportional to the size of the body.
 *
 * ASSUMED: the spec does not show the body of a webhook, so any format and any field name is read. A forged id does no harm
 * where the caller only compares ids with its own.
 */
export function findWebhookIds(
  body: string | Uint8Array,
  { ownShape }: WebhookIdOptions = {},
): string[] {
  const text = webhookText(body);
  const ids = createIdCollector(WEBHOOK_IDS_MAX, ownShape && globalOf(ownShape));
  const json = parseJson(text);
  collectFromValue(json === undefined ? readAsForm(text) : json, ids);
  // Parsing misses ids in repeated fields, below the deepest level, in cut bodies and other
  // formats.
  ids.addShapesIn(text);
  return ids.list();
}

const globalOf = (shape: RegExp): RegExp =>
  shape.global ? shape : new RegExp(shape, `${shape.flags}g`);

/** The text of a body, without a byte order mark. The decoder replaces invalid UTF-8. */
export const webhookText = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body.replace(/^\uFEFF/, '') : new TextDecoder().decode(body);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is not JSON is allowed.
    return undefined;
  }
}

/** Reads any text as form fields. Text that is not a form becomes one field name without ids. */
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

/** Visits a value level by level, without recursion, so that no body exhausts the stack. */
function collectFromValue(value: unknown, ids: IdCollector): void {
  const nodes: Node[] = [{ name: '', value, depth: 0, nestedJson: 0 }];
  let readsLeft = NESTED_JSON_READS_MAX;
  // The loop appends the children to the list that it iterates.
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
