import { Client, Connection, type WorkflowHandle } from '@temporalio/client';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type Payload = Readonly<{ metadata: Record<string, Uint8Array>; data?: Uint8Array | null }>;

/** What Temporal keeps of a workflow, as it keeps it: nothing is decrypted. */
export type RawHistory = Readonly<{
  /** All payloads, search attributes and headers left out. */
  payloads: readonly Payload[];
  /** How the payloads are written, search attributes and headers left out: they are never encrypted. */
  encodings: readonly string[];
  /** Names of the keys that payloads are encrypted with, in their order. */
  keyIds: readonly string[];
  /** Messages of failures. */
  failures: readonly string[];
  /** Everything as text, bytes included. */
  text: string;
}>;

/** Reads the raw histories of these workflows, without any key. */
export async function readRawHistories(
  address: string,
  workflowIds: readonly string[],
): Promise<RawHistory[]> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    const read: RawHistory[] = [];
    for (const id of workflowIds) read.push(rawOf(await workflow.getHandle(id).fetchHistory()));
    return read;
  } finally {
    await connection.close();
  }
}

/** What Temporal reads itself, headers of activities (the id of the store), and names of versions of workflow code. */
const IN_CLEAR: readonly string[] = ['searchAttributes', 'header', 'patch-data'];

export function rawOf({ events }: History): RawHistory {
  const found: Payload[] = [];
  const failures: string[] = [];
  const texts: string[] = [];
  const walk = (value: unknown, name: string): void => {
    if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString('utf8'));
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
    if (isPayload(value) && !IN_CLEAR.includes(name)) found.push(value);
    if ('stackTrace' in value && 'message' in value) failures.push(String(value.message));
    for (const [key, part] of Object.entries(value)) {
      walk(part, IN_CLEAR.includes(name) || Array.isArray(value) ? name : key);
    }
  };
  walk(events, 'events');
  const said = (payload: Payload, name: string): string =>
    Buffer.from(payload.metadata[name] ?? []).toString('utf8');
  return {
    payloads: found,
    encodings: found.map((payload) => said(payload, 'encoding')),
    keyIds: [...new Set(found.map((payload) => said(payload, 'encryption-key-id')))],
    failures,
    text: texts.join('\n'),
  };
}

const isPayload = (value: object): value is Payload =>
  'metadata' in value &&
  typeof value.metadata === 'object' &&
  value.metadata !== null &&
  'encoding' in value.metadata;
