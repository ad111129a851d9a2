/** The values of one record by column; long texts as their SHA-256. A missing column is null. */
export type RecordFacts = Readonly<Record<string, string | number | null>>;

/** What changed, by the name of the record within its batch: `batch`, `chunk 3`, `attempt 3/1`. */
export type Facts = Readonly<Record<string, RecordFacts>>;

/** The columns in which `after` differs from `before`. */
export function changesOf(before: RecordFacts, after: RecordFacts): RecordFacts {
  const columns = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed: Record<string, string | number | null> = {};
  for (const column of columns) {
    const now = after[column] ?? null;
    if (now !== (before[column] ?? null)) changed[column] = now;
  }
  return changed;
}

export const isEmpty = (facts: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(facts).length === 0;

/** A record as the log holds it, and the entry that named it last. */
export type ToldRecord = Readonly<{ facts: RecordFacts; seq: number }>;

/** The records of one batch as its entries hold them. */
export type Ledger = Readonly<{
  /** Takes what an entry changed. Entries come in order. */
  add(seq: number, facts: Facts): void;
  /** The record as the log holds it; it can be taken once. */
  take(record: string): ToldRecord | undefined;
  /** Records of the log that were not taken. */
  rest(): ReadonlyMap<string, ToldRecord>;
}>;

export function createLedger(): Ledger {
  const records = new Map<string, ToldRecord>();
  return {
    add(seq, changed) {
      for (const [record, columns] of Object.entries(changed)) {
        records.set(record, { seq, facts: { ...records.get(record)?.facts, ...columns } });
      }
    },
    take(record) {
      const told = records.get(record);
      records.delete(record);
      return told;
    },
    rest: () => records,
  };
}
