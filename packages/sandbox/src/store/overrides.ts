import type { Database } from './database.ts';

/** Values that the admin API set over the settings, as JSON by name. They survive a restart. */
export type Overrides = Readonly<{
  /** Null when nothing was set. */
  read(name: string): unknown;
  /** With null the settings decide again. */
  write(name: string, value: unknown): void;
}>;

export function createOverrides(db: Database): Overrides {
  const read = db.prepare('SELECT value FROM override WHERE name = ?');
  const write = db.prepare('INSERT OR REPLACE INTO override VALUES (?, ?)');
  return {
    read(name) {
      const row = read.get(name) as { value: string } | undefined;
      return row === undefined ? null : JSON.parse(row.value);
    },
    write: (name, value) => void write.run(name, JSON.stringify(value)),
  };
}
