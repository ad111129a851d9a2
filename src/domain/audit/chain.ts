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

/** The place of an entry in the log. */
export type EntryPlace = Readonly<{
  /** Its number in the log. It grows over all chains. */
  seq: number;
  /** Its number in its chain: from 1 up, without gaps. null: an entry of the first chain, which counts by `seq`. */
  n: number | null;
  previousHash: string;
}>;

/** An entry in its place. */
export type ChainedEntry = AuditEntry & EntryPlace & Readonly<{ hash: string }>;

/** An entry of the log by its number, for which its hash stands. */
export type ChainHead = Readonly<{ seq: number; hash: string }>;

/** The end of one chain, from which its next entry continues. */
export type ChainLink = Readonly<{ n: number; hash: string }>;

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

/** The entry in its place: its hash covers itself, its numbers and the hash of the one before. */
export const chained = (place: EntryPlace, entry: AuditEntry, hashing?: Hashing): ChainedEntry => ({
  ...entry,
  ...place,
  hash: hashOf(place, entry, hashing),
});

function hashOf(place: EntryPlace, entry: AuditEntry, hashing?: Hashing): string {
  const { sha256, texts } = hashing ?? { sha256: sha256Hex, texts: textsOf(entry) };
  return sha256(`${place.previousHash}\n${entryText(place, entry, texts)}`);
}

/** Canonical JSON of an entry; its names are in order. */
function entryText(
  { seq, n }: EntryPlace,
  { atMs, batchId, actor, action }: AuditEntry,
  { detailJson, factsJson }: EntryTexts,
): string {
  const head = canonicalJson({ action, actor, atMs, batchId }).slice(0, -1);
  const facts = factsJson === null ? '' : `,"facts":${factsJson}`;
  const number = n === null ? '' : `,"n":${n}`;
  return `${head},"detail":${detailJson}${facts}${number},"seq":${seq}}`;
}

/** Whether an entry has the hash of its content. */
export const isAsWritten = (entry: ChainedEntry, hashing?: Hashing): boolean =>
  entry.hash === hashOf(entry, entry, hashing);

/** Why an entry does not go on from `end`: it was changed, or others of its chain were dropped or moved. null: it does. */
export function breakOf(end: ChainLink, entry: ChainedEntry, hashing?: Hashing): string | null {
  const number = end.n + 1;
  if ((entry.n ?? entry.seq) !== number) return `entry ${number} of its chain is missing`;
  if (entry.previousHash !== end.hash) return 'it does not go on from the entry before';
  return isAsWritten(entry, hashing) ? null : 'it does not have the hash of its content';
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
