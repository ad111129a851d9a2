import { REFUSAL } from './expect.ts';
import type { TriedCheck } from './suite.ts';

/** Broken checks with one cause: the service did the same to each. */
export type BreachCause = Readonly<{
  expected: string;
  came: string;
  /** Ids, in the order of the checks. */
  checks: readonly string[];
}>;

/** Open checks with one reason. */
export type OpenGroup = Readonly<{ needs: string; reason: string; checks: readonly string[] }>;

/** Groups broken checks with equal expected and actual results. Ids, times and numbers may differ. */
export function causesOf(tried: readonly TriedCheck[]): readonly BreachCause[] {
  return grouped(
    tried.flatMap(({ check: { id }, verdict }) =>
      verdict.kind === 'broken' ? [{ ...verdict, id, key: keyOf(id, verdict) }] : [],
    ),
  ).map(([{ expected, came }, checks]) => ({ expected, came, checks }));
}

/**
 * A mistake that a service accepts is a cause of its own in each area of checks: a wrong signature
 * is another one than a stale timestamp, though a balance answers both.
 */
function keyOf(id: string, { expected, came }: Readonly<{ expected: string; came: string }>) {
  const area = expected === REFUSAL ? id.split('.').slice(0, 2).join('.') : '';
  return JSON.stringify([area, expected, alike(came)]);
}

const alike = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, 'uuid').replaceAll(/\d{4,}/g, '0');

/** Groups open checks that were not tried, or whose occasion did not come. */
export function notTriedOf(tried: readonly TriedCheck[]): readonly OpenGroup[] {
  return grouped(
    tried.flatMap(({ check: { id }, verdict }) =>
      verdict.kind === 'open' && verdict.needs !== 'specification'
        ? [{ ...verdict, id, key: `${verdict.needs} ${verdict.reason}` }]
        : [],
    ),
  ).map(([{ needs, reason }, checks]) => ({ needs, reason, checks }));
}

/** Returns the first of each group, with the ids of all. */
function grouped<Item extends Readonly<{ id: string; key: string }>>(
  items: readonly Item[],
): readonly (readonly [Item, readonly string[]])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(item.key, [...(groups.get(item.key) ?? []), item]);
  return [...groups.values()].map((group) => [group[0] as Item, group.map(({ id }) => id)]);
}

/** A choice of a service: the specification leaves the point open. */
export type ServiceChoice = Readonly<{ id: string; sentence: string; choice: string }>;

export const choicesOf = (tried: readonly TriedCheck[]): readonly ServiceChoice[] =>
  tried.flatMap(({ check: { id, sentence }, verdict }) =>
    verdict.kind === 'open' && verdict.needs === 'specification'
      ? [{ id, sentence, choice: verdict.reason }]
      : [],
  );
