import { drawFault, type Fault, type FaultRule, type FaultTarget } from './core/faults.ts';
import type { FaultTable } from './store/faults.ts';

/** The faults that were asked for; they and their counts survive a restart. */
export type Faults = Readonly<{
  /** The fault that fires now, if any. */
  draw(target: FaultTarget, kind?: FaultRule['kind']): Fault | null;
  add(rule: FaultRule): Fault;
  list(): readonly Fault[];
  clear(): void;
}>;

/**
 * `wanted` are the faults of the settings: new ones are added, and those no longer wanted are
 * removed.
 */
export function createFaults(table: FaultTable, wanted: readonly FaultRule[]): Faults {
  applySettings(table, wanted);
  let faults = table.list();
  return {
    draw(target, kind) {
      if (faults.length === 0) return null;
      const { drawn, fired } = drawFault(faults, target, kind);
      for (const fault of drawn) table.count(fault);
      const counted = new Map(drawn.map((fault) => [fault.id, fault]));
      faults = faults.map((fault) => counted.get(fault.id) ?? fault);
      return fired;
    },
    add(rule) {
      const fault = table.add('admin', rule);
      faults = table.list();
      return fault;
    },
    list: () => faults,
    clear() {
      for (const { id } of faults) table.remove(id);
      faults = [];
    },
  };
}

function applySettings(table: FaultTable, wanted: readonly FaultRule[]): void {
  const missing = new Map(wanted.map((rule) => [JSON.stringify(rule), rule]));
  for (const { id, rule } of table.list('settings')) {
    const isWanted = missing.delete(JSON.stringify(rule));
    if (!isWanted) table.remove(id);
  }
  for (const rule of missing.values()) table.add('settings', rule);
}
