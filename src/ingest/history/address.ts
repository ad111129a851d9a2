import type { Ends } from '../../domain/plan/address-ends.ts';
import { PART, type PrintSpace } from '../../domain/plan/row-print.ts';

/** Of an address its ends, its hash, and of what space it is. */
export type Address = Ends & Readonly<{ low: number; high: number; space: PrintSpace }>;

/** The address of the print that begins at `at`. */
export const addressAt = (prints: Int32Array, at: number, space: PrintSpace): Address => ({
  head: prints[at + PART.ends] ?? 0,
  tail: prints[at + PART.ends + 1] ?? 0,
  low: prints[at + PART.address] ?? 0,
  high: prints[at + PART.address + 1] ?? 0,
  space,
});

export const isSameAddress = (a: Address, b: Address): boolean =>
  a.space.family === b.space.family && a.low === b.low && a.high === b.high;
