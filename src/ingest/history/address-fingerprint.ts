import type { Ends } from '../../domain/plan/address-ends.ts';
import type { Hash } from '../../domain/plan/print-hash.ts';
import { PART, type PrintSpace } from '../../domain/plan/row-print.ts';

/** The fingerprint of an address: its ends, its hash, and its fingerprint space. */
export type AddressFingerprint = Ends & Readonly<{ low: number; high: number; space: PrintSpace }>;

/** The hash of the address of the row fingerprint that begins at `fingerprints[at]`. */
export const addressHashAt = (fingerprints: Int32Array, at: number): Hash => ({
  low: fingerprints[at + PART.address] ?? 0,
  high: fingerprints[at + PART.address + 1] ?? 0,
});

/** Returns the address of the row fingerprint that begins at `fingerprints[at]`. */
export const addressFingerprintAt = (
  fingerprints: Int32Array,
  at: number,
  space: PrintSpace,
): AddressFingerprint => ({
  head: fingerprints[at + PART.ends] ?? 0,
  tail: fingerprints[at + PART.ends + 1] ?? 0,
  low: fingerprints[at + PART.address] ?? 0,
  high: fingerprints[at + PART.address + 1] ?? 0,
  space,
});

export const isSameAddress = (a: AddressFingerprint, b: AddressFingerprint): boolean =>
  a.space.family === b.space.family && a.low === b.low && a.high === b.high;
