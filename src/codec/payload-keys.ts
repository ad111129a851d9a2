import type { KeyRing, RingKey } from '../config.ts';

/** The keys of the key ring in a running process. */
export type PayloadKeys = Readonly<{
  /** Returns the key that encrypts. */
  current(): RingKey;
  find(id: string): RingKey | undefined;
}>;

/**
 * Reads the key ring now, and again when `find` misses a key.
 * Example: an operator adds key k2 and restarts one worker. The other processes meet a payload of
 * k2, read the ring again, and use k2 from then on without a restart. Errors of `read` pass
 * through.
 */
export function openPayloadKeys(read: () => KeyRing): PayloadKeys {
  let ring = read();
  const inRing = (id: string): RingKey | undefined => ring.find((key) => key.id === id);
  return {
    current: () => ring[0],
    find(id) {
      const loaded = inRing(id);
      if (loaded !== undefined) return loaded;
      ring = read();
      return inRing(id);
    },
  };
}
