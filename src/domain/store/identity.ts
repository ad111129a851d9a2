import { isObject } from '../json/is-object.ts';
import type { ChainHead } from '../audit/chain.ts';

/** The name of a store for ever: made with the store, and the same in every copy of it. */
export type StoreIdentity = Readonly<{
  id: string;
  /** Stores that were lost and in whose place this one was put: what names one of them may use this store. */
  succeeds: readonly string[];
}>;

/** A store as a workflow remembers it: its id, and the end of its audit log at that time. */
export type StoreRef = Readonly<{
  id: string;
  audit: ChainHead;
  /** The number of the last restore that it had then, see `nextEpoch`; missing: none. */
  epoch?: number;
  /** As in {@link StoreIdentity}; missing: none. A store that replaces this one replaces those too. */
  succeeds?: readonly string[];
  /**
   * The proven lookups by key on the account. A store that replaces this one has created nothing, and could not prove
   * them: every chunk that was never sent would wait for a person.
   */
  lookup?: KnownLookup;
}>;

/** The operation that finds created mass payouts, its longest lag, and when that was measured. In milliseconds. */
export type KnownLookup = Readonly<{
  operation: 'MASS_GET' | 'LOOKUP';
  lagMs: number;
  provenAtMs: number;
}>;

/** The ids of a store and of those that it was put in the place of. */
export const idsOf = ({ id, succeeds = [] }: StoreRef): readonly string[] => [id, ...succeeds];

/** Whether a store is the one that is named, or was put in its place. */
export const isStore = ({ id, succeeds }: StoreIdentity, named: string): boolean =>
  id === named || succeeds.includes(named);

/** Reads what another program wrote; undefined when it is no reference to a store. */
export function readStoreRef(value: unknown): StoreRef | undefined {
  if (!isObject(value) || typeof value['id'] !== 'string' || !isObject(value['audit'])) {
    return undefined;
  }
  const { succeeds = [], epoch } = value;
  const { seq, hash } = value['audit'];
  if (typeof seq !== 'number' || typeof hash !== 'string' || !isTexts(succeeds)) return undefined;
  const lookup = readLookup(value['lookup']);
  return {
    id: value['id'],
    audit: { seq, hash },
    ...(typeof epoch === 'number' ? { epoch } : {}),
    ...(succeeds.length === 0 ? {} : { succeeds }),
    ...(lookup === undefined ? {} : { lookup }),
  };
}

function readLookup(value: unknown): KnownLookup | undefined {
  if (!isObject(value)) return undefined;
  const { operation, lagMs, provenAtMs } = value;
  if (operation !== 'MASS_GET' && operation !== 'LOOKUP') return undefined;
  if (typeof lagMs !== 'number' || typeof provenAtMs !== 'number') return undefined;
  return { operation, lagMs, provenAtMs };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Shapes the first 32 hexadecimal digits of a hash as a UUID. */
export const storeIdOfHash = (hash: string): string =>
  hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
