import type { TemporalAccess } from '../../../src/codec/temporal-access.ts';

/** A Temporal whose payloads are not encrypted. */
export const clearPlace = (address: string, namespace = 'default'): TemporalAccess => ({
  connectionOptions: { address },
  namespace,
  dataConverter: {},
  isEncrypted: false,
});
