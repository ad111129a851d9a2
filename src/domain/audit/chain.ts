import { isObject } from '../json/is-object.ts';
import { sha256Hex } from '../sending/identity.ts';
import type { Facts } from './facts.ts';

/** An act that was carried out or tried. `detail` holds text, numbers, flags and lists of them; never a secret. */
export type AuditEntry = Readonly<{
  atMs: number;
  /** null: not about one batch. */
  batchId: string | null;
  /** The actor, as far as it is known: a person of the policy, a user, a program. */
  actor: string;
  /** The act, in a word: `approve`, `approve-rejected`, `cancel`. */
  action: string;
  detail: Readonly<Record<string, unknown>>;
  /** What of the batch's records it changed; missing where it changed none, and in entries that are older than facts. */
  facts?: Facts;
}>;

/** An entry in its place. Numbers count from 1 up, without gaps. */
export type ChainedEntry = AuditEntry &
  Readonly<{ seq: number; previousHash: string; hash: string }>;

/** The end of a chain, from which the next entry continues. */
export type ChainHead = Readonly<{ seq: number; hash: string }>;

/** The parts of an entry that are kept as text, in the one form that its hash covers. */
export type EntryTexts = Readonly<{ detailJson: string; factsJson: string | null }>;

/** How a hash is made. `sha256` answers in lowercase hex. `texts`: those that are written down, or will be. */
export type Hashing = Readonly<{ sha256(text: string): string; texts: EntryTexts }>;

/** Before the first entry. */
export const CHAIN_START: ChainHead = { seq: 0, hash: '0'.repeat(64) };

export const textsOf = ({ detail, facts }: AuditEntry): EntryTexts => ({
  detailJson: canonicalJson(detail),
  factsJson: facts === undefined ? null : canonicalJson(facts),
});

/** The entry that goes on from `head`: its hash covers itself, its number and the hash of the one before. */
export function chained(head: ChainHead, entry: AuditEntry, hashing?: Hashing): ChainedEntry {
  const seq = head.seq + 1;
  return { ...entry, seq, previousHash: head.hash, hash: hashOf(head, entry, hashing) };
}

function hashOf(head: ChainHead, entry: AuditEntry, hashing?: Hashing): string {
  const { sha256, texts } = hashing ?? { sha256: sha256Hex, texts: textsOf(entry) };
  return sha256(`${head.hash}\n${entryText(head.seq + 1, entry, texts)}`);
}

/** Canonical JSON of an entry; its names are in order. */
function entryText(
  seq: number,
  { atMs, batchId, actor, action }: AuditEntry,
  { detailJson, factsJson }: EntryTexts,
): string {
  const head = canonicalJson({ action, actor, atMs, batchId }).slice(0, -1);
  const facts = factsJson === null ? '' : `,"facts":${factsJson}`;
  return `${head},"detail":${detailJson}${facts},"seq":${seq}}`;
}

/** Why an entry does not go on from `head`: it was changed, or others beside it were dropped or moved. null: it does. */
export function breakOf(head: ChainHead, entry: ChainedEntry, hashing?: Hashing): string | null {
  if (entry.seq !== head.seq + 1) return `entry ${head.seq + 1} is missing`;
  if (entry.previousHash !== head.hash) return 'it does not go on from the entry before';
  const isAsWritten = entry.hash === hashOf(head, entry, hashing);
  return isAsWritten ? null : 'it does not have the hash of what it says';
}

/** JSON with the names of every object in order, so that one value has one text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
