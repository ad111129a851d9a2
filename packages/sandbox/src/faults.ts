import type { Operation } from '@bursar/merchant-api/spec';
import {
  drawFault,
  type Fault,
  type FaultOccasion,
  type FaultRule,
  type FaultTarget,
  type RequestFacts,
} from './core/faults.ts';
import { Refused } from './core/refusals.ts';
import type { FaultTable } from './store/faults.ts';

/** The faults in force. They and their counts survive a restart. */
export type Faults = Readonly<{
  /** Returns the fault that fires now, or null. */
  draw(target: FaultTarget, kind?: FaultRule['kind']): Fault | null;
  /**
   * Returns the fault that fires for a request, or null. `facts` is called only when a rule names
   * an account or a key.
   */
  drawFor(operation: Operation, facts: () => RequestFacts): Fault | null;
  add(rule: FaultRule): Fault;
  list(): readonly Fault[];
  /** Removes one fault, or all without an id. Throws Refused when no fault has that id. */
  remove(id?: number): void;
}>;

/**
 * `wanted` are the faults of the settings. New ones are added, and those that the settings no
 * longer have are removed.
 */
export function createFaults(table: FaultTable, wanted: readonly FaultRule[]): Faults {
  applySettings(table, wanted);
  let faults = table.list();

  function drawOn(occasion: FaultOccasion): Fault | null {
    if (faults.length === 0) return null;
    const { drawn, fired } = drawFault(faults, occasion);
    for (const fault of drawn) table.count(fault);
    const counted = new Map(drawn.map((fault) => [fault.id, fault]));
    faults = faults.map((fault) => counted.get(fault.id) ?? fault);
    return fired;
  }

  return {
    draw: (target, kind) => drawOn({ target, kind }),
    drawFor: (operation, facts) => drawOn({ target: operation, facts }),
    add(rule) {
      const fault = table.add('admin', rule);
      faults = table.list();
      return fault;
    },
    list: () => faults,
    remove(id) {
      const removed = faults.filter((fault) => id === undefined || fault.id === id);
      if (id !== undefined && removed.length === 0) {
        throw new Refused('NOT_FOUND', `There is no fault ${id}.`);
      }
      for (const fault of removed) table.remove(fault.id);
      faults = table.list();
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
