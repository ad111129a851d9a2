import type { Fault, FaultRule } from '../core/faults.ts';
import type { Database } from './database.ts';

export type FaultSource = 'settings' | 'admin';

export type FaultTable = Readonly<{
  add(source: FaultSource, rule: FaultRule): Fault;
  list(source?: FaultSource): Fault[];
  count(fault: Fault): void;
  remove(id: number): void;
}>;

export function createFaultTable(db: Database): FaultTable {
  const insert = db.prepare('INSERT INTO fault (source, rule, drawn, fired) VALUES (?, ?, 0, 0)');
  const list = db.prepare('SELECT * FROM fault WHERE ?1 IS NULL OR source = ?1 ORDER BY id');
  const count = db.prepare('UPDATE fault SET drawn = ?, fired = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM fault WHERE id = ?');
  return {
    add(source, rule) {
      const { lastInsertRowid } = insert.run(source, JSON.stringify(rule));
      return { id: Number(lastInsertRowid), rule, drawn: 0, fired: 0 };
    },
    list: (source) => (list.all([source ?? null]) as FaultRow[]).map(toFault),
    count: ({ id, drawn, fired }) => void count.run(drawn, fired, id),
    remove: (id) => void remove.run(id),
  };
}

type FaultRow = { id: number; rule: string; drawn: number; fired: number };

const toFault = (row: FaultRow): Fault => ({
  id: row.id,
  rule: JSON.parse(row.rule) as FaultRule,
  drawn: row.drawn,
  fired: row.fired,
});
