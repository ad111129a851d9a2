import {
  addressChange,
  type KnownIdentity,
  type PaidBefore,
} from '../../domain/payees/address-change.ts';
import {
  IDENTITY_KINDS,
  IDENTITY_PART,
  IDENTITY_WORDS,
  identityAt,
  type IdentityKind,
} from '../../domain/payees/identity.ts';
import type { Hash } from '../../domain/plan/print-hash.ts';
import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { PastBatch } from '../../store/rows/fingerprints.ts';
import type { PastSegment } from '../../store/rows/paid-fingerprints.ts';
import { addressHashAt } from './address-fingerprint.ts';
import type { BatchSegment } from './batch-fingerprints.ts';
import { addKey, bitOfKey, createBloomFilter } from './bloom-filter.ts';
import { createKnownAddresses, type KnownAddresses } from './known-addresses.ts';
import type { PayeeBook } from './payee-book.ts';

/**
 * An identity of a row that is known under other addresses alone. `paid`: the row of another batch that paid it last;
 * missing: the register of payees has it.
 */
export type ChangedPayee = Readonly<{
  kind: IdentityKind;
  paid?: Readonly<{ batch: PastBatch; row: number }>;
}>;

/** Finds rows whose identity is known under other addresses alone. Add all rows of the batch first. */
export type PayeeChanges = Readonly<{
  /** Adds rows of the batch. */
  add(segment: BatchSegment): void;
  /** Whether any row of the batch has an identity. */
  isNeeded(): boolean;
  /** Takes rows of another batch. */
  take(segment: PastSegment, batch: PastBatch): void;
  /** Returns the change of the row whose fingerprint begins at `at`, or undefined. */
  changeOf(segment: BatchSegment, at: number): ChangedPayee | undefined;
}>;

/**
 * Takes about 80 bytes for each reference and each name of the batch, and nothing for other batches. `count`: the number of
 * rows of the batch.
 */
export function createPayeeChanges(count: number, payees: PayeeBook): PayeeChanges {
  const known = createKnownAddresses(count);
  const keys = createBloomFilter(count);
  const batches: PastBatch[] = [];
  const payments = createPayments(known);

  function take({ prints, identities }: Required<PastSegment>, batch: number): void {
    const { words, mask } = keys;
    for (let i = 0, at = 0; at < prints.length; i++, at += PRINT_WORDS) {
      for (const kind of IDENTITY_KINDS) {
        const place = i * IDENTITY_WORDS + IDENTITY_PART[kind];
        const low = identities[place] ?? 0;
        const high = identities[place + 1] ?? 0;
        if (bitOfKey(words, mask, low) === 0 || (low === 0 && high === 0)) continue;
        const identity = known.identityOf(low, high);
        if (identity !== 0) payments.add(identity, { prints, at, batch, batches });
      }
    }
  }

  return {
    add({ prints, identities }) {
      if (identities === undefined) return;
      for (let i = 0, at = 0; at < prints.length; i++, at += PRINT_WORDS) {
        for (const kind of IDENTITY_KINDS) {
          const identity = identityAt(identities, i, kind);
          if (identity.low === 0 && identity.high === 0) continue;
          addKey(keys, identity.low);
          known.add(identity, addressHashAt(prints, at));
        }
      }
    },
    isNeeded: () => known.count() > 0,
    take({ identities, ...segment }, batch) {
      if (identities === undefined || !segment.sent || known.count() === 0) return;
      if (batches.at(-1) !== batch) batches.push(batch);
      take({ ...segment, identities }, batches.length);
    },
    changeOf({ prints, identities }, at) {
      if (identities === undefined) return undefined;
      const address = addressHashAt(prints, at);
      const hashOf = (kind: IdentityKind): Hash => identityAt(identities, at / PRINT_WORDS, kind);
      const knownOf = (kind: IdentityKind): KnownIdentity => {
        const hash = hashOf(kind);
        const listedElsewhere = payees.hasOthersOnly(hash, address);
        return { paid: payments.paidBefore(hash, address), listedElsewhere };
      };
      const change = addressChange({ reference: knownOf('reference'), name: knownOf('name') });
      if (change === undefined || change.by === 'register') return change;
      const { batch, row: number } = payments.lastOf(hashOf(change.kind));
      const paidBy = batches[batch - 1];
      return paidBy && { kind: change.kind, paid: { batch: paidBy, row: number } };
    },
  };
}

/** A payment of another batch. `batch`: its number in `batches`, from 1 on. */
type Payment = Readonly<{
  prints: Int32Array;
  at: number;
  batch: number;
  batches: readonly PastBatch[];
}>;

/** The earlier payments of identities of the batch. The arrays are made for the first one: no place is added after it. */
function createPayments(known: KnownAddresses) {
  let paid = new Uint8Array();
  let lastBatches = new Int32Array();
  let lastRows = new Int32Array();

  const payAtMs = (batches: readonly PastBatch[], batch: number): number =>
    batches[batch - 1]?.payAtMs ?? Number.NEGATIVE_INFINITY;

  return {
    add(identity: number, { prints, at, batch, batches }: Payment): void {
      if (paid.length === 0) {
        const length = known.count() + 1;
        paid = new Uint8Array(length);
        lastBatches = new Int32Array(length);
        lastRows = new Int32Array(length);
      }
      const last = lastBatches[identity] ?? 0;
      if (payAtMs(batches, batch) > payAtMs(batches, last)) {
        lastBatches[identity] = batch;
        lastRows[identity] = prints[at + PART.number] ?? 0;
      }
      const { low, high } = addressHashAt(prints, at);
      paid[known.placeOf(identity, low, high)] = 1;
    },
    paidBefore({ low, high }: Hash, address: Hash): PaidBefore {
      const identity = known.identityOf(low, high);
      if ((lastBatches[identity] ?? 0) === 0) return 'never';
      const place = known.placeOf(identity, address.low, address.high);
      return place !== 0 && paid[place] === 1 ? 'here' : 'elsewhere';
    },
    /** The last payment of an identity: the number of its batch, and its row. */
    lastOf({ low, high }: Hash) {
      const identity = known.identityOf(low, high);
      return { batch: lastBatches[identity] ?? 0, row: lastRows[identity] ?? 0 };
    },
  };
}
