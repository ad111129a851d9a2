/** A create that has left, as the network knows it. */
export type Departure = {
  readonly body: string;
  /** The timestamp that it carries. */
  readonly timestampMs: number;
  /** Whether its sender was told, readably, that the service refuses it: it is over then. */
  isRefused: boolean;
  /** Whether it was too old to be accepted when it left: its sender had stood still. */
  readonly isTooOld: boolean;
  /** How many lookups have missed its key since. */
  misses: number;
};

/** What left under each key, whatever the engine has written down of it. */
export type Departures = ReturnType<typeof createDepartures>;

export function createDepartures() {
  const byKey = new Map<string, Departure[]>();
  const departed = (key: string): readonly Departure[] => byKey.get(key) ?? [];
  return {
    departed,
    noteMiss(key: string): void {
      for (const departure of byKey.get(key) ?? []) departure.misses += 1;
    },
    leave({
      key,
      body,
      timestampMs,
      isTooOld,
    }: Readonly<{ key: string }> & Omit<Departure, 'isRefused' | 'misses'>) {
      const departure: Departure = { body, timestampMs, isTooOld, isRefused: false, misses: 0 };
      byKey.set(key, [...departed(key), departure]);
      return departure;
    },
  };
}
