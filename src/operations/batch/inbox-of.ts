import type { Settings } from '../../config.ts';
import { isPlainName, plainName } from '../../domain/approval/people.ts';
import type { OperationContext } from '../context.ts';
import { flagInvalid } from '../input/flag-error.ts';
import { readInbox } from './inbox.ts';
import { withSources } from './sources.ts';
import type { InboxItem } from './types.ts';

/** Reads what waits for a person, or what `person` can do something about. Throws FLAG_INVALID for an unknown person. */
export async function inboxOf(
  { person }: Readonly<{ person?: string }>,
  context: OperationContext,
): Promise<readonly InboxItem[]> {
  if (person !== undefined && !isPlainName(person)) {
    throw flagInvalid('--for', `"${person}" is not a name of approval.people`);
  }
  return withSources(context, async (sources) => {
    const all = await readInbox(sources, context.clock.nowMs());
    if (person === undefined) return all;
    refuseStranger(person, all, sources.settings);
    return all.filter((item) => isFor(item, person));
  });
}

/**
 * A person who mistypes a name must not read that nothing waits. Without approvers in the settings any name may be
 * right.
 */
function refuseStranger(name: string, items: readonly InboxItem[], { rules }: Settings): void {
  const people = (rules.approval?.people ?? []).map((person) => person.name);
  const known = [...new Set([...people, ...items.flatMap(({ waitsFor }) => waitsFor)])].sort();
  const isKnown = known.some((one) => plainName(one) === plainName(name));
  if (people.length === 0 || isKnown) return;
  throw flagInvalid('--for', `there is no person "${name}"; known are ${known.join(', ')}`);
}

/** An item without names waits for all people. */
const isFor = ({ waitsFor }: InboxItem, name: string): boolean =>
  waitsFor.length === 0 || waitsFor.some((one) => plainName(one) === plainName(name));
