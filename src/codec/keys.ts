import type { KeyRing, RingKey } from '../config.ts';

/** The keys of a ring, as a process uses them. */
export type Keys = Readonly<{
  /** The one that encrypts. */
  current(): RingKey;
  find(id: string): RingKey | undefined;
}>;

/**
 * Reads the ring now, and again whenever a key is asked for that it does not hold: somebody may have added one since. So all
 * processes take a new key without a restart, as soon as one of them uses it. Throws what `read` throws.
 */
export function openKeys(read: () => KeyRing): Keys {
  let ring = read();
  const inRing = (id: string): RingKey | undefined => ring.find((key) => key.id === id);
  return {
    current: () => ring[0],
    find(id) {
      const known = inRing(id);
      if (known !== undefined) return known;
      ring = read();
      return inRing(id);
    },
  };
}
