import type { TemporalPlace } from '../../../src/codec/temporal-place.ts';

/** A Temporal whose payloads are not encrypted. */
export const clearPlace = (address: string, namespace = 'default'): TemporalPlace => ({
  connectionOptions: { address },
  namespace,
  dataConverter: {},
  isEncrypted: false,
});
